import { type Scheduler } from 'fast-check';

import { sha256Hex } from '../../../core/secrets/sha256';
import { TokenError } from '../../../core/tokens/token-errors';
import { MAX_WRITES } from '../../../core/secrets/write-budget';
import { RefreshMemory } from '../../../lambdas/token-refresh/refresh-memory';
import { refreshToken, type RefreshTokenPorts } from '../../../lambdas/token-refresh/refresh-token';
import { KEY, MINUTE_MS } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { interleavedStore, type WriteFate } from './interleaved-store';

const CALL_MS = 20;
const VOID = Promise.resolve();
/** More ticks than a worker needs between two calls. */
const MAX_TICKS = 1_000;

export interface Interleaving {
  workers: number;
  /** Why they need a token in each round: there is none or it is due, or the platform refused it to each of them. */
  rounds: readonly ('due' | 'refused')[];
  fates: readonly WriteFate[];
  /** Lifetimes of the tokens that the platform issues, in seconds; the last one again and again. */
  livesSec: readonly number[];
  lags: readonly number[];
  /** The token that is stored at the start, whose secret was written so often in the last minutes. */
  stored?: { lifeLeftSec: number; writes: number } | undefined;
}

/**
 * Runs a case in the order that the scheduler draws. Each call takes one turn, on arrival. A turn for its
 * answer would add no outcomes, since workers share nothing between calls.
 * @returns how many tokens were written
 * @throws {Error} naming the violated promise
 */
export async function runInterleaving(
  scheduler: Scheduler,
  { workers, rounds, fates, livesSec, lags, stored }: Interleaving,
): Promise<number> {
  const memories = Array.from({ length: workers }, () => new RefreshMemory());
  let nowMs = NOON_MS;
  const startedWith = stored && {
    accessToken: 'token-at-the-start',
    issuedAtMs: nowMs + stored.lifeLeftSec * 1000 - 60 * MINUTE_MS,
    expiresAtMs: nowMs + stored.lifeLeftSec * 1000,
    credentialVersionId: 'credential-1',
    writesMs: Array.from({ length: stored.writes }, (_, index) => NOON_MS - (index + 1) * 1_000),
  };
  const store = interleavedStore({ nowMs: () => nowMs }, [...fates], [...lags], startedWith);
  const isSteady = lags.length === 0 && livesSec.length === 1;
  let grants = 0;

  const portsOf = (memory: RefreshMemory, turn: () => Promise<void>): RefreshTokenPorts => ({
    tokens: store.seenBy(turn),
    credentials: {
      read: () => turn().then(() => ({ clientId: 'id', clientSecret: 'secret', versionId: 'credential-1' })),
      former: async () => undefined,
      currentVersionId: async () => 'credential-1',
    },
    issuer: {
      requestToken: async () => {
        await turn();
        const lifeSec = livesSec[Math.min(grants, livesSec.length - 1)]!;
        grants += 1;
        const expiresAtMs = nowMs + lifeSec * 1000;
        return { accessToken: `token-${grants}`, issuedAtMs: nowMs, expiresAtMs, isLifeAssumed: false };
      },
    },
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep: turn },
    random: () => 0.5,
    metrics: { count: () => undefined },
    memory,
  });

  for (const round of rounds) {
    const before = store.current();
    if (round === 'due') nowMs = Math.max(nowMs, (before?.expiresAtMs ?? 0) - 19 * MINUTE_MS);
    const refused = round === 'refused' ? before?.accessToken : undefined;
    const rejectedTokenSha256 = refused === undefined ? undefined : sha256Hex(refused);
    const requirement = { minValidityMs: MINUTE_MS, rejectedTokenSha256, deadlineMs: nowMs + 10_000 };
    const earlier = { versions: store.replacements.length, grants };

    const answers = await takeTurns(
      scheduler,
      memories.map((memory) => (turn) => {
        const takeTurn = () => turn().then(() => void (nowMs += CALL_MS));
        const answer = refreshToken(portsOf(memory, takeTurn), KEY, requirement);
        return isSteady ? answer : answer.catch(unlessTokenError);
      }),
    );

    const replaced = store.replacements.slice(earlier.versions);
    for (const { token, over, seen, atMs } of replaced) {
      if (over?.accessToken !== seen?.accessToken) {
        const names = [token, over, seen].map((each) => each?.accessToken);
        throw new Error(`lost update: ${names[0]} over ${names[1]}, though its writer saw ${names[2]}`);
      }
      if (over === undefined || over.expiresAtMs <= atMs || over.accessToken === refused) continue;
      if (over.issuedAtMs > token.issuedAtMs) throw new Error('an older token over a newer one');
      if (over.expiresAtMs > token.expiresAtMs) throw new Error('a shorter life over a longer one');
    }
    const writes = (stored?.writes ?? 0) + store.replacements.length;
    if (writes > MAX_WRITES) throw new Error(`${writes} writes in 24 h`);
    if (!isSteady) continue;
    if (replaced.length !== 1) throw new Error(`a round made ${replaced.length} new versions`);
    const current = store.current()?.accessToken;
    for (const answer of answers) {
      if (store.tokenOf(answer!.versionId)?.accessToken !== current)
        throw new Error(`a worker was told of ${answer!.versionId}, which is not current`);
    }
    const renewals = answers.filter((answer) => answer!.refreshed).length;
    if (renewals !== 1) throw new Error(`${renewals} workers say that they renewed the token`);
    if (grants - earlier.grants > workers) throw new Error('a worker requested more than one token');
  }
  return store.replacements.length;
}

/**
 * Runs workers to their ends, one call at a time, in the order that the scheduler draws. It draws the next
 * call once all workers wait, so all orders are equally likely. (The scheduler's `waitFor` allows 50 ticks
 * between calls, which is much slower.)
 * @param workers each calls `turn` before it touches shared state, and waits for nothing else
 * @throws {Error} the error of a worker, or if a worker waits for something else
 */
async function takeTurns<Result>(
  scheduler: Scheduler,
  workers: readonly ((turn: () => Promise<void>) => Promise<Result>)[],
): Promise<Result[]> {
  let running = workers.length;
  const turn = () => scheduler.schedule(VOID);
  const ended = Promise.allSettled(workers.map((work) => work(turn).finally(() => (running -= 1))));
  while (running > 0) {
    for (let tick = 0; running > 0 && scheduler.count() < running; tick += 1) {
      if (tick === MAX_TICKS) throw new Error('a worker waits for something else than its turn');
      await VOID;
    }
    if (running > 0) await scheduler.waitOne();
  }
  return (await ended).map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

function unlessTokenError(error: unknown): undefined {
  if (!(error instanceof TokenError)) throw error;
}
