import { Stack, type StackProps } from 'aws-cdk-lib';
import { type Construct } from 'constructs';

import { tenantKeyOf } from '../../core/tokens/token-key';
import { type TenantConfiguration } from '../options/schema';
import { type Latchkey } from '../constructs/latchkey';
import { LatchkeyTenant } from '../constructs/latchkey-tenant';
import { addTenantOutputs } from './stack-outputs';

export interface TenantStackProps extends StackProps {
  readonly latchkey: Latchkey;
  readonly tenant: TenantConfiguration;
}

/** The stack of one tenant: separate, so that a tenant can be added and removed alone. */
export class TenantStack extends Stack {
  readonly tenant: LatchkeyTenant;

  constructor(scope: Construct, id: string, { latchkey, tenant, ...props }: TenantStackProps) {
    super(scope, id, props);
    const { tenantId, adopt } = tenant;
    this.tenant = new LatchkeyTenant(this, 'Default', { latchkey, tenantId });
    if (adopt.clientCredentials === undefined)
      addTenantOutputs(this, tenantKeyOf(latchkey.settings.file, tenantId));
  }
}
