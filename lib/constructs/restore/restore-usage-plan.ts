import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';

import { type TenantKey } from '../../../core/tokens/token-key';
import { usageKey } from '../../../core/deployment/usage-key';
import { type CheckedOptions } from '../../options/schema';

export interface RestoreUsagePlanProps extends NonNullable<CheckedOptions['restoreApi']['usagePlan']> {
  readonly description: string;
  readonly api: apigateway.RestApi;
  /** Limits of the stage, for all tenants together. */
  readonly stageLimits: { readonly rateLimit: number; readonly burstLimit: number };
}

/**
 * The usage plan of a stage, in which each tenant has a key. It sets both limits or none, because API Gateway would choose
 * a missing one.
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

/** Adds a tenant to the usage plan of its deployment, with the key that the authorizer returns for it. */
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
