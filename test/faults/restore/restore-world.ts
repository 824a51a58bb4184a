import { RESTORE_STATUSES } from '../../../contract/problem';
import { type Canary, findCanaries, type VisibleText } from '../../support/canaries';
import { type Where } from '../support/fault-row';
import { type PlatformFault } from './platform-fault';

/** The answer to the caller of the restore API. */
export interface Told {
  status: number;
  /** Undefined after success. */
  code: string | undefined;
  detail: string | undefined;
  retryAfter: string | undefined;
}

/** The restore function, its platform and one archived content, for virtual and wire runs alike. */
export interface RestoreWorld {
  readonly where: Where;
  /** Applies a fault to each of the next requests; later ones are restored as specified. */
  meet(...faults: PlatformFault[]): void;
  /** Sends one call to restore the content. */
  restore(): Promise<Told>;
  /** Requests for the content that the platform received completely. */
  posts(): number;
  /** Attempts to send such a request, as far as observable. */
  sends(): number;
  /** How often the platform restored the content. */
  timesRestored(): Promise<number>;
  /** Tokens issued since the world began. */
  grants(): Promise<number>;
  /** Sums of the last call's outcome metrics. */
  metrics(): Readonly<Record<string, number>>;
  /** Everything that must not be visible. */
  canaries(): readonly Canary[];
  /** Everything visible. */
  visible(): readonly VisibleText[];
}

/** Expected of one call, and of the platform since the world began. */
export interface Expected {
  status: number;
  code?: string;
  posts: number;
  /**
   * Maximum attempts to send.
   * @default posts, or 1 if the request cannot be sent
   */
  sends?: number;
  restored: number;
  /** @default 0 */
  grants?: number;
}

/**
 * The metrics that count an answer.
 * @see contract/metrics.ts
 */
function metricsOf(expected: Expected): Record<string, number> {
  const metric = metricOf(expected);
  const isReportedElsewhere = ['RestoreWithoutToken', 'RestoreNotOffered'].includes(metric);
  return { [metric]: 1, ...(isReportedElsewhere && { RestoreNotCounted: 1 }) };
}

function metricOf({ status, code }: Expected): string {
  if (code === undefined) return 'Restored';
  if (code === 'outcome_unknown') return 'RestoreOutcomeUnknown';
  if (code === 'token_unavailable') return 'RestoreWithoutToken';
  return status < 500 ? 'RestoreRefused' : 'RestoreFailed';
}

/**
 * Checks what every row of restores must satisfy: a documented answer, nothing sent again, one metric and no
 * visible secret.
 */
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
  expect(world.metrics()).toEqual(metricsOf(expected));
  expect(findCanaries(world.canaries(), world.visible())).toEqual([]);
}
