import { type EnsureAnswer, type SweepAnswer } from '../../../core/tokens/token-refresh';

/** The situation in which a test begins. */
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

/** The situations in which each fault happens. */
export const SITUATIONS = [
  { action: 'sweep', stored: 'none', tenantId: 'eu-west-2_Acme', target: 'content api/read' },
  { action: 'ensure', stored: 'ending', tenantId: 'us-east-1_Zed', target: 'webhooks api/webhooks' },
  { action: 'ensure', stored: 'old', tenantId: 'me-south-1_Quill', target: 'content api/write' },
] as const satisfies Situation[];

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
