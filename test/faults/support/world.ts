import { type EnsureAnswer, type SweepAnswer } from '../../../core/tokens/token-refresh';
import { type Draw } from './draw';

/** The situation in which every row begins, chosen by the seed. */
export interface Situation {
  action: 'ensure' | 'sweep';
  /** `old` is due but still served; `ending` is not served to callers of ensure. */
  stored: 'none' | 'old' | 'ending';
  tenantId: string;
  target: 'content api/read' | 'content api/write' | 'webhooks api/webhooks';
  /**
   * The prefix of the deployment's names.
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
