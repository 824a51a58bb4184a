import { byId, setAttribute } from './dom.js';

/** @typedef {import('../console-state').ActionOutcome} ActionOutcome */

/** How long a success is told; a failure stays until the next action. */
const TOLD_MS = 8000;
let toldTimer = 0;

/**
 * Has the host do something, and says how it ended. A button that is at work takes no further press, but keeps its focus.
 * @param {HTMLElement} button
 * @param {string} name
 * @param {object} input
 */
export async function act(button, name, input) {
  if (button.getAttribute('aria-disabled') === 'true') return;
  setAttribute(button, 'aria-disabled', 'true');
  tell('idle', 'Working …');
  const { ok, message } = await send(name, input);
  button.removeAttribute('aria-disabled');
  tell(ok ? 'good' : 'bad', message);
}

/**
 * @param {string} name
 * @param {object} input
 * @returns {Promise<ActionOutcome>}
 */
async function send(name, input) {
  try {
    const answer = await fetch(`/actions/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
    });
    return /** @type {ActionOutcome} */ (await answer.json());
  } catch {
    return { ok: false, message: 'The local system does not answer: it may have been stopped.' };
  }
}

/**
 * @param {string} tone
 * @param {string} message
 */
function tell(tone, message) {
  const outcome = byId('outcome');
  outcome.dataset.tone = tone;
  outcome.textContent = message;
  clearTimeout(toldTimer);
  if (tone === 'good') toldTimer = setTimeout(() => (outcome.textContent = ''), TOLD_MS);
}
