import { RESTORE_STATUSES } from '../../../contract/problem';
import { type Canary, findCanaries, type VisibleText } from '../../support/canaries';
import { type Where } from '../support/fault-row';
import { type PlatformFault } from './platform-fault';

/** What the caller of the restore API is told. */
export interface Told {
  status: number;
  /** Undefined for success. */
  code: string | undefined;
  detail: string | undefined;
  retryAfter: string | undefined;
}

/** The restore function, its platform, and one archived content: the same wherever a row runs. */
export interface RestoreWorld {
  readonly where: Where;
  /** What the next requests meet, one each; those that come after it are restored as the specification says. */
  meet(...faults: PlatformFault[]): void;
  /** Asks once for the content to be restored. */
  restore(): Promise<Told>;
  /** Requests for the content that reached the platform whole. */
  posts(): number;
  /** How often somebody began to send one, as far as that can be seen. */
  sends(): number;
  /** How often the platform has restored the content. */
  timesRestored(): Promise<number>;
  /** Tokens that were minted since the world began. */
  grants(): Promise<number>;
  /** Sums of the metrics of the last call that say what its answer was. */
  metrics(): Readonly<Record<string, number>>;
  /** Everything that may be seen nowhere. */
  canaries(): readonly Canary[];
  /** Everything that somebody may see. */
  visible(): readonly VisibleText[];
}

/** What is expected of a call, and of the platform ever since the world began. */
export interface Expected {
  status: number;
  code?: string;
  posts: number;
  /** Requests that were begun, at most. @default posts, or the one that cannot be sent */
  sends?: number;
  restored: number;
  /** @default 0 */
  grants?: number;
}

/** The metric of each answer, by its code. @see contract/metrics.ts */
function metricOf({ status, code }: Expected): string {
  if (code === undefined) return 'Restored';
  if (code === 'outcome_unknown') return 'RestoreOutcomeUnknown';
  if (code === 'token_unavailable') return 'RestoreWithoutToken';
  return status < 500 ? 'RestoreRefused' : 'RestoreFailed';
}

/** The common set of the rows of restores: documented status, nothing sent again, one metric, no secret anywhere. */
export async function expectTold(world: RestoreWorld, told: Told, expected: Expected): Promise<void> {
  const { status, code, posts, sends = Math.max(posts, 1), restored, grants = 0 } = expected;
  expect(told).toMatchObject({ status, code });
  expect(RESTORE_STATUSES).toContain(told.status);
  expect({
    posts: world.posts(),
    restored: await world.timesRestored(),
    grants: await world.grants(),
  }).toEqual({ posts, restored, grants });
  expect(world.sends()).toBeLessThanOrEqual(sends);
  expect(world.metrics()).toEqual({ [metricOf(expected)]: 1 });
  expect(findCanaries(world.canaries(), world.visible())).toEqual([]);
}
