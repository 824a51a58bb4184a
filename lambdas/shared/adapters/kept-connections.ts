import { type Socket } from 'node:net';

import { elapsedMs, type Moment, momentOf } from '../domain/moment';
import { systemClock } from './system-clock';

/** When each connection was last used. */
const lastUses = new WeakMap<Socket, Moment>();

/** Remembers that a connection was used just now. */
export function noteUse(connection: Socket): void {
  lastUses.set(connection, momentOf(systemClock));
}

/**
 * Closes the kept connections that were not used for too long, so that the next request takes none of them. An agent's own
 * timer does not see to it where Lambda had the process frozen: on waking up the request is sent before timers are run,
 * over a connection that the other side, or a NAT gateway on the way, has given up, so that nobody knows whether it arrived.
 * @param longestMs what a connection may lie idle, by the clock that saw more of it
 */
export function closeUnused(
  kept: Readonly<Record<string, readonly Socket[] | undefined>>,
  longestMs: number,
): void {
  const now = momentOf(systemClock);
  for (const connection of Object.values(kept).flatMap((each) => each ?? [])) {
    const lastUse = lastUses.get(connection);
    if (lastUse !== undefined && elapsedMs(lastUse, now) > longestMs) connection.destroy();
  }
}
