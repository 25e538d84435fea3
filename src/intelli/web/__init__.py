"""Web server: middleware, error responses, the rooms' routes, health checks, and the built UI."""
