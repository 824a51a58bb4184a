import { type CredentialKind } from '../../contract/secret-names';
import { type TenantKey } from '../../contract/token-key';

/** Commands that an operator can run as they are. */
export interface Advice {
  /** Gets a new credential, stages it and rotates. */
  stage: string;
  /** Rotates to what is staged. */
  rotate: string;
}

/** The commands for a tenant's credential. */
export function adviceFor(tenant: TenantKey, kind: CredentialKind): Advice {
  const { environment, platformRegion, tenantId } = tenant;
  const target = `--environment ${environment} --platform-region ${platformRegion} --tenant ${tenantId}`;
  const stage = kind === 'api-key' ? 'api-key generate' : 'credentials put';
  return {
    stage: `latchkey ${stage} ${target}`,
    rotate: `latchkey credentials rotate --kind ${kind} ${target}`,
  };
}
