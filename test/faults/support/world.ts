import { type EnsureAnswer, type EnsureEvent, type SweepAnswer } from '../../../core/tokens/token-refresh';
import { type TokenKey } from '../../../core/tokens/public-keys';
import { type VisibleText } from '../../support/canaries';
import { type Draw } from './draw';
import { type Where } from './fault-row';
import { type PlatformDouble } from './platform-double';

/** The situation in which every row begins, chosen by the seed. */
export interface Situation {
  action: 'ensure' | 'sweep';
  /** `old` is due but still served; `ending` is not served to callers of ensure. */
  stored: 'none' | 'old' | 'ending';
  tenantId: string;
  target: 'content api/read' | 'content api/write' | 'webhooks api/webhooks';
  /**
   * The prefix of the deployment's names. Over the wire only.
   * @default the usual one
   */
  prefix?: string;
}

/** Draws a situation. */
export function drawSituation(draw: Draw, fixed: Partial<Situation> = {}): Situation {
  return {
    action: draw.oneOf(['ensure', 'sweep']),
    stored: draw.oneOf(['none', 'old', 'ending']),
    tenantId: draw.oneOf(['eu-west-2_Acme', 'me-south-1_Quill', 'us-east-1_Zed']),
    target: draw.oneOf(['content api/read', 'content api/write', 'webhooks api/webhooks']),
    ...fixed,
  };
}

/** A version of the token secret. */
export interface Version {
  versionId: string;
  stages: readonly string[];
  secretString: string;
  /** By the platform's clock. */
  writtenAtMs: number;
}

/** A line of the function's log. */
export interface LogLine {
  level: string;
  message: string;
  code?: string;
  detail?: string;
}

/** A completed invocation of the function. */
export interface Invocation {
  answer: EnsureAnswer | SweepAnswer;
  elapsedMs: number;
}

/** One function, one platform, and one tenant with one token, for virtual and wire runs alike. */
export interface World {
  readonly where: Where;
  readonly platform: PlatformDouble;
  readonly key: TokenKey;
  readonly situation: Situation;
  /** The versions of the token secret when the row began. */
  readonly before: readonly Version[];
  /** The time of the function's clock. */
  nowMs(): number;
  /** Offsets the function's clock from the platform's, which is correct. */
  setClock(byMs: number): void;
  /** Makes the platform unreachable from now on. */
  takePlatformDown(): Promise<void>;
  /**
   * Invokes the function with the situation's action or another one.
   * @param remainingMs until Lambda's timeout; over the wire this is real time
   */
  invoke(
    action?: 'ensure' | 'sweep',
    remainingMs?: number,
    change?: Partial<EnsureEvent>,
  ): Promise<Invocation>;
  /** The current versions of the token secret, in the order they were written. */
  versions(): readonly Version[];
  log(): readonly LogLine[];
  /** Sums of the metrics by name, or by `name code` if the metric has a fault code. */
  metrics(): Readonly<Record<string, number>>;
  /** Everything visible. */
  visible(): readonly VisibleText[];
}
