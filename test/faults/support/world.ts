import { type createTokenSource } from '../../../client';
import { type EnsureAnswer, type EnsureEvent, type SweepAnswer } from '../../../contract/token-refresh';
import { type TokenKey } from '../../../contract/token-key';
import { type VisibleText } from '../../support/canaries';
import { type Draw } from './draw';
import { type Where } from './fault-row';
import { type PlatformDouble } from './platform-double';

/** What a row starts from, as far as the seed chooses it for every row. */
export interface Situation {
  action: 'ensure' | 'sweep';
  /** `old` is due but serves, `ending` serves no caller of ensure any more. */
  stored: 'none' | 'old' | 'ending';
  tenantId: string;
  target: 'content api/read' | 'content api/write' | 'webhooks api/webhooks';
}

/** A situation of the seed's choice. */
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

/** One invocation of the function, ended. */
export interface Invocation {
  answer: EnsureAnswer | SweepAnswer;
  elapsedMs: number;
}

/** One function, one platform, one tenant with one token: the same to rows wherever they run. */
export interface World {
  readonly where: Where;
  readonly platform: PlatformDouble;
  readonly key: TokenKey;
  readonly situation: Situation;
  /** The versions of the token secret when the row began. */
  readonly before: readonly Version[];
  /** What makes the token sources of callers. */
  readonly createSource: typeof createTokenSource;
  /** The function's wall clock. */
  nowMs(): number;
  /** Sets the function's wall clock against the platform's, which is right. */
  setClock(byMs: number): void;
  /** From now on nobody answers at the platform's address. */
  takePlatformDown(): Promise<void>;
  /**
   * Invokes the function with the situation's action, or another one.
   * @param remainingMs until Lambda would end the invocation; over the wire mind that this time passes
   */
  invoke(
    action?: 'ensure' | 'sweep',
    remainingMs?: number,
    change?: Partial<EnsureEvent>,
  ): Promise<Invocation>;
  /** The versions of the token secret now, in the order in which they were written. */
  versions(): readonly Version[];
  log(): readonly LogLine[];
  /** Sums of the metrics, by name, or `name code` where a metric carries the class of a fault. */
  metrics(): Readonly<Record<string, number>>;
  /** Everything that somebody may see. */
  visible(): readonly VisibleText[];
}
