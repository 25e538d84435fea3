/** What went wrong, in one type: a problem+json answer of the server, or a server that could not be reached. */

export interface FieldMessage {
  readonly field: string;
  readonly message: string;
}

interface ProblemInit {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly FieldMessage[];
  readonly retryAfterS?: number | undefined;
}

export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly errors: readonly FieldMessage[];
  readonly retryAfterS: number | undefined;

  constructor(init: ProblemInit) {
    super(init.detail);
    this.name = 'ApiProblem';
    this.status = init.status;
    this.code = init.code;
    this.title = init.title;
    this.errors = init.errors ?? [];
    this.retryAfterS = init.retryAfterS;
  }
}

/** The problem of a server that does not answer, or answers something that is not ours. */
export function unreachable(): ApiProblem {
  return new ApiProblem({
    status: 0,
    code: 'unreachable',
    title: 'Server out of reach',
    detail: 'The Intelli server does not answer. Check that it is running and that you are connected, then try again.',
  });
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'unreachable';
}

/** Reads a refused answer. A proxy's HTML page or an empty body still becomes a readable problem. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => null);
  const given = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  if ([502, 504].includes(response.status) && typeof given.code !== 'string') return unreachable();
  return new ApiProblem({
    status: response.status,
    code: textOr(given.code, `http_${response.status}`),
    title: textOr(given.title, 'The server refused'),
    detail: textOr(given.detail, `The server answered with status ${response.status}. Try again in a moment.`),
    errors: Array.isArray(given.errors) ? given.errors.filter(isFieldMessage) : [],
    retryAfterS: secondsOf(response.headers.get('Retry-After')),
  });
}

/** The sentence to show a person, with the waiting time when the server named one. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return 'Something unexpected went wrong. Reload the page and try again.';
  const wait = error.retryAfterS;
  if (error.status !== 429 || wait === undefined || /\d/.test(error.message)) return error.message;
  return `${error.message} You can try again in ${wait < 90 ? `${wait} seconds` : `${Math.ceil(wait / 60)} minutes`}.`;
}

/** Messages by the input they speak of: `body.email` is about the one named `email`, `body` about the whole (''). */
export function fieldMessagesOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiProblem)) return {};
  return Object.fromEntries(error.errors.map(({ field, message }) => [inputOf(field), message]));
}

function inputOf(field: string): string {
  return field.replace(/^(body|query|path)(\.|$)/, '').split('.')[0] ?? '';
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}

function isFieldMessage(value: unknown): value is FieldMessage {
  return typeof value === 'object' && value !== null && 'field' in value && 'message' in value;
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}
