import { dateOf, span, timeOfDay } from './time.js';

/** @typedef {import('../console-state').ConsoleState} ConsoleState */
/** @typedef {import('../console-state').CredentialView} CredentialView */
/** @typedef {import('../console-state').TokenView} TokenView */
/**
 * One row of a tenant.
 * @typedef {{ kind: 'token' | 'credential', name: string, text: string, tone: string, word: string }} Reading
 */

const CREDENTIAL_NAMES = { 'client-credentials': 'client credential', 'api-key': 'API key' };
/** What happens on a credential's dates. */
const DATE_WORDS = { due: 'due', expiry: 'expires' };

/**
 * When a token expires.
 * @param {TokenView} token
 * @param {ConsoleState} state
 * @returns {Reading}
 */
export function tokenReading(token, { nowMs, renewedBelowMs, guaranteedLifeMs }) {
  const { interface: of, scope, access, expiresAtMs } = token;
  const named = /** @type {const} */ ({ kind: 'token', name: `${of} ${scope}` });
  if (access !== 'ok') return { ...named, text: '', tone: 'bad', word: access.replaceAll('_', ' ') };
  if (expiresAtMs === undefined) return { ...named, text: '', tone: 'idle', word: 'not loaded' };
  const leftMs = expiresAtMs - nowMs;
  if (leftMs <= 0) {
    return { ...named, text: `expired at ${timeOfDay(expiresAtMs)}`, tone: 'bad', word: 'expired' };
  }
  const [tone, word] =
    leftMs < guaranteedLifeMs
      ? ['bad', 'low']
      : leftMs < renewedBelowMs
        ? ['warn', 'renewal due']
        : ['good', 'fresh'];
  return { ...named, text: `expires at ${timeOfDay(expiresAtMs)}, in ${span(leftMs)}`, tone, word };
}

/**
 * The dates of a credential that matter: its maximum age, an API key's expiry.
 * @param {CredentialView} credential
 * @returns {Reading}
 */
export function credentialReading({ kind, state, dates, successor, problem }) {
  const text = (dates ?? []).map(({ what, atMs }) => `${DATE_WORDS[what]} ${dateOf(atMs)}`).join(', ');
  const [tone, word] =
    dates === undefined
      ? [state === 'not loaded' ? 'idle' : 'bad', state]
      : problem !== undefined
        ? [problem.severity === 'critical' ? 'bad' : 'warn', problemWords(problem.kind)]
        : successor !== undefined
          ? ['warn', `next version ${successor}`]
          : ['good', state];
  return { kind: 'credential', name: CREDENTIAL_NAMES[kind], text, tone, word };
}

/** @param {string} kind */
function problemWords(kind) {
  return kind.replaceAll('_', ' ').replace('api', 'API');
}
