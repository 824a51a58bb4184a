import { isJsonObject, parseJsonObject } from '../json/json-object';
import { type TokenFault } from '../alarms/metrics';
import { type IssuerProfile, type TokenAnswerForm, type TokenErrorForm } from '../issuers/issuer-profile';
import { parseHttpDateMs, parseRetryAfterMs } from '../calls/retry-after';
import { DEFAULT_LIFETIME_SEC } from './lifetimes';
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
  /** The answer had no lifetime, so the profile's less a margin is assumed. */
  isLifeAssumed: boolean;
  /** The platform's clock and ours differ by more than a minute. */
  isClockSkewed?: boolean;
  /** Until then, in ms since the epoch, the issuer returns this token to each request. Absent if it never does. */
  sameUntilMs?: number;
}

const ASSUMED_LIFE_MARGIN_SEC = 600;
const MAX_LIFE_SEC = 86_400;
/**
 * If a Date header is further in the past than this, the platform's clock is wrong, not ours. 300 s, and 1 s because the
 * header has whole seconds.
 */
const DISBELIEVED_DRIFT_MS = 301_000;
const SKEW_TO_REPORT_MS = 60_000;
/** For the whole seconds in answers, and for a next request that arrives faster than this one did. */
const SAME_TOKEN_MARGIN_MS = 2_000;
/** Wider than RFC 6750's b64token: any visible ASCII is safe in a header. */
export const ACCESS_TOKEN = /^[\x21-\x7e]{1,8192}$/;
type Refusal = 'credential_refused' | 'scope_refused';
/** RFC 6749, section 5.2, with what each refuses. */
export const OAUTH_ERRORS: readonly (readonly [code: string, refuses: Refusal | undefined])[] = [
  ['invalid_request', undefined],
  ['invalid_client', 'credential_refused'],
  ['invalid_grant', 'credential_refused'],
  ['unauthorized_client', 'credential_refused'],
  ['unsupported_grant_type', undefined],
  ['invalid_scope', 'scope_refused'],
];

/**
 * Interprets the response to a client credentials request.
 * @param scope the requested scopes, separated by spaces; empty for none
 * @param requestedAtMs our clock just before the request was sent, so never later than the token was issued
 * @throws {TokenError} `credential_refused`, `scope_refused`, `platform_unavailable` or `bad_platform_answer`
 * @see RFC 6749, sections 5.1 and 5.2; the platform's specification, "OAuth token response"
 */
export function interpretTokenAnswer(
  answer: TokenHttpAnswer,
  { scope }: { readonly scope: string },
  requestedAtMs: number,
  { request = {}, answer: form = {}, errors = {} }: Partial<IssuerProfile> = {},
): IssuedToken {
  const { accessToken: tokenField = 'access_token', tokenType: typeField = 'token_type' } = form;
  if (answer.status !== 200) throw failureOf(answer, requestedAtMs, errors);
  const fields = parseJsonObject(answer.body);
  if (fields === undefined) throw badAnswer('the token endpoint answered 200 without a JSON object');

  const accessToken = valueAt(fields, tokenField);
  if (typeof accessToken !== 'string' || !ACCESS_TOKEN.test(accessToken)) {
    // Some issuers refuse with status 200.
    const { code, refuses } = codeIn(answer, errors);
    if (code !== undefined || refuses !== undefined) throw failureOf(answer, requestedAtMs, errors);
    throw badAnswer(`the token endpoint answered without a usable ${tokenField}`);
  }
  if (typeField !== false) {
    const tokenType = valueAt(fields, typeField);
    if (typeof tokenType !== 'string' || tokenType.toLowerCase() !== 'bearer')
      throw badAnswer(`the token endpoint answered with a ${typeField} that is not Bearer`);
  }
  checkScope(fields.scope, scope, request.scopeSeparator, form.mayGrantMore);
  return { accessToken, ...issuedLifeOf(fields, answer, requestedAtMs, form) };
}

/** When the token was issued and expires, and what is unusual about that. */
function issuedLifeOf(
  fields: Record<string, unknown>,
  { headers }: TokenHttpAnswer,
  requestedAtMs: number,
  form: TokenAnswerForm,
): Omit<IssuedToken, 'accessToken'> {
  const { expiresIn: lifeField = 'expires_in', lifetimeSec = DEFAULT_LIFETIME_SEC } = form;
  const lifeSec =
    lifeField === false ? undefined : readLifeSec(valueAt(fields, lifeField), lifeField, lifetimeSec);
  const platformNowMs = parseHttpDateMs(headers.date) ?? requestedAtMs;
  const issuedAtMs = earliestIssueMs(requestedAtMs, platformNowMs);
  const lifeMs = (lifeSec ?? assumedLifeSec(lifetimeSec)) * 1000;
  const expiresAtMs = issuedAtMs + lifeMs;
  if (expiresAtMs <= requestedAtMs) {
    throw badAnswer('the token endpoint answered with a token that has expired by its Date header');
  }
  return {
    issuedAtMs,
    expiresAtMs,
    isLifeAssumed: lifeField !== false && lifeSec === undefined,
    isClockSkewed: Math.abs(platformNowMs - requestedAtMs) > SKEW_TO_REPORT_MS,
    ...(form.sameTokenUntilSec !== undefined && {
      // The token may be older than this answer. Renewals depend on its whole lifetime, not on what was left of it.
      issuedAtMs: Math.min(issuedAtMs, expiresAtMs - lifetimeSec * 1000),
      // By our clock alone: the seconds until the issuer returns another token do not depend on its clock.
      sameUntilMs: requestedAtMs + lifeMs + SAME_TOKEN_MARGIN_MS - form.sameTokenUntilSec * 1000,
    }),
  };
}

/** A value of an answer. @param path names of fields with dots between */
export function valueAt(fields: Record<string, unknown>, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      fields,
    );
}

function assumedLifeSec(lifetimeSec: number): number {
  return lifetimeSec - Math.min(ASSUMED_LIFE_MARGIN_SEC, lifetimeSec / 6);
}

/**
 * The earlier of our time and the platform's, so that neither a slow network nor a fast clock of ours lets a token be served
 * after its expiry.
 */
function earliestIssueMs(requestedAtMs: number, platformNowMs: number): number {
  const isBelieved = requestedAtMs - platformNowMs < DISBELIEVED_DRIFT_MS;
  return isBelieved ? Math.min(platformNowMs, requestedAtMs) : requestedAtMs;
}

/** Parses the seconds of validity; undefined if they are missing. */
function readLifeSec(answered: unknown, field: string, lifetimeSec: number): number | undefined {
  if (answered === undefined || answered === null) return undefined;
  const capSec = Math.max(MAX_LIFE_SEC, lifetimeSec);
  const isDigits = typeof answered === 'string' && /^\d+$/.test(answered);
  const seconds = isDigits ? Math.min(Number(answered), capSec) : answered;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 1) {
    throw badAnswer(`the token endpoint answered with an ${field} that is not a positive number`);
  }
  return Math.min(Math.floor(seconds), capSec);
}

function checkScope(answered: unknown, requested: string, separator = ' ', mayGrantMore = false): void {
  if (answered === undefined || answered === null) return;
  if (typeof answered !== 'string')
    throw badAnswer('the token endpoint answered with a scope that is not a string');
  const granted = new Set(
    answered
      .replaceAll(separator, ' ')
      .split(' ')
      .filter((scope) => scope !== ''),
  );
  const wanted = requested.split(' ').filter((scope) => scope !== '');
  if (wanted.some((scope) => !granted.has(scope))) {
    throw new TokenError('scope_refused', `the issuer did not grant the scope ${requested}`);
  }
  // Without a scope in the request, the issuer chooses (RFC 6749, section 3.3).
  if (mayGrantMore || wanted.length === 0) return;
  if (granted.size > new Set(wanted).size)
    throw badAnswer(`the issuer granted more than the scope ${requested}`);
}

/** The form of an unknown error code that is safe to show, such as `access_denied`. Any other text could be a secret. */
const ERROR_CODE = /^(?=.{3,40}$)[a-z]+(?:_[a-z]+)+$/;

/** What an answer refuses, and by which code. Undefined if it names neither. */
function codeIn(
  { status, body }: TokenHttpAnswer,
  { code: path = 'error', credentialRefused = [], scopeRefused = [] }: TokenErrorForm,
): { code?: string; refuses: Refusal | undefined } {
  const fields = parseJsonObject(body) ?? {};
  const given = valueAt(fields, path) ?? fields.error;
  const code = typeof given === 'number' ? `${given}` : given;
  const refusals = new Map<string, Refusal | undefined>([
    ...OAUTH_ERRORS,
    ...credentialRefused.map((each) => [each, 'credential_refused'] as const),
    ...scopeRefused.map((each) => [each, 'scope_refused'] as const),
  ]);
  if (typeof code === 'string' && refusals.has(code)) return { code, refuses: refusals.get(code) };
  const shown = typeof code === 'string' && ERROR_CODE.test(code) ? { code } : {};
  return { ...shown, refuses: refusals.get(`${status}`) };
}

function failureOf(answer: TokenHttpAnswer, requestedAtMs: number, errors: TokenErrorForm): TokenError {
  const { status, headers } = answer;
  const { code, refuses } = codeIn(answer, errors);
  const said = `the token endpoint answered ${status}${code === undefined ? '' : ` ${code}`}`;
  if (status === 408 || status === 429 || status >= 500) {
    // Read a date in Retry-After by the platform's own clock.
    const retryAfterMs = parseRetryAfterMs(
      headers['retry-after'],
      parseHttpDateMs(headers.date) ?? requestedAtMs,
    );
    return new PlatformUnavailableError(said, { retryAfterMs, isRateLimit: status === 429 });
  }
  if (refuses !== undefined) return new TokenError(refuses, said);
  if (status === 401 || status === 403) return new TokenError('credential_refused', said);
  if (status >= 300 && status < 400) {
    return badAnswer(`${said}, a redirect, which is never followed`, 'redirected');
  }
  return badAnswer(status === 404 ? `${said}: check the token base URL and the tenant id` : said);
}

function badAnswer(message: string, fault?: TokenFault): TokenError {
  return new TokenError('bad_platform_answer', message, { fault });
}
