import { SWEEP_INTERVAL_SEC } from '../../core/tokens/lifetimes';
import { type TokenKey } from '../../core/tokens/token-key';
import { type StoredToken } from '../../core/tokens/stored-token';
import { dueFromMs } from '../../core/tokens/token-lifetime';
import { type RefreshMemory } from './refresh-memory';

/** Number of sweeps that a token is renewed ahead of time at most. */
const SWEEPS_AHEAD = 3;
/** See {@link inTurn}. */
const OTHERS_PER_FAILING = 15;
/** A refusal counts as this many more failures in a row: it needs a person, and most other failures pass. */
const FAILURES_OF_REFUSAL = 2;

/** A token of the deployment, with the names under which memory has it. */
export interface SweptToken {
  key: TokenKey;
  name: string;
  group: string;
}

/** A token with its place in the order of a sweep. */
interface UrgentToken {
  token: SweptToken;
  /** When it may be due at the earliest, in ms since the epoch; 0 if it is not known. */
  dueMs: number;
}

/** Sorts by when each token may be due at the earliest. */
export function byUrgency({ stored }: RefreshMemory, tokens: readonly SweptToken[]): UrgentToken[] {
  return tokens
    .map((token) => ({ token, dueMs: dueMsOf(stored.get(token.name)?.token) }))
    .sort((a, b) => a.dueMs - b.dueMs);
}

function dueMsOf(token: StoredToken | undefined): number {
  return token === undefined ? 0 : dueFromMs(token);
}

/**
 * Tokens that may be due before this moment, in ms since the epoch, are renewed ahead of time: those that the next sweeps could
 * not do, because they all come due together, as after a first load. 0 if there are none.
 * @param capacity number of tokens that one sweep can renew
 */
export function aheadOf(
  { failing }: RefreshMemory,
  byDue: readonly UrgentToken[],
  capacity: number,
  nowMs: number,
): number {
  const known = byDue.filter(({ token, dueMs }) => dueMs > 0 && !failing.has(token.group));
  let due = 0;
  let ahead = 0;
  for (let sweeps = 0; sweeps <= SWEEPS_AHEAD; sweeps += 1) {
    const sweepMs = nowMs + sweeps * SWEEP_INTERVAL_SEC * 1000;
    while (due < known.length && known[due]!.dueMs < sweepMs) due += 1;
    if (sweeps > 0) ahead = Math.max(ahead, due - Math.floor(sweeps * capacity));
  }
  return ahead === 0 ? 0 : known[ahead - 1]!.dueMs + 1;
}

/**
 * Groups tokens by credential and endpoint, in order of each group's first token. A group runs one by one, so that a
 * refusal or Retry-After for one token also applies to the next. After every {@link OTHERS_PER_FAILING} of these comes one that
 * failed last time: first those that failed least often, and of these the one that has waited longest.
 *
 * Groups that need no turn come in between, so that a sweep that is full looks at their credentials too.
 * @param freshFromMs a token that is due no earlier needs no turn, in ms since the epoch
 */
export function* inTurn(
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
  const late = [...failing]
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
  let others = 0;
  let looked = 0;
  let next = 0;
  for (const group of groups.values()) {
    yield group;
    others += 1;
    while (looked * total < others * fresh.length) yield fresh[looked++]!;
    if (others % OTHERS_PER_FAILING === 0 && next < late.length) yield late[next++]!;
  }
  // Without any others, none came in between.
  yield* fresh.slice(looked);
  yield* late.slice(next);
}
