import { type TokenKey } from '../core/tokens/published-keys';
import { type AccessToken } from './access-token';
import { TokenUnavailableError } from './token-unavailable-error';
import { unlessAborted } from './waits';

/** The options of `fetch`, except `redirect`: redirects are never followed. */
export interface AuthorizedRequestInit extends Omit<RequestInit, 'redirect'> {
  /**
   * Set to true if the API guarantees for this operation that a 401 precedes processing. Then the request is repeated
   * after a 401 although its method is not safe.
   * @default false
   */
  refusalPrecedesProcessing?: boolean;
}

interface Tokens {
  getToken(key: TokenKey, options?: { refused: string }): Promise<AccessToken>;
  refuse(key: TokenKey, accessToken: string): void;
  isNew(key: TokenKey, accessToken: string): boolean;
  ignoreRejections(key: TokenKey, accessToken: string): void;
}

const UNAUTHORIZED = 401;
/** The token in memory, a different one in the store, and a new one. */
const MAX_TOKENS = 3;

/**
 * Implements {@link TokenSource.authorizedFetch}.
 * @param send sends the requests
 */
export async function authorizedFetch(
  tokens: Tokens,
  send: typeof fetch,
  key: TokenKey,
  input: string | URL,
  init: AuthorizedRequestInit = {},
): Promise<Response> {
  // Spreading a Request copies none of its fields.
  if (init instanceof Request) throw new TypeError('init: found a Request; allowed: a plain object');
  const { refusalPrecedesProcessing = false, ...request } = init;
  const url = checkUrl(input);
  const given = new Headers(request.headers);
  if (given.has('authorization')) {
    throw new TypeError('headers: found authorization; allowed: any other, as the token is sent there');
  }
  const sendWith = ({ accessToken }: AccessToken) => {
    const headers = new Headers(given);
    headers.set('authorization', `Bearer ${accessToken}`);
    return send(url, { ...request, headers, redirect: 'manual' });
  };
  const { signal } = request;
  let token = await unlessAborted(tokens.getToken(key), signal);
  let answer = await sendWith(token);
  const mayRepeat = refusalPrecedesProcessing || isSafe(request.method);
  for (let used = 1; answer.status === UNAUTHORIZED; used += 1) {
    if (!mayRepeat || !isRepeatable(request.body)) {
      tokens.refuse(key, token.accessToken);
      return answer;
    }
    // A stored token may have been revoked together with the previous one. A new token cannot be.
    if (used === MAX_TOKENS || (used > 1 && tokens.isNew(key, token.accessToken))) {
      tokens.ignoreRejections(key, token.accessToken);
      return answer;
    }
    const next = await nextToken(tokens, key, token, signal);
    if (next === undefined) return answer;
    // Frees the connection. Fails if the connection broke, which does not matter.
    await answer.body?.cancel().catch(() => undefined);
    token = next;
    answer = await sendWith(token);
  }
  return answer;
}

/** A token other than the refused one; undefined if there is none. */
async function nextToken(
  tokens: Tokens,
  key: TokenKey,
  { accessToken }: AccessToken,
  signal: AbortSignal | null | undefined,
): Promise<AccessToken | undefined> {
  try {
    const next = await unlessAborted(tokens.getToken(key, { refused: accessToken }), signal);
    // eslint-disable-next-line no-restricted-syntax -- the process holds both tokens
    return next.accessToken === accessToken ? undefined : next;
  } catch (error) {
    if (error instanceof TokenUnavailableError) return undefined;
    throw error;
  }
}

function checkUrl(input: string | URL): URL {
  if (typeof input !== 'string' && !(input instanceof URL)) {
    throw new TypeError('input: found something else; allowed: a string or a URL object');
  }
  const url = new URL(input);
  if (url.protocol !== 'https:') throw new TypeError(`input: found ${url.protocol}; allowed: https:`);
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('input: found a user or password; allowed: a URL without either');
  }
  return url;
}

/** @see RFC 9110, section 9.2.1; `fetch` does not allow TRACE, the fourth safe method */
function isSafe(method = 'GET'): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase());
}

/** Whether a body can be sent again, which a stream cannot. */
function isRepeatable(body: RequestInit['body']): boolean {
  return (
    body === undefined ||
    body === null ||
    typeof body === 'string' ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body) ||
    body instanceof URLSearchParams ||
    body instanceof Blob ||
    body instanceof FormData
  );
}
