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
import { type Correction, correctedProfile, secretElsewhere } from './corrected-profile';
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
/** A shorter text without such a name is no token. */
const MIN_TOKEN = 20;
/** A lifetime that is this much shorter is the documented one, less the time that the issuer took. */
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
  const found =
    answer.status === 200 && fields !== undefined ? compareFields(profile, scope, fields, leaves) : NOTHING;
  const read = (by: IssuerProfile) => {
    try {
      return interpretTokenAnswer(answer, { scope }, requestedAtMs, by);
    } catch (error) {
      if (error instanceof TokenError) return error;
      throw error;
    }
  };
  const outcome = read(correctedProfile(profile, found.correction) ?? profile);
  if (!(outcome instanceof TokenError)) {
    return { ...found, isGuess: false, token: outcome, failure: undefined };
  }
  if (found.differences.length > 0 && outcome.code === 'bad_platform_answer')
    return { ...found, isGuess: true, token: undefined, failure: outcome };
  const code = codePlace(profile, leaves);
  const place = correctedProfile(profile, code.correction);
  const reread = place === undefined ? outcome : read(place);
  const failure = reread instanceof TokenError ? reread : outcome;
  const guess = guessOf(profile, scope, answer, failure);
  return {
    differences: [...code.differences, ...guess.differences],
    correction: { ...code.correction, ...guess.correction },
    isGuess: true,
    token: undefined,
    failure,
  };
}

/** Where the answer has a code of RFC 6749, if the profile does not know. */
function codePlace({ errors = {} }: IssuerProfile, leaves: readonly [string, unknown][]): Found {
  const { code = 'error' } = errors;
  const place = leaves.find(([, value]) => isOAuthError(value))?.[0];
  return place === undefined || place === code || place === 'error'
    ? NOTHING
    : {
        differences: [`errors.code: the code of the error is in ${place}, not in ${code}`],
        correction: { 'errors.code': place },
      };
}

type Found = Pick<Comparison, 'differences' | 'correction'>;
const NOTHING: Found = { differences: [], correction: {} };

function compareFields(
  profile: IssuerProfile,
  scope: string,
  fields: Record<string, unknown>,
  leaves: readonly [string, unknown][],
): Found {
  const { answer: form = {}, request = {} } = profile;
  const differences: string[] = [];
  const correction: Record<string, unknown> = {};
  const correct = (path: string, value: unknown, difference: string) => {
    correction[path] = value;
    differences.push(`${path}: ${difference}`);
  };

  const { accessToken = 'access_token', tokenType = 'token_type', expiresIn = 'expires_in' } = form;
  if (!isToken(valueAt(fields, accessToken))) {
    const place = placeOf(leaves, TOKEN_NAMES, isToken) ?? leaves.find(([, value]) => isLong(value))?.[0];
    if (place === undefined) return { differences, correction };
    correct('answer.accessToken', place, `the token is in ${place}, not in ${accessToken}`);
  }

  if (tokenType !== false && !isBearer(valueAt(fields, tokenType))) {
    const place = leaves.find(([, value]) => isBearer(value))?.[0];
    const isMissing = valueAt(fields, tokenType) === undefined;
    if (place !== undefined)
      correct('answer.tokenType', place, `the type is in ${place}, not in ${tokenType}`);
    else if (isMissing) correct('answer.tokenType', false, `the answer has no ${tokenType}`);
    else {
      const difference = `${tokenType} is not Bearer. Make sure that the API takes the token as Bearer`;
      correct('answer.tokenType', false, difference);
    }
  }

  const { lifetimeSec = DEFAULT_LIFETIME_SEC } = form;
  if (expiresIn !== false) {
    let seconds = secondsOf(valueAt(fields, expiresIn));
    if (seconds === undefined) {
      const place = placeOf(leaves, LIFETIME_NAMES, (value) => secondsOf(value) !== undefined);
      seconds = place === undefined ? undefined : secondsOf(valueAt(fields, place));
      if (place !== undefined)
        correct('answer.expiresIn', place, `the lifetime is in ${place}, not in ${expiresIn}`);
      else {
        const difference = `the answer has no seconds in ${expiresIn}. State the lifetime in answer.lifetimeSec`;
        correct('answer.expiresIn', false, difference);
      }
    }
    const early = seconds === undefined ? 0 : lifetimeSec - seconds;
    const isUsual = form.sameTokenUntilSec === undefined ? early <= LIFETIME_TOLERANCE_SEC : true;
    if (seconds !== undefined && (early < 0 || !isUsual)) {
      const difference = `the profile says ${lifetimeSec}, the answer ${seconds}`;
      if (seconds >= MIN_LIFETIME_SEC) correct('answer.lifetimeSec', seconds, difference);
      else
        differences.push(
          `answer.lifetimeSec: ${difference}: less than ${MIN_LIFETIME_SEC}, too short to renew in time`,
        );
    }
  }

  const { scope: granted } = fields;
  const wanted = wordsOf(scope, ' ');
  if (typeof granted === 'string' && wanted.length > 0) {
    const { scopeSeparator = ' ' } = request;
    const separator = [scopeSeparator, ' ', ','].find((each) => {
      const words = wordsOf(granted, each);
      return wanted.every((word) => words.includes(word));
    });
    if (separator !== undefined && separator !== scopeSeparator && wanted.length > 1)
      correct('request.scopeSeparator', separator, `the answer has "${separator}" between scopes`);
    const extra = wordsOf(granted, separator ?? scopeSeparator).length - wanted.length;
    if (separator !== undefined && extra > 0 && form.mayGrantMore !== true)
      correct('answer.mayGrantMore', true, `${extra} more scopes are granted than requested`);
  }
  return { differences, correction };
}

/** What could be wrong with a request that was refused, and what to try. */
function guessOf(
  profile: IssuerProfile,
  scope: string,
  { status, headers }: TokenHttpAnswer,
  { code, message }: TokenError,
): Found {
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
    Object.assign(correction, secretElsewhere(profile));
    const challenge = /^basic\b/i.test(headers['www-authenticate'] ?? '');
    differences.push(
      'request.clientAuthentication: either the client id or secret is wrong, or the issuer wants them ' +
        `${isBasic ? 'in the body' : 'in a Basic header'}${challenge && !isBasic ? ', as its WWW-Authenticate says' : ''}`,
    );
  } else if (status === 400 || status === 415 || status === 422) {
    const other = request.body === 'json' ? undefined : 'json';
    // A form that the issuer understands, but for its fields, has a code.
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
export function compareTokens(profile: IssuerProfile, first: IssuedToken, second: IssuedToken): Found {
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

function placeOf(
  leaves: readonly [string, unknown][],
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
  return isToken(value) && (value as string).length >= MIN_TOKEN;
}

function isBearer(value: unknown): boolean {
  return typeof value === 'string' && value.toLowerCase() === 'bearer';
}

function isOAuthError(value: unknown): boolean {
  return OAUTH_ERRORS.some(([code]) => code === value);
}

/** Seconds of a lifetime. A larger number is a time. */
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
