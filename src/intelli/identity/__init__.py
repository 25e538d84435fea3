"""Identity: who acts, where, and what they may do there.

Owns workspaces, users, memberships, sessions with their refresh tokens, invitations and API keys. A *workspace* is the
tenant that everything else belongs to; a *user* may be a *member* of several, with a *role* in each. A *session* is one
place where a user is signed in. Tokens and keys are kept only as hashes.
"""
