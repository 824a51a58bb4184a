import { type Socket } from 'node:net';

import { elapsedMs, type Moment, momentOf } from '../domain/moment';
import { systemClock } from './system-clock';

/** The idle sockets of an agent, by host. */
export type KeptConnections = Readonly<Record<string, readonly Socket[] | undefined>>;

/** When each connection was last used, and the bytes it had read by then. */
const lastUses = new WeakMap<Socket, { at: Moment; bytesRead: number }>();

/** Remembers that a response has just ended on this connection. */
export function noteUse(connection: Socket): void {
  lastUses.set(connection, { at: momentOf(systemClock), bytesRead: connection.bytesRead });
}

/**
 * Closes idle sockets that are unsafe to reuse: a request on one might be lost, or get a stale response.
 * - Idle too long: the peer or a NAT gateway may have dropped it. After Lambda freezes a process, a request is sent before
 *   the agent's own timer runs.
 * - Closed by the peer, or with unread data. The caller waits for an event loop turn first, in which sockets read.
 * @param longestMs maximum idle time, by the clock that measured more
 * @see RFC 9112, sections 9.2 and 9.3.1
 */
export function closeUnusable(kept: KeptConnections, longestMs: number): void {
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
 * Also removes it from its agent, which would otherwise reuse it until the event `close` a few turns later.
 * @see https://nodejs.org/api/http.html#class-httpagent
 */
function close(connection: Socket): void {
  connection.destroy();
  connection.emit('agentRemove');
}

/** Whether there are any: an agent deletes empty lists. */
export function hasConnections(kept: KeptConnections): boolean {
  for (const _ in kept) return true;
  return false;
}
