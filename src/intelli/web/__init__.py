"""The web server: middleware, the map from errors to problems, the rooms' routes, health, and the built UI."""
