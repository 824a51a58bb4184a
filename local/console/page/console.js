import { act } from './actions.js';
import { requestEntry, restoreEntry, showFaults } from './activity.js';
import { byId, setAttribute, setText } from './dom.js';
import { showTenantChoices, startFaultForm } from './fault-form.js';
import { listen } from './live.js';
import { Log } from './log.js';
import { showAlarms, showFindings, showSummary } from './overview.js';
import { Tenants } from './tenants.js';
import { dateOf, exactSpan, RunTime, timeOfDay } from './time.js';

/** @typedef {import('../console-state').ConsoleState} ConsoleState */

const TICK_MS = 1000;

const time = new RunTime();
const tenants = new Tenants(byId('deployments'));
const requests = new Log('requests', requestEntry);
const restores = new Log('restores', restoreEntry);
/** @type {ConsoleState | undefined} */
let state;

/** Updates what changes with time alone. */
function tick() {
  if (state === undefined) return;
  const nowMs = time.nowMs();
  setText(byId('now'), `${timeOfDay(nowMs)} UTC, ${dateOf(nowMs)}`);
  tenants.show(state, nowMs);
  showSummary(byId('summary'), state, nowMs);
}

/** @param {ConsoleState} received */
function showState(received) {
  state = received;
  time.set(received.nowMs);
  const ahead = exactSpan(received.aheadMs);
  setText(byId('ahead'), received.isAdvancing ? 'advancing …' : ahead && `${ahead} ahead`);
  showFindings(received.findings);
  showAlarms(byId('alarms'), byId('alarm-list'), received.alarms);
  showFaults(byId('fault-list'), received.faults);
  requests.show(received.requests);
  restores.show(received.restores);
  showTenantChoices(received.deployments);
  tick();
}

/** @param {boolean} isConnected */
function showConnection(isConnected) {
  const connection = byId('connection');
  setText(connection, isConnected ? 'Live' : 'Disconnected, reconnecting');
  setAttribute(connection, 'data-tone', isConnected ? 'good' : 'bad');
}

for (const button of document.querySelectorAll('[data-advance-sec]')) {
  const advance = /** @type {HTMLElement} */ (button);
  const sec = Number(advance.dataset.advanceSec);
  advance.addEventListener('click', () => void act(advance, 'advance-clock', { sec }));
}
startFaultForm();
listen(showState, showConnection);
setInterval(tick, TICK_MS);
