/** @typedef {import('../console-state').ConsoleState} ConsoleState */

/** Delay before reconnecting when the host refused the connection; the browser reconnects by itself otherwise. */
const RETRY_MS = 2000;

/**
 * Listens for the system's state while the page is open.
 * @param {(state: ConsoleState) => void} onState
 * @param {(isConnected: boolean) => void} onConnection
 */
export function listen(onState, onConnection) {
  const events = new EventSource('/events');
  events.addEventListener('open', () => onConnection(true));
  events.addEventListener('message', ({ data }) => onState(/** @type {ConsoleState} */ (JSON.parse(data))));
  events.addEventListener('error', () => {
    onConnection(false);
    if (events.readyState === EventSource.CLOSED) setTimeout(() => listen(onState, onConnection), RETRY_MS);
  });
}
