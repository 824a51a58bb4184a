/** @typedef {import('../console-state').ConsoleChange} ConsoleChange */
/** @typedef {import('../console-state').ConsoleState} ConsoleState */

/** Delay before reconnecting when the host refused the connection; the browser reconnects by itself otherwise. */
const RETRY_MS = 2000;

/**
 * Listens for the system's state while the page is open: all of it first, then what changes.
 * @param {(state: ConsoleState) => void} onState
 * @param {(isConnected: boolean) => void} onConnection
 */
export function listen(onState, onConnection) {
  const events = new EventSource('/events');
  events.addEventListener('open', () => onConnection(true));
  /** @type {ConsoleState | undefined} */
  let state;
  events.addEventListener('message', ({ data }) => {
    const update = /** @type {ConsoleState | ConsoleChange} */ (JSON.parse(data));
    if ('deployments' in update) state = update;
    else if (state !== undefined) state = changed(state, update);
    if (state !== undefined) onState(state);
  });
  events.addEventListener('error', () => {
    onConnection(false);
    if (events.readyState === EventSource.CLOSED) setTimeout(() => listen(onState, onConnection), RETRY_MS);
  });
}

/**
 * @param {ConsoleState} state
 * @param {ConsoleChange} change
 * @returns {ConsoleState}
 */
function changed(state, { tenants = [], ...fields }) {
  for (const { deploymentAt, tenantAt, tenant } of tenants) {
    const deployment = state.deployments[deploymentAt];
    if (deployment) deployment.tenants[tenantAt] = tenant;
  }
  return { ...state, ...fields };
}
