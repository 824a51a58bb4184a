import { byId, setAttribute } from './dom.js';

/** @typedef {import('../console-state').ActionOutcome} ActionOutcome */

/** How long a success message stays; a failure stays until the next action. */
const SHOWN_MS = 8000;
let hideTimer = 0;

/**
 * Runs an action on the host and shows its outcome. While it runs, the button ignores clicks but keeps its focus.
 * @param {HTMLElement} button
 * @param {string} name
 * @param {object} input
 */
export async function act(button, name, input) {
  if (button.getAttribute('aria-disabled') === 'true') return;
  setAttribute(button, 'aria-disabled', 'true');
  showOutcome('idle', 'Working …');
  const { ok, message } = await send(name, input);
  button.removeAttribute('aria-disabled');
  showOutcome(ok ? 'good' : 'bad', message);
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
    return { ok: false, message: 'The local system does not answer. Check that npm start is still running' };
  }
}

/**
 * @param {string} tone
 * @param {string} message
 */
function showOutcome(tone, message) {
  const outcome = byId('outcome');
  outcome.dataset.tone = tone;
  outcome.textContent = message;
  clearTimeout(hideTimer);
  if (tone === 'good') hideTimer = setTimeout(() => (outcome.textContent = ''), SHOWN_MS);
}
