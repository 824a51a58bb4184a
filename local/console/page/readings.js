import { countdown, shortDateOf, span, wholeDays } from './time.js';

/** @typedef {import('../console-state').ConsoleState} ConsoleState */
/** @typedef {import('../console-state').CredentialView} CredentialView */
/** @typedef {NonNullable<CredentialView['dates']>[number]} CredentialDate */
/** @typedef {import('../console-state').TokenView} TokenView */
/** @typedef {import('./meters.js').Reading} Reading */

/** A token's lifetime, by the platform's specification. */
const LIFE_MS = 3_600_000;

/**
 * How long until a token expires.
 * @param {TokenView} token
 * @param {ConsoleState} state
 * @param {number} nowMs
 * @returns {Reading}
 */
export function tokenReading(
  { access, issuedAtMs, expiresAtMs },
  { guaranteedLifeMs, renewedBelowMs },
  nowMs,
) {
  if (expiresAtMs === undefined || issuedAtMs === undefined) {
    const word = access === 'ok' ? 'none' : access.replaceAll('_', ' ');
    return empty(word, access === 'ok' ? 'idle' : 'bad');
  }
  const lifeMs = Math.max(expiresAtMs - issuedAtMs, 1000);
  const leftMs = expiresAtMs - nowMs;
  const [tone, word] =
    leftMs <= 0
      ? ['bad', 'expired']
      : leftMs < guaranteedLifeMs
        ? ['bad', 'low']
        : leftMs < renewedBelowMs
          ? ['warn', 'renewal due']
          : ['good', 'fresh'];
  return {
    share: leftMs / lifeMs,
    value: Math.round(leftMs / 1000),
    max: Math.round(lifeMs / 1000),
    text: leftMs > 0 ? countdown(leftMs) : '00:00',
    tone,
    word,
    spoken: leftMs > 0 ? `${span(leftMs)} left, ${word}` : `expired ${span(-leftMs)} ago`,
  };
}

/** What happens on a credential's dates. */
const DATE_WORDS = { rotation: 'rotates', due: 'due', expiry: 'expires' };

/**
 * How long until the next date of a credential that matters: a planned rotation, its maximum age, an API key's expiry.
 * @param {CredentialView} credential
 * @param {number} nowMs
 * @returns {Reading}
 */
export function credentialReading({ state, promotedAtMs, dates: [next] = [], successor, problem }, nowMs) {
  if (promotedAtMs === undefined || next === undefined)
    return empty(state, state === 'not loaded' ? 'idle' : 'bad');
  const [tone, word] =
    problem !== undefined
      ? [problem.severity === 'critical' ? 'bad' : 'warn', problemWords(problem.kind)]
      : successor !== undefined
        ? ['warn', `next version ${successor}`]
        : ['good', state];
  const leftMs = Math.max(0, next.atMs - nowMs);
  const totalMs = Math.max(next.atMs - promotedAtMs, 1000);
  return {
    share: leftMs / totalMs,
    value: wholeDays(leftMs),
    max: Math.max(1, wholeDays(totalMs)),
    text: span(leftMs),
    tone,
    word,
    spoken: `${span(leftMs)} left, ${dateWords(next)}, ${word}`,
  };
}

/**
 * For example `due 24 October`.
 * @param {CredentialDate} date
 */
export function dateWords({ what, atMs }) {
  return `${DATE_WORDS[what]} ${shortDateOf(atMs)}`;
}

/** @param {string} kind */
function problemWords(kind) {
  return kind.replaceAll('_', ' ').replace('api', 'API');
}

/**
 * The share of a token's lifetime at which it is renewed; its bar is marked there.
 * @param {ConsoleState} state
 */
export function renewalMark({ renewedBelowMs }) {
  return renewedBelowMs / LIFE_MS;
}

/**
 * @param {string} word
 * @param {string} tone
 * @returns {Reading}
 */
function empty(word, tone) {
  return { share: 0, value: 0, max: 1, text: '–', tone, word, spoken: word };
}
