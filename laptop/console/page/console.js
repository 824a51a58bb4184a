import { showRequests, showRestores } from './activity.js';
import { byId, setText } from './dom.js';
import { showAlarms, showFaults, showFindings, showSummary } from './overview.js';
import { showDeployments } from './tenants.js';
import { dateOf, span, timeOfDay } from './time.js';

/** @typedef {import('../console-state').ConsoleState} ConsoleState */

const POLL_MS = 1000;
/** Reading the state takes the host long with many tenants: the page asks for it a fifth of the time at most. */
const PAUSE_PER_READ = 4;
const TIMEOUT_MS = 10_000;

/** @param {ConsoleState} state */
function showState(state) {
  const { nowMs, aheadMs, findings, alarms, faults, requests, restores } = state;
  setText(byId('now'), `${timeOfDay(nowMs)} UTC, ${dateOf(nowMs)}`);
  setText(byId('ahead'), aheadMs === 0 ? '' : `${span(aheadMs)} ahead`);
  showSummary(byId('summary'), state);
  showFindings(findings);
  showAlarms(byId('alarms'), byId('alarm-list'), alarms);
  showFaults(byId('faults'), byId('fault-list'), faults);
  showDeployments(byId('deployments'), state);
  showRequests(byId('requests'), requests);
  showRestores(byId('restores'), restores);
}

/** @returns {Promise<ConsoleState | undefined>} undefined if the host gives no state */
async function readState() {
  try {
    const answer = await fetch('/state', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return answer.ok ? /** @type {ConsoleState} */ (await answer.json()) : undefined;
  } catch {
    return undefined;
  }
}

async function poll() {
  const startedMs = performance.now();
  const state = await readState();
  const tookMs = performance.now() - startedMs;
  setTimeout(() => void poll(), Math.max(POLL_MS, PAUSE_PER_READ * tookMs));
  const connection = byId('connection');
  setText(connection, state ? 'Live' : 'Disconnected, reconnecting');
  connection.dataset.tone = state ? 'good' : 'bad';
  if (state) showState(state);
}

void poll();
