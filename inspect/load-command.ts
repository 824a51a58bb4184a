import { type PlatformAddresses } from '../contract/deployment-file';
import { type CredentialKind } from '../contract/secret-names';

/** The command, without its flags, that gets another credential of that kind: a key is generated where there is a tenant service. */
export function loadCommand(
  kind: CredentialKind,
  { tenantServiceUrl }: Pick<PlatformAddresses, 'tenantServiceUrl'>,
): string {
  if (kind === 'client-credentials') return 'latchkey credentials put';
  return tenantServiceUrl === undefined ? 'latchkey api-key put' : 'latchkey api-key generate';
}
