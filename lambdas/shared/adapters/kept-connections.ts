import { type Socket } from 'node:net';

import { elapsedMs, type Moment, momentOf } from '../../../core/calls/moment';
import { systemClock } from './system-clock';

/** The idle sockets of an agent, by host. */
export type KeptConnections = Readonly<Record<string, readonly Socket[] | undefined>>;

/** Subtracted from the idle time that a peer announces: a request takes a while to arrive. The same as Node's agents. */
const ARRIVAL_MS = 1_000;

/** When each connection was last used, the bytes it had read by then, and how long its peer keeps it. */
const lastUses = new WeakMap<Socket, { at: Moment; bytesRead: number; keptForMs: number }>();

/**
 * Remembers that a response has just ended on this connection.
 * @param keepAlive the response's header `Keep-Alive`, with the idle time after which the peer closes the connection
 */
export function noteUse(connection: Socket, keepAlive: string | undefined): void {
  const announcedSec = keepAlive === undefined ? undefined : /^timeout=(\d+)/.exec(keepAlive)?.[1];
  const keptForMs = announcedSec === undefined ? Infinity : Number(announcedSec) * 1000 - ARRIVAL_MS;
  lastUses.set(connection, { at: momentOf(systemClock), bytesRead: connection.bytesRead, keptForMs });
}

/**
 * Closes idle sockets that are unsafe to reuse: a request on one might be lost, or get a stale response.
 * - Idle too long, or about as long as its peer announced: the peer or a NAT gateway may have dropped it. After Lambda freezes
 *   a process, a request is sent before an agent's own timer would run.
 * - Closed by the peer, or with unread data. The caller waits for an event loop turn first, in which sockets read.
 * @param maxIdleMs maximum idle time, by the wall clock or the monotonic clock, whichever measured more
 * @see RFC 9112, sections 9.2 and 9.3.1
 */
export function closeUnusable(kept: KeptConnections, maxIdleMs: number): void {
  const now = momentOf(systemClock);
  for (const peer in kept) {
    for (const connection of [...(kept[peer] ?? [])]) {
      const lastUse = lastUses.get(connection);
      if (lastUse === undefined) continue;
      const hasChanged = connection.bytesRead !== lastUse.bytesRead || !connection.writable;
      const maxMs = Math.min(maxIdleMs, lastUse.keptForMs);
      if (hasChanged || elapsedMs(lastUse.at, now) > maxMs) close(connection);
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
