import { type Throttle } from './throttling';

/** Identifies a client to API Gateway. The value may also be a credential. */
export interface ApiKey {
  id: string;
  value: string;
  isEnabled: boolean;
}

export type QuotaPeriod = 'DAY' | 'WEEK' | 'MONTH';

export interface Quota {
  /** Requests per key and period. */
  limit: number;
  period: QuotaPeriod;
}

/** Limits how much each of its keys may send to its stages in total. */
export interface UsagePlan {
  id: string;
  stages: readonly { apiId: string; stageName: string }[];
  throttle?: Throttle;
  quota?: Quota;
  /** Ids of the plan's API keys. */
  keyIds: Set<string>;
}

/** The account's API keys and usage plans, by id. */
export class UsagePlans {
  readonly keys = new Map<string, ApiKey>();
  readonly plans = new Map<string, UsagePlan>();

  /** The enabled key with this value and its one plan for the stage; undefined if either does not exist. */
  find(
    value: string | undefined,
    apiId: string,
    stageName: string,
  ): { key: ApiKey; plan: UsagePlan } | undefined {
    const key = [...this.keys.values()].find((each) => each.value === value && each.isEnabled);
    if (!key) return undefined;
    const plan = [...this.plans.values()].find(
      ({ keyIds, stages }) => keyIds.has(key.id) && hasStage(stages, apiId, stageName),
    );
    return plan && { key, plan };
  }
}

/** Whether a plan includes a stage. */
export function hasStage(stages: UsagePlan['stages'], apiId: string, stageName: string): boolean {
  return stages.some((stage) => stage.apiId === apiId && stage.stageName === stageName);
}
