"""Identity: authentication, workspaces, members and their roles.

Owns workspaces, users, memberships, sessions with their refresh tokens, invitations and API keys. A *workspace* is the
tenant that everything else belongs to; a *user* may be a *member* of several, with a *role* in each. A *session* is one
sign-in of a user on one client. Tokens and keys are stored only as hashes.
"""
