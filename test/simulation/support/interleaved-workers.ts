import { type Scheduler } from 'fast-check';

import { sha256Hex } from '../../../core/secrets/sha256';
import { type StoredToken } from '../../../core/tokens/stored-token';
import { TokenError } from '../../../core/tokens/token-errors';
import { MAX_WRITES } from '../../../core/secrets/write-budget';
import { RefreshMemory } from '../../../lambdas/token-refresh/refresh-memory';
import { refreshToken, type RefreshTokenPorts } from '../../../lambdas/token-refresh/refresh-token';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { KEY, MINUTE_MS } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { InterleavedStore, type WriteFate } from './interleaved-store';
import { takeTurns } from './take-turns';

/** Time between two calls. */
const CALL_MS = 20;

/**
 * Why the workers of a round need a token: there is none or it is due, or the platform refused it to each of
 * them.
 */
export type Round = 'due' | 'refused';

/** One case: the number of independent processes, and the rounds. */
export interface Interleaving {
  workers: number;
  rounds: readonly Round[];
  fates: readonly WriteFate[];
  /** Lifetimes of the tokens that the platform issues, in seconds; the last one again and again. */
  livesSec: readonly number[];
  /** By how many versions the reads lag, in order. */
  lags: readonly number[];
  /** The token that is stored at the start. */
  stored?: { lifeLeftSec: number; writes: number } | undefined;
}

/** Figures of all cases run. */
export class InterleavingFigures {
  calls = 0;
  grants = 0;
  writes = 0;
  /** Distinct orders of calls, as lists of worker numbers. */
  readonly orders = new Set<string>();
}

/**
 * Runs a case in the order that the scheduler draws. Each call takes one turn, on arrival. A turn for its
 * answer would add no outcomes, since workers share nothing between calls.
 * @throws {Error} naming the violated promise
 */
export async function runInterleaving(
  scheduler: Scheduler,
  { workers, rounds, fates, livesSec, lags, stored }: Interleaving,
  figures: InterleavingFigures,
): Promise<void> {
  const memories = Array.from({ length: workers }, () => new RefreshMemory());
  let nowMs = NOON_MS;
  const store = new InterleavedStore(
    { nowMs: () => nowMs },
    { fates, lags, stored: stored && storedAtStart(stored, nowMs) },
  );
  const isSteady = lags.length === 0 && livesSec.length === 1;
  let grants = 0;
  let order = '';

  function portsOf(worker: number, turn: () => Promise<void>): RefreshTokenPorts {
    return {
      tokens: store.seenBy(turn),
      credentials: {
        read: async () => {
          await turn();
          return { clientId: 'id', clientSecret: 'secret', versionId: 'credential-1' };
        },
        former: async () => undefined,
        currentVersionId: async () => 'credential-1',
      },
      issuer: {
        requestToken: async () => {
          await turn();
          const lifeSec = livesSec[Math.min(grants, livesSec.length - 1)]!;
          const accessToken = `token-${(grants += 1)}`;
          const expiresAtMs = nowMs + lifeSec * 1000;
          return { accessToken, issuedAtMs: nowMs, expiresAtMs, isLifeAssumed: false };
        },
      },
      clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep: turn },
      random: () => 0.5,
      metrics: new CountingMetrics(),
      memory: memories[worker]!,
    };
  }

  for (const round of rounds) {
    const before = store.current();
    if (round === 'due') nowMs = Math.max(nowMs, (before?.expiresAtMs ?? 0) - 19 * MINUTE_MS);
    const refused = round === 'refused' ? before?.accessToken : undefined;
    const rejectedTokenSha256 = refused === undefined ? undefined : sha256Hex(refused);
    const requirement = { minValidityMs: MINUTE_MS, rejectedTokenSha256, deadlineMs: nowMs + 10_000 };
    const earlier = { versions: store.replacements.length, grants };

    const answers = await takeTurns(
      scheduler,
      memories.map((_, worker) => (turn) => {
        const ownTurn = async () => {
          await turn();
          order += worker;
          nowMs += CALL_MS;
        };
        const answer = refreshToken(portsOf(worker, ownTurn), KEY, requirement);
        return isSteady ? answer : answer.catch(unlessTokenError);
      }),
    );

    const replaced = store.replacements.slice(earlier.versions);
    const lost = replaced.find(({ over, seen }) => over?.accessToken !== seen?.accessToken);
    if (lost !== undefined) {
      const [token, over, seen] = [lost.token, lost.over, lost.seen].map((each) => each?.accessToken);
      throw new Error(`lost update: ${token} over ${over}, though its writer saw ${seen}`);
    }
    const worse = replaced.find(
      ({ token, over, atMs }) =>
        over !== undefined &&
        over.expiresAtMs > atMs &&
        over.accessToken !== refused &&
        (over.issuedAtMs > token.issuedAtMs || over.expiresAtMs > token.expiresAtMs),
    );
    if (worse !== undefined) {
      const isOlder = worse.over!.issuedAtMs > worse.token.issuedAtMs;
      throw new Error(`${isOlder ? 'an older token over a newer' : 'a shorter life over a longer'} one`);
    }
    const writes = (stored?.writes ?? 0) + store.replacements.length;
    if (writes > MAX_WRITES) throw new Error(`${writes} writes in 24 h`);
    figures.writes += replaced.length;
    if (!isSteady) continue;
    const newVersions = replaced.length;
    if (newVersions !== 1) throw new Error(`a round made ${newVersions} new versions`);
    const current = store.current()?.accessToken;
    const misled = answers.find(
      (answer) => answer && store.tokenOf(answer.versionId)?.accessToken !== current,
    );
    if (misled !== undefined)
      throw new Error(`a worker was told of ${misled.versionId}, which is not current`);
    const renewals = answers.filter((answer) => answer?.refreshed).length;
    if (renewals !== 1) throw new Error(`${renewals} workers say that they renewed the token`);
    if (grants - earlier.grants > workers) throw new Error('a worker requested more than one token');
  }
  figures.calls += order.length;
  figures.grants += grants;
  figures.orders.add(`${workers} ${rounds.join()} ${fates.join()} ${order}`);
}

/** A token of an hour whose secret was written so often in the last minutes. */
function storedAtStart(
  { lifeLeftSec, writes }: NonNullable<Interleaving['stored']>,
  nowMs: number,
): StoredToken {
  const expiresAtMs = nowMs + lifeLeftSec * 1000;
  return {
    accessToken: 'token-at-the-start',
    issuedAtMs: expiresAtMs - 60 * MINUTE_MS,
    expiresAtMs,
    credentialVersionId: 'credential-1',
    writesMs: Array.from({ length: writes }, (_, index) => nowMs - (index + 1) * 1_000),
  };
}

function unlessTokenError(error: unknown): undefined {
  if (!(error instanceof TokenError)) throw error;
}
