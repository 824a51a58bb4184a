import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { parseJsonObject } from '../../core/json/json-object';
import { DEFAULT_LIFETIME_SEC } from '../../core/tokens/lifetimes';
import {
  ACCESS_TOKEN,
  interpretTokenAnswer,
  type IssuedToken,
  OAUTH_ERRORS,
  type TokenHttpAnswer,
  valueAt,
} from '../../core/tokens/token-answer';
import { TokenError } from '../../core/tokens/token-errors';
import { MAX_LIFETIME_SEC, MIN_LIFETIME_SEC } from '../../lib/options/issuer-profile-settings';
import { type Correction, correctedProfile, movedSecret } from './corrected-profile';
import { leavesOf, type Redaction } from './shown-answer';

/** Where an answer differs from the profile, and what would be right. */
export interface Comparison {
  readonly differences: readonly string[];
  readonly correction: Correction;
  /** Whether the correction is only a guess. */
  readonly isGuess: boolean;
  /** Read by the corrected profile; undefined if there is no usable token. */
  readonly token: IssuedToken | undefined;
  /** Why there is no usable token. */
  readonly failure: TokenError | undefined;
}

const TOKEN_NAMES = ['accesstoken', 'token', 'bearertoken', 'authtoken', 'apitoken', 'jwt', 'idtoken'];
const LIFETIME_NAMES = [
  'expiresin',
  'expiresinseconds',
  'expirein',
  'expires',
  'ttl',
  'lifetime',
  'validity',
];
/** A shorter text in a field without one of `TOKEN_NAMES` is no token. */
const MIN_TOKEN_CHARS = 20;
/** A lifetime that is shorter by up to this much is still the documented one: the issuer took some of it. */
const LIFETIME_TOLERANCE_SEC = 60;

/**
 * Compares an answer with the profile by which it was requested. Names of fields that could be secrets are left out.
 * @param scope that was requested
 */
export function compareAnswer(
  profile: IssuerProfile,
  scope: string,
  answer: TokenHttpAnswer,
  requestedAtMs: number,
  redaction: Redaction,
): Comparison {
  const fields = parseJsonObject(answer.body);
  const leaves = leavesOf(fields ?? {}).filter(([path]) => redaction.shownPath(path) === path);
  const fieldDifferences =
    answer.status === 200 && fields !== undefined ? compareFields(profile, scope, fields, leaves) : NOTHING;
  const interpretBy = (form: IssuerProfile) => {
    try {
      return interpretTokenAnswer(answer, { scope }, requestedAtMs, form);
    } catch (error) {
      if (error instanceof TokenError) return error;
      throw error;
    }
  };
  const outcome = interpretBy(correctedProfile(profile, fieldDifferences.correction) ?? profile);
  if (!(outcome instanceof TokenError)) {
    return { ...fieldDifferences, isGuess: false, token: outcome, failure: undefined };
  }
  if (fieldDifferences.differences.length > 0 && outcome.code === 'bad_platform_answer')
    return { ...fieldDifferences, isGuess: true, token: undefined, failure: outcome };
  // The profile may look for the error's code in another field. Then the corrected profile reads the failure.
  const codeField = compareCodeField(profile, leaves);
  const corrected = correctedProfile(profile, codeField.correction);
  const correctedOutcome = corrected === undefined ? outcome : interpretBy(corrected);
  const failure = correctedOutcome instanceof TokenError ? correctedOutcome : outcome;
  const guess = guessOf(profile, scope, answer, failure);
  return {
    differences: [...codeField.differences, ...guess.differences],
    correction: { ...codeField.correction, ...guess.correction },
    isGuess: true,
    token: undefined,
    failure,
  };
}

/** Finds the field with a code of RFC 6749, if it is another one than the profile says. */
function compareCodeField({ errors = {} }: IssuerProfile, leaves: Leaves): Differences {
  const { code = 'error' } = errors;
  const path = leaves.find(([, value]) => isOAuthError(value))?.[0];
  if (path === undefined || path === code || path === 'error') return NOTHING;
  const difference = `errors.code: the code of the error is in ${path}, not in ${code}`;
  return { differences: [difference], correction: { 'errors.code': path } };
}

type Differences = Pick<Comparison, 'differences' | 'correction'>;
/** The values of an answer, by their paths. */
type Leaves = readonly [string, unknown][];

/** What the comparison of one answer works on. */
interface Compared {
  readonly form: NonNullable<IssuerProfile['answer']>;
  readonly fields: Record<string, unknown>;
  readonly leaves: Leaves;
  /** Notes a difference, with the value that the profile should have at the path. */
  readonly correct: (path: string, value: unknown, difference: string) => void;
}
const NOTHING: Differences = { differences: [], correction: {} };

function compareFields(
  profile: IssuerProfile,
  scope: string,
  fields: Record<string, unknown>,
  leaves: Leaves,
): Differences {
  const { answer: form = {}, request = {} } = profile;
  const differences: string[] = [];
  const correction: Record<string, unknown> = {};
  const correct: Compared['correct'] = (path, value, difference) => {
    correction[path] = value;
    differences.push(`${path}: ${difference}`);
  };
  const compared = { form, fields, leaves, correct };
  if (!compareToken(compared)) return { differences, correction };
  compareTokenType(compared);
  const tooShort = compareLifetime(compared);
  if (tooShort !== undefined) differences.push(tooShort);
  compareScopes(compared, scope, request.scopeSeparator);
  return { differences, correction };
}

/** Returns whether the answer has a token. */
function compareToken({ form, fields, leaves, correct }: Compared): boolean {
  const { accessToken = 'access_token' } = form;
  if (isToken(valueAt(fields, accessToken))) return true;
  const path = pathOf(leaves, TOKEN_NAMES, isToken) ?? leaves.find(([, value]) => isLong(value))?.[0];
  if (path === undefined) return false;
  correct('answer.accessToken', path, `the token is in ${path}, not in ${accessToken}`);
  return true;
}

function compareTokenType({ form, fields, leaves, correct }: Compared): void {
  const { tokenType = 'token_type' } = form;
  if (tokenType === false || isBearer(valueAt(fields, tokenType))) return;
  const path = leaves.find(([, value]) => isBearer(value))?.[0];
  if (path !== undefined) {
    correct('answer.tokenType', path, `the type is in ${path}, not in ${tokenType}`);
  } else if (valueAt(fields, tokenType) === undefined) {
    correct('answer.tokenType', false, `the answer has no ${tokenType}`);
  } else {
    const difference = `${tokenType} is not Bearer. Make sure that the API takes the token as Bearer`;
    correct('answer.tokenType', false, difference);
  }
}

/** Returns a difference that no profile can correct: a lifetime that is too short. */
function compareLifetime({ form, fields, leaves, correct }: Compared): string | undefined {
  const { expiresIn = 'expires_in', lifetimeSec = DEFAULT_LIFETIME_SEC, sameTokenUntilSec } = form;
  if (expiresIn === false) return undefined;
  let seconds = secondsOf(valueAt(fields, expiresIn));
  if (seconds === undefined) {
    const path = pathOf(leaves, LIFETIME_NAMES, (value) => secondsOf(value) !== undefined);
    if (path === undefined) {
      const difference = `the answer has no seconds in ${expiresIn}. State the lifetime in answer.lifetimeSec`;
      correct('answer.expiresIn', false, difference);
      return undefined;
    }
    seconds = secondsOf(valueAt(fields, path))!;
    correct('answer.expiresIn', path, `the lifetime is in ${path}, not in ${expiresIn}`);
  }
  const lessSec = lifetimeSec - seconds;
  // A token that was returned before has lived for a while.
  const isUsual = sameTokenUntilSec !== undefined || lessSec <= LIFETIME_TOLERANCE_SEC;
  if (lessSec >= 0 && isUsual) return undefined;
  const difference = `the profile says ${lifetimeSec}, the answer ${seconds}`;
  if (seconds < MIN_LIFETIME_SEC)
    return `answer.lifetimeSec: ${difference}: less than ${MIN_LIFETIME_SEC}, too short to renew in time`;
  correct('answer.lifetimeSec', seconds, difference);
  return undefined;
}

function compareScopes({ form, fields, correct }: Compared, scope: string, scopeSeparator = ' '): void {
  const { scope: granted } = fields;
  const wanted = wordsOf(scope, ' ');
  if (typeof granted !== 'string' || wanted.length === 0) return;
  const separator = [scopeSeparator, ' ', ','].find((each) => {
    const words = wordsOf(granted, each);
    return wanted.every((word) => words.includes(word));
  });
  if (separator === undefined) return;
  if (separator !== scopeSeparator && wanted.length > 1)
    correct('request.scopeSeparator', separator, `the answer has "${separator}" between scopes`);
  const extra = wordsOf(granted, separator).length - wanted.length;
  if (extra > 0 && form.mayGrantMore !== true)
    correct('answer.mayGrantMore', true, `${extra} more scopes are granted than requested`);
}

/** What could be wrong with a request that was refused, and what to try. */
function guessOf(
  profile: IssuerProfile,
  scope: string,
  { status, headers }: TokenHttpAnswer,
  { code, message }: TokenError,
): Differences {
  const { request = {} } = profile;
  const differences: string[] = [];
  const correction: Record<string, unknown> = {};
  const isBasic = request.clientAuthentication === 'client_secret_basic';
  const words = message.split(' ');
  const said = words.find(isOAuthError);
  const listed = profile.errors?.credentialRefused?.find((each) => words.includes(each));
  if ([404, 405].includes(status) || (status >= 300 && status < 400)) {
    differences.push('tokenEndpoint: nothing takes token requests there. Check the base URL and the path');
  } else if (code === 'scope_refused') {
    const separator = request.scopeSeparator === undefined || request.scopeSeparator === ' ' ? ',' : ' ';
    if (scope.includes(' ')) correction['request.scopeSeparator'] = separator;
    differences.push(
      'request: this client may not have these scopes, or the issuer reads them otherwise' +
        (scope.includes(' ') ? `. Try "${separator}" between them` : ''),
    );
  } else if (said === 'unsupported_grant_type') {
    differences.push('request.fields: the issuer does not know this grant_type for this client');
  } else if (code === 'credential_refused' && listed !== undefined) {
    differences.push(
      `nothing: errors.credentialRefused lists ${listed}, so the client id or secret is wrong, or no longer valid`,
    );
  } else if (code === 'credential_refused') {
    Object.assign(correction, movedSecret(profile));
    const challenge = /^basic\b/i.test(headers['www-authenticate'] ?? '');
    differences.push(
      'request.clientAuthentication: either the client id or secret is wrong, or the issuer wants them ' +
        `${isBasic ? 'in the body' : 'in a Basic header'}${challenge && !isBasic ? ', as its WWW-Authenticate says' : ''}`,
    );
  } else if (status === 400 || status === 415 || status === 422) {
    const other = request.body === 'json' ? undefined : 'json';
    // If the issuer names a code, it has understood the form, and only fields of it are wrong.
    if (other === undefined || said === undefined) correction['request.body'] = other;
    differences.push(
      `request: the issuer does not understand it: the body (now ${other === undefined ? 'JSON' : 'a form'}), ` +
        'or its fields, of which one may be missing',
    );
  } else if (status === 200) {
    differences.push(
      'answer: none of its fields is known to have a token; the issuer’s documents name the field',
    );
  }
  return { differences, correction };
}

/** What a second request shows: whether the issuer returns the same token again. */
export function compareTokens(profile: IssuerProfile, first: IssuedToken, second: IssuedToken): Differences {
  const isSame = first.accessToken === second.accessToken;
  const { sameTokenUntilSec } = profile.answer ?? {};
  if (isSame && sameTokenUntilSec === undefined) {
    return {
      differences: [
        'answer.sameTokenUntilSec: a second request got the same token. 0 means until it has expired; ' +
          'the issuer’s documents may say more',
      ],
      correction: { 'answer.sameTokenUntilSec': 0 },
    };
  }
  const leftSec = (first.expiresAtMs - second.issuedAtMs) / 1000;
  if (!isSame && sameTokenUntilSec !== undefined && leftSec > sameTokenUntilSec + LIFETIME_TOLERANCE_SEC) {
    return {
      differences: ['answer.sameTokenUntilSec: a second request got another token at once'],
      correction: { 'answer.sameTokenUntilSec': undefined },
    };
  }
  return NOTHING;
}

/** The tokens of an answer, and what could be one: they are never shown. */
export function possibleTokens({ body }: TokenHttpAnswer, { answer = {} }: IssuerProfile): string[] {
  const fields = parseJsonObject(body);
  if (fields === undefined) return [];
  const leaves = leavesOf(fields).filter(
    ([path, value]) => path === answer.accessToken || isLong(value) || TOKEN_NAMES.includes(plainName(path)),
  );
  return leaves.flatMap(([, value]) => (typeof value === 'string' ? value : []));
}

function pathOf(
  leaves: Leaves,
  names: readonly string[],
  isRight: (value: unknown) => boolean,
): string | undefined {
  const right = leaves.filter(([, value]) => isRight(value));
  const name = names.find((each) => right.some(([path]) => plainName(path) === each));
  return right.find(([path]) => plainName(path) === name)?.[0];
}

/** The last name of a path, without case, `_` and `-`. */
function plainName(path: string): string {
  return path.split('.').at(-1)!.replaceAll(/[_-]/g, '').toLowerCase();
}

function isToken(value: unknown): boolean {
  return typeof value === 'string' && ACCESS_TOKEN.test(value);
}

function isLong(value: unknown): boolean {
  return isToken(value) && (value as string).length >= MIN_TOKEN_CHARS;
}

function isBearer(value: unknown): boolean {
  return typeof value === 'string' && value.toLowerCase() === 'bearer';
}

function isOAuthError(value: unknown): boolean {
  return OAUTH_ERRORS.some(([code]) => code === value);
}

/** Seconds of a lifetime. A larger number is a point in time. */
function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,8}$/.test(value) ? Number(value) : value;
  const isLifetime =
    Number.isInteger(seconds) && (seconds as number) > 0 && (seconds as number) <= MAX_LIFETIME_SEC;
  return isLifetime ? (seconds as number) : undefined;
}

function wordsOf(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
