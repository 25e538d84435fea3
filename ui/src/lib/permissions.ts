/** What a role may do in its workspace. The server decides; this only keeps the screen from offering what it would refuse. */
import type { Role, Scope } from './wire';

const RANK: Record<Role, number> = { owner: 3, admin: 2, member: 1, viewer: 0 };
const SCOPES: Record<Role, readonly Scope[]> = {
  owner: ['read', 'write', 'admin'],
  admin: ['read', 'write', 'admin'],
  member: ['read', 'write'],
  viewer: ['read'],
};

/** Completes the sentence “As a member you can …”. */
export const ROLE_MEANING: Record<Role, string> = {
  owner: 'do everything, also make other owners',
  admin: 'manage members, invitations and settings, and read the whole log',
  member: 'work with everything in the workspace',
  viewer: 'read everything and change nothing',
};

/** Owners and admins run the workspace. */
export function mayAdminister(role: Role): boolean {
  return RANK[role] >= RANK.admin;
}

/** Nobody changes someone who stands above them; only owners make owners. */
export function mayChangeMember(mine: Role, theirs: Role): boolean {
  return mayAdminister(mine) && RANK[mine] >= RANK[theirs];
}

export function rolesToGive(mine: Role): readonly Role[] {
  return mine === 'owner' ? ['owner', 'admin', 'member', 'viewer'] : ['admin', 'member', 'viewer'];
}

export function scopesOf(role: Role): readonly Scope[] {
  return SCOPES[role];
}

/** Everyone but viewers adds and changes things. */
export function mayWrite(role: Role): boolean {
  return SCOPES[role].includes('write');
}
