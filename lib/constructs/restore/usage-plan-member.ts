import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';

import { type TenantKey } from '../../../contract/token-key';
import { usageKey } from '../../../contract/usage-key';

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
