import { SWEEP_INTERVAL_SEC } from '../../core/tokens/lifetimes';
import { type TokenKey } from '../../core/tokens/token-key';
import { type StoredToken } from '../../core/tokens/stored-token';
import { dueFromMs } from '../../core/tokens/token-lifetime';
import { type RefreshMemory } from './refresh-memory';

/** Maximum number of sweeps by which a token is renewed ahead of time. */
const SWEEPS_AHEAD = 3;
/** After so many groups, {@link groupsInTurn} gives a turn to one that failed in its last attempt. */
const OTHERS_PER_FAILING = 15;
/** A refusal counts as this many additional failures: a person must fix it, while most other failures end by themselves. */
const FAILURES_OF_REFUSAL = 2;

/** A token of the deployment, with its names in {@link RefreshMemory}. */
export interface SweptToken {
  key: TokenKey;
  /** The token's name in memory. */
  name: string;
  /** Its tenant at its interface: tokens of a group share a credential and a token endpoint. */
  group: string;
}

/** A token with its place in the order of a sweep. */
interface UrgentToken {
  token: SweptToken;
  /** The earliest time at which it can be due, in ms since the epoch; 0 if the token is not in memory. */
  dueMs: number;
}

/** Sorts tokens by the earliest time at which each can be due. */
export function byUrgency({ stored }: RefreshMemory, tokens: readonly SweptToken[]): UrgentToken[] {
  return tokens
    .map((token) => ({ token, dueMs: dueMsOf(stored.get(token.name)?.token) }))
    .sort((a, b) => a.dueMs - b.dueMs);
}

function dueMsOf(token: StoredToken | undefined): number {
  return token === undefined ? 0 : dueFromMs(token);
}

/**
 * Decides which tokens are renewed ahead of time: more than the next sweeps can renew when they are due, because many were issued
 * together, as after a first load.
 * @param capacity number of tokens that one sweep can renew
 * @returns a time in ms since the epoch: renew the tokens that can be due before it; 0 for none
 */
export function renewBeforeMsOf(
  { failing }: RefreshMemory,
  byDue: readonly UrgentToken[],
  capacity: number,
  nowMs: number,
): number {
  const stored = byDue.filter(({ token, dueMs }) => dueMs > 0 && !failing.has(token.group));
  let due = 0;
  let ahead = 0;
  for (let sweeps = 0; sweeps <= SWEEPS_AHEAD; sweeps += 1) {
    const sweepMs = nowMs + sweeps * SWEEP_INTERVAL_SEC * 1000;
    while (due < stored.length && stored[due]!.dueMs < sweepMs) due += 1;
    if (sweeps > 0) ahead = Math.max(ahead, due - Math.floor(sweeps * capacity));
  }
  return ahead === 0 ? 0 : stored[ahead - 1]!.dueMs + 1;
}

/**
 * Groups tokens by credential and endpoint, in order of each group's first token. The tokens of a group are renewed one by one,
 * so that a refusal or Retry-After for one also applies to the next. After every {@link OTHERS_PER_FAILING} groups comes one that
 * failed in its last attempt: first the one with the fewest failures in a row, then the one that has waited longest.
 *
 * Groups without a token to renew are spread between the others, so that even a full sweep checks their credentials.
 * @param freshFromMs a token that cannot be due before this needs no renewal, in ms since the epoch
 */
export function* groupsInTurn(
  { failing, refused }: RefreshMemory,
  tokens: readonly UrgentToken[],
  freshFromMs: number,
): Generator<SweptToken[]> {
  const groups = new Map<string, SweptToken[]>();
  const fresh: SweptToken[][] = [];
  for (const { token, dueMs } of tokens) {
    const group = groups.get(token.group);
    if (group !== undefined) {
      group.push(token);
      continue;
    }
    const started = [token];
    groups.set(token.group, started);
    if (dueMs >= freshFromMs && !failing.has(token.group)) fresh.push(started);
  }
  for (const [first] of fresh) groups.delete(first!.group);
  const lastFailed = [...failing]
    .flatMap(([name, failures]) => {
      const group = groups.get(name);
      groups.delete(name);
      if (group === undefined) return [];
      const isRefused = group.some((token) => refused.has(token.name));
      return [{ group, failures: failures + (isRefused ? FAILURES_OF_REFUSAL : 0) }];
    })
    .sort((a, b) => a.failures - b.failures)
    .map(({ group }) => group);
  const total = groups.size;
  let yielded = 0;
  let yieldedFresh = 0;
  let yieldedFailed = 0;
  for (const group of groups.values()) {
    yield group;
    yielded += 1;
    while (yieldedFresh * total < yielded * fresh.length) yield fresh[yieldedFresh++]!;
    const isTurnOfFailed = yielded % OTHERS_PER_FAILING === 0 && yieldedFailed < lastFailed.length;
    if (isTurnOfFailed) yield lastFailed[yieldedFailed++]!;
  }
  // Whatever found no place between the other groups comes last.
  yield* fresh.slice(yieldedFresh);
  yield* lastFailed.slice(yieldedFailed);
}
