import { type Scheduler } from 'fast-check';

import { sha256Hex } from '../../../contract/sha256';
import { RefreshMemory } from '../../../lambdas/token-refresh/refresh-memory';
import { refreshToken, type RefreshTokenPorts } from '../../../lambdas/token-refresh/refresh-token';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { deploymentOf, KEY, MINUTE_MS } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { type Derivation, InterleavedStore, type WriteFate } from './interleaved-store';
import { takeTurns } from './take-turns';

const TOKEN_LIFE_MS = 60 * MINUTE_MS;

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
}

/** Figures of all cases run. */
export class InterleavingFigures {
  calls = 0;
  grants = 0;
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
  { workers, rounds, fates }: Interleaving,
  figures: InterleavingFigures,
  derive: Derivation = (seen) => seen,
): Promise<void> {
  const memories = Array.from({ length: workers }, () => new RefreshMemory());
  let nowMs = NOON_MS;
  const store = new InterleavedStore({ nowMs: () => nowMs }, fates, derive);
  let grants = 0;
  let order = '';

  function portsOf(worker: number, turn: () => Promise<void>): RefreshTokenPorts {
    return {
      platform: deploymentOf([]).platform,
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
          const accessToken = `token-${(grants += 1)}`;
          return { accessToken, issuedAtMs: nowMs, expiresAtMs: nowMs + TOKEN_LIFE_MS, isLifeAssumed: false };
        },
      },
      clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep: turn },
      random: () => 0.5,
      metrics: new CountingMetrics(),
      memory: memories[worker]!,
    };
  }

  for (const round of rounds) {
    if (round === 'due') nowMs += TOKEN_LIFE_MS - 15 * MINUTE_MS;
    const refused = round === 'refused' ? store.current() : undefined;
    const rejectedTokenSha256 = refused === undefined ? undefined : sha256Hex(refused);
    const requirement = { minValidityMs: MINUTE_MS, rejectedTokenSha256, deadlineMs: nowMs + 10_000 };
    const before = { versions: store.replacements.length, grants };

    const answers = await takeTurns(
      scheduler,
      memories.map((_, worker) => (turn) => {
        const ownTurn = () => turn().then(() => void (order += worker));
        return refreshToken(portsOf(worker, ownTurn), KEY, requirement);
      }),
    );

    const lost = store.replacements.find(({ over, seen }) => over !== seen);
    if (lost !== undefined) {
      throw new Error(`lost update: ${lost.token} over ${lost.over}, though its writer saw ${lost.seen}`);
    }
    const newVersions = store.replacements.length - before.versions;
    if (newVersions !== 1) throw new Error(`a round made ${newVersions} new versions`);
    const misled = answers.find(({ versionId }) => store.tokenOf(versionId) !== store.current());
    if (misled !== undefined)
      throw new Error(`a worker was told of ${misled.versionId}, which is not current`);
    const renewals = answers.filter(({ refreshed }) => refreshed).length;
    if (renewals !== 1) throw new Error(`${renewals} workers say that they renewed the token`);
    if (grants - before.grants > workers) throw new Error('a worker requested more than one token');
  }
  figures.calls += order.length;
  figures.grants += grants;
  figures.orders.add(`${workers} ${rounds.join()} ${fates.join()} ${order}`);
}
