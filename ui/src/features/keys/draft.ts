/** From the fields of the form to a request for a key. */
import type { Messages, Values } from '@/components/Form';
import type { CreateApiKey, Scope } from '@/lib/wire';

const DAY_MS = 86_400_000;

export const SCOPES: readonly { readonly scope: Scope; readonly meaning: string }[] = [
  { scope: 'read', meaning: 'Look at everything you can see.' },
  { scope: 'write', meaning: 'Add and change things.' },
  { scope: 'admin', meaning: 'Manage members, invitations and settings.' },
];

export const LIFETIMES: readonly { readonly days: string; readonly text: string }[] = [
  { days: '30', text: '30 days' },
  { days: '90', text: '90 days' },
  { days: '365', text: 'One year' },
  { days: '', text: 'No end' },
];

export function checkKey(values: Values): Messages {
  return {
    ...((values.name ?? '').trim() === '' && { name: 'Say what the key is for, so that you recognise it later.' }),
    ...(scopesOf(values).length === 0 && { scopes: 'Choose at least one.' }),
  };
}

export function requestOf(values: Values, now: number = Date.now()): CreateApiKey {
  const days = Number(values.lifetime ?? '');
  return {
    name: (values.name ?? '').trim(),
    scopes: scopesOf(values),
    ...(days > 0 && { expires_at: new Date(now + days * DAY_MS).toISOString() }),
  };
}

function scopesOf(values: Values): Scope[] {
  return SCOPES.map(({ scope }) => scope).filter((scope) => values[`scope-${scope}`] === 'on');
}
