/** What can be said about an account form before the server is asked. */
import type { Messages, Values } from '@/components/Form';

const SHORTEST_PASSWORD = 10;

export function checkCredentials(values: Values): Messages {
  return {
    ...missing(values, 'email', 'Enter your e-mail address.'),
    ...missing(values, 'password', 'Enter your password.'),
  };
}

export function checkAccount(values: Values): Messages {
  return {
    ...missing(values, 'name', 'Enter your name.'),
    ...checkEmail(values.email ?? ''),
    ...checkNewPassword(values.password ?? '', 'password'),
    ...('workspace_name' in values && missing(values, 'workspace_name', 'Give your workspace a name.')),
  };
}

function checkNewPassword(password: string, field: string): Messages {
  if ([...password].length >= SHORTEST_PASSWORD) return {};
  return { [field]: `Use at least ${SHORTEST_PASSWORD} characters.` };
}

function checkEmail(email: string): Messages {
  return /^\S+@\S+\.\S+$/.test(email.trim()) ? {} : { email: 'Enter an e-mail address, such as ada@example.org.' };
}

function missing(values: Values, field: string, message: string): Messages {
  return (values[field] ?? '').trim() === '' ? { [field]: message } : {};
}

/** Where to go after signing in: a path of our own, never another site. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/';
}
