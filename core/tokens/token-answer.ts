import { parseJsonObject } from '../json/json-object';
import { type TokenFault } from '../alarms/metrics';
import { type TokenType } from '../deployment/platform';
import { parseHttpDateMs, parseRetryAfterMs } from '../calls/retry-after';
import { PlatformUnavailableError, TokenError } from './token-errors';

/** The unchecked response of a token endpoint. */
export interface TokenHttpAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** A token as the platform issued it. */
export interface IssuedToken {
  accessToken: string;
  issuedAtMs: number;
  expiresAtMs: number;
  /** The response had no `expires_in`, so the specified lifetime less a margin was assumed. */
  isLifeAssumed: boolean;
  /** The platform's clock and ours differ by more than a minute. */
  isClockSkewed?: boolean;
}

/** Token lifetime in the platform's specification ("Limits": access token lifetime). */
const SPECIFIED_LIFE_SEC = 3600;
const ASSUMED_LIFE_MARGIN_SEC = 600;
const LIFE_CAP_SEC = 86_400;
/**
 * If a Date header is further in the past than this, the platform's clock is wrong, not ours. 300 s, and 1 s because the
 * header has whole seconds.
 */
const DISBELIEVED_DRIFT_MS = 301_000;
const SKEW_TO_REPORT_MS = 60_000;
/** Wider than RFC 6750's b64token: any visible ASCII is safe in a header. */
const ACCESS_TOKEN = /^[\x21-\x7e]{1,8192}$/;
/** RFC 6749, section 5.2. Messages show no other error, because it could be any text. */
const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
];

/**
 * Interprets the response to a client credentials request.
 * @param requestedAtMs our clock just before the request was sent, so never later than the token was issued
 * @throws {TokenError} `credential_refused`, `scope_refused`, `platform_unavailable` or `bad_platform_answer`
 * @see RFC 6749, sections 5.1 and 5.2; the platform's specification, "OAuth token response"
 */
export function interpretTokenAnswer(
  answer: TokenHttpAnswer,
  requested: TokenType,
  requestedAtMs: number,
): IssuedToken {
  if (answer.status !== 200) throw refusal(answer, requestedAtMs);
  const fields = parseJsonObject(answer.body);
  if (fields === undefined) throw badAnswer('the token endpoint answered 200 without a JSON object');

  const { access_token: accessToken, token_type: tokenType } = fields;
  if (typeof accessToken !== 'string' || !ACCESS_TOKEN.test(accessToken)) {
    throw badAnswer('the token endpoint answered without a usable access_token');
  }
  if (typeof tokenType !== 'string' || tokenType.toLowerCase() !== 'bearer') {
    throw badAnswer('the token endpoint answered with a token_type that is not Bearer');
  }
  checkScope(fields.scope, requested.scope);

  const lifeSec = readLifeSec(fields.expires_in);
  const theirsMs = parseHttpDateMs(answer.headers.date) ?? requestedAtMs;
  const issuedAtMs = earliestIssueMs(requestedAtMs, theirsMs);
  const expiresAtMs = issuedAtMs + (lifeSec ?? SPECIFIED_LIFE_SEC - ASSUMED_LIFE_MARGIN_SEC) * 1000;
  if (expiresAtMs <= requestedAtMs) {
    throw badAnswer('the token endpoint answered with a token that has expired by its Date header');
  }
  return {
    accessToken,
    issuedAtMs,
    expiresAtMs,
    isLifeAssumed: lifeSec === undefined,
    isClockSkewed: Math.abs(theirsMs - requestedAtMs) > SKEW_TO_REPORT_MS,
  };
}

/**
 * The earlier of our time and the platform's, so that neither a slow network nor a fast clock of ours lets a token be served
 * after its expiry.
 */
function earliestIssueMs(requestedAtMs: number, theirsMs: number): number {
  const isBelieved = requestedAtMs - theirsMs < DISBELIEVED_DRIFT_MS;
  return isBelieved ? Math.min(theirsMs, requestedAtMs) : requestedAtMs;
}

/** Parses expires_in, in seconds; undefined if it is missing. */
function readLifeSec(expiresIn: unknown): number | undefined {
  if (expiresIn === undefined || expiresIn === null) return undefined;
  const isDigits = typeof expiresIn === 'string' && /^\d+$/.test(expiresIn);
  const seconds = isDigits ? Math.min(Number(expiresIn), LIFE_CAP_SEC) : expiresIn;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds <= 0) {
    throw badAnswer('the token endpoint answered with an expires_in that is not a positive integer');
  }
  return Math.min(seconds, LIFE_CAP_SEC);
}

function checkScope(answered: unknown, requested: string): void {
  if (answered === undefined || answered === null) return;
  if (typeof answered !== 'string')
    throw badAnswer('the token endpoint answered with a scope that is not a string');
  const granted = new Set(answered.split(' ').filter((scope) => scope !== ''));
  if (!granted.has(requested)) {
    throw new TokenError('scope_refused', `the platform did not grant the scope ${requested}`);
  }
  if (granted.size > 1) throw badAnswer(`the platform granted more than the scope ${requested}`);
}

function refusal(answer: TokenHttpAnswer, requestedAtMs: number): TokenError {
  const { status, headers } = answer;
  const named = parseJsonObject(answer.body)?.error;
  const oauthError = OAUTH_ERRORS.find((known) => known === named);
  const said = `the token endpoint answered ${status}${oauthError === undefined ? '' : ` ${oauthError}`}`;
  if (status === 408 || status === 429 || status >= 500) {
    // Read a date in Retry-After by the platform's own clock.
    const retryAfterMs = parseRetryAfterMs(
      headers['retry-after'],
      parseHttpDateMs(headers.date) ?? requestedAtMs,
    );
    return new PlatformUnavailableError(said, { retryAfterMs, isRateLimit: status === 429 });
  }
  if (oauthError === 'invalid_scope') return new TokenError('scope_refused', said);
  const isRefusedClient =
    oauthError === 'invalid_client' || oauthError === 'unauthorized_client' || oauthError === 'invalid_grant';
  if (isRefusedClient || status === 401 || status === 403) return new TokenError('credential_refused', said);
  if (status >= 300 && status < 400) {
    return badAnswer(`${said}, a redirect, which is never followed`, 'redirected');
  }
  return badAnswer(status === 404 ? `${said}: check the token base URL and the tenant id` : said);
}

function badAnswer(message: string, fault?: TokenFault): TokenError {
  return new TokenError('bad_platform_answer', message, { fault });
}
