import { type Throttle } from './throttling';

/** What tells API Gateway which client calls. The value is an identifier, and may be a credential. */
export interface ApiKey {
  id: string;
  value: string;
  isEnabled: boolean;
}

export type QuotaPeriod = 'DAY' | 'WEEK' | 'MONTH';

export interface Quota {
  /** Requests of one key in a period. */
  limit: number;
  period: QuotaPeriod;
}

/** What each key of a plan may send to the stages of the plan, taken together. */
export interface UsagePlan {
  id: string;
  stages: readonly { apiId: string; stageName: string }[];
  throttle?: Throttle;
  quota?: Quota;
  /** Ids of API keys. */
  keyIds: Set<string>;
}

/** The API keys and usage plans of the account and region, by id. */
export class UsagePlans {
  readonly keys = new Map<string, ApiKey>();
  readonly plans = new Map<string, UsagePlan>();

  /** The enabled key of this value, and its plan for a stage; undefined where there is not both. A key has one plan for a stage. */
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

/** Whether a stage is among those of a plan. */
export function hasStage(stages: UsagePlan['stages'], apiId: string, stageName: string): boolean {
  return stages.some((stage) => stage.apiId === apiId && stage.stageName === stageName);
}
