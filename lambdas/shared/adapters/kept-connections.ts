import { type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { elapsedMs, type Moment, momentOf } from '../domain/moment';
import { systemClock } from './system-clock';

/** Connections that wait for their next request, as an agent has them. */
export type KeptConnections = Readonly<Record<string, readonly Socket[] | undefined>>;

/** When each connection was last used, and what it had brought until then. */
const lastUses = new WeakMap<Socket, { at: Moment; bytesRead: number }>();

/** Remembers that an answer has come to its end just now. */
export function noteUse(connection: Socket): void {
  lastUses.set(connection, { at: momentOf(systemClock), bytesRead: connection.bytesRead });
}

/**
 * Closes the kept connections that the next request must not take: over those nobody would know whether it arrived, or
 * whose answer came.
 * - The other side, or a NAT gateway on the way, may have given up what lay idle. An agent's own timer does not see to it
 *   where Lambda had the process frozen: on waking up a request is sent before timers are run.
 * - The other side may have closed it, or sent what nobody had asked for, which would be taken for the next answer. That
 *   shows only once it is read, so the event loop gets a turn to read what has arrived.
 * @param longestMs what a connection may lie idle, by the clock that saw more of it
 * @see RFC 9112, sections 9.2 and 9.3.1
 */
export async function closeUnusable(kept: KeptConnections, longestMs: number): Promise<void> {
  await nextTurn();
  const now = momentOf(systemClock);
  for (const peer in kept) {
    for (const connection of [...(kept[peer] ?? [])]) {
      const lastUse = lastUses.get(connection);
      if (lastUse === undefined) continue;
      const hasChanged = connection.bytesRead !== lastUse.bytesRead || !connection.writable;
      if (hasChanged || elapsedMs(lastUse.at, now) > longestMs) close(connection);
    }
  }
}

/**
 * Its agent would hand it out until the event `close`, which comes some turns after the end.
 * @see https://nodejs.org/api/http.html#class-httpagent
 */
function close(connection: Socket): void {
  connection.destroy();
  connection.emit('agentRemove');
}

/** Whether there is any: an agent drops a list that is empty. */
export function hasConnections(kept: KeptConnections): boolean {
  for (const _ in kept) return true;
  return false;
}
