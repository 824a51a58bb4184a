import { type TokenKey } from '../contract/token-key';
import { type AccessToken } from './access-token';
import { TokenUnavailableError } from './token-unavailable-error';
import { unlessAborted } from './waits';

/** A request as `fetch` takes it, but that redirects are never followed. */
export interface AuthorizedRequestInit extends Omit<RequestInit, 'redirect'> {
  /**
   * The platform's specification says of this operation that a 401 precedes processing, so that it may be repeated
   * though its method is not safe.
   * @default false
   */
  refusalPrecedesProcessing?: boolean;
}

/** What a request needs of a token source. */
interface Tokens {
  getToken(key: TokenKey, options?: { refused: string }): Promise<AccessToken>;
  refuse(key: TokenKey, accessToken: string): void;
  isNew(key: TokenKey, accessToken: string): boolean;
  ignoreRejections(key: TokenKey, accessToken: string): void;
}

const UNAUTHORIZED = 401;
/** The one in memory, the one in the store where that is another, and one made since. */
const MOST_TOKENS = 3;

/** {@link TokenSource.authorizedFetch} over its two sources: tokens, and what sends requests. */
export async function authorizedFetch(
  tokens: Tokens,
  send: typeof fetch,
  key: TokenKey,
  input: string | URL,
  init: AuthorizedRequestInit = {},
): Promise<Response> {
  // Its fields are no own properties, so that a copy of it would be another request.
  if (init instanceof Request)
    throw new TypeError('init: found a Request; allowed: an object with its fields');
  const { refusalPrecedesProcessing = false, ...request } = init;
  const url = checkUrl(input);
  const given = new Headers(request.headers);
  if (given.has('authorization')) {
    throw new TypeError('headers: found authorization; allowed: any other, since the token goes there');
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
    // A stored token may have been revoked together with the previous one. A token made since then was not.
    if (used === MOST_TOKENS || (used > 1 && tokens.isNew(key, token.accessToken))) {
      tokens.ignoreRejections(key, token.accessToken);
      return answer;
    }
    const next = await nextToken(tokens, key, token, signal);
    if (next === undefined) return answer;
    // Frees the connection; an answer that broke off has none.
    await answer.body?.cancel().catch(() => undefined);
    token = next;
    answer = await sendWith(token);
  }
  return answer;
}

/** Another token than the refused one; undefined where none can be had: the same request would be refused again. */
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
    throw new TypeError('input: found something else; allowed: a URL, as text or as an object');
  }
  const url = new URL(input);
  if (url.protocol !== 'https:') throw new TypeError(`input: found ${url.protocol}; allowed: https:`);
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(
      'input: found a user or password; allowed: a URL without, since the token goes there',
    );
  }
  return url;
}

/** @see RFC 9110, section 9.2.1; TRACE, the fourth, is not for `fetch` */
function isSafe(method = 'GET'): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase());
}

/** Whether a body is still there after it was sent: a stream is not. */
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
