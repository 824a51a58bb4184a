import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';

import { type TenantKey } from '../../../contract/token-key';
import { usageKey } from '../../../contract/usage-key';

/** What each tenant may send. At least one of them. */
export interface RestoreUsagePlanSettings {
  /** Requests per second. @default that of the stage, where there is a burst limit */
  readonly rateLimit?: number;
  /** Requests at once above the rate. @default that of the stage, where there is a rate limit */
  readonly burstLimit?: number;
  /** @default as many as it likes */
  readonly quota?: { readonly limit: number; readonly period: 'day' | 'week' | 'month' };
}

export interface RestoreUsagePlanProps extends RestoreUsagePlanSettings {
  readonly description: string;
  readonly api: apigateway.RestApi;
  /** What the stage admits of all tenants together. */
  readonly stageLimits: { readonly rateLimit: number; readonly burstLimit: number };
}

/**
 * The plan of a stage, in which each tenant has a key. Both limits or none: with one alone, the other would be API Gateway's to choose.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-api-usage-plans.html
 */
export function createRestoreUsagePlan(
  scope: Construct,
  { description, api, stageLimits, rateLimit, burstLimit, quota }: RestoreUsagePlanProps,
): apigateway.UsagePlan {
  const isThrottled = rateLimit !== undefined || burstLimit !== undefined;
  return new apigateway.UsagePlan(scope, 'UsagePlan', {
    description,
    apiStages: [{ api, stage: api.deploymentStage }],
    ...(isThrottled && {
      throttle: {
        rateLimit: rateLimit ?? stageLimits.rateLimit,
        burstLimit: burstLimit ?? stageLimits.burstLimit,
      },
    }),
    ...(quota && { quota: { limit: quota.limit, period: PERIODS[quota.period] } }),
  });
}

const PERIODS = {
  day: apigateway.Period.DAY,
  week: apigateway.Period.WEEK,
  month: apigateway.Period.MONTH,
};

export interface UsagePlanMemberProps {
  readonly prefix: string;
  readonly tenant: TenantKey;
  readonly usagePlanId: string;
}

/** A tenant's part in the usage plan of its deployment: the key that the authorizer names for it. */
export class UsagePlanMember extends Construct {
  constructor(scope: Construct, id: string, { prefix, tenant, usagePlanId }: UsagePlanMemberProps) {
    super(scope, id);
    const key = new apigateway.CfnApiKey(this, 'Key', {
      description: `Counts the restores of ${tenant.tenantId}: an identifier, not a credential`,
      enabled: true,
      value: usageKey(prefix, tenant),
    });
    new apigateway.CfnUsagePlanKey(this, 'Membership', {
      keyId: key.ref,
      keyType: 'API_KEY',
      usagePlanId,
    });
  }
}
