import { countdown, span, wholeDays } from './time.js';

/** @typedef {import('../console-state').ConsoleState} ConsoleState */
/** @typedef {import('../console-state').CredentialView} CredentialView */
/** @typedef {import('../console-state').TokenView} TokenView */
/** @typedef {import('./meters.js').Reading} Reading */

/** A token's lifetime, by the platform's specification. */
const LIFE_MS = 3_600_000;
/** How long before its maximum age a credential is due for rotation. */
const NOTICE_MS = 14 * 86_400_000;

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

/**
 * A credential's age, against its maximum age.
 * @param {CredentialView} credential
 * @param {number} maxAgeMs
 * @param {number} nowMs
 * @returns {Reading}
 */
export function credentialReading(
  { state, promotedAtMs, validUntilMs, successor, problem },
  maxAgeMs,
  nowMs,
) {
  if (promotedAtMs === undefined) return empty(state, state === 'not loaded' ? 'idle' : 'bad');
  const ageMs = nowMs - promotedAtMs;
  const endsMs = validUntilMs === undefined ? Infinity : validUntilMs - nowMs;
  const [tone, word] =
    endsMs <= 0
      ? ['bad', 'expired']
      : ageMs >= maxAgeMs
        ? ['bad', 'overdue']
        : maxAgeMs - ageMs <= NOTICE_MS
          ? ['warn', 'rotation due']
          : problem !== undefined
            ? [
                problem.severity === 'critical' ? 'bad' : 'warn',
                problem.kind.replace('credential_', '').replaceAll('_', ' '),
              ]
            : successor !== undefined
              ? ['warn', `next version ${successor}`]
              : ['good', state];
  const age = `${wholeDays(ageMs)} of ${wholeDays(maxAgeMs)} days`;
  return {
    share: ageMs / maxAgeMs,
    value: wholeDays(ageMs),
    max: wholeDays(maxAgeMs),
    text: age,
    tone,
    word,
    spoken: `${age}, ${word}`,
  };
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
