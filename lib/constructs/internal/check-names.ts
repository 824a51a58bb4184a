import { TENANT_ID } from '../../../core/deployment/platform';
import { wrongDeploymentFields, wrongTokenFields } from '../../../core/tokens/key-check';
import { type DeploymentKey, type TokenKey } from '../../../core/tokens/token-key';
import { issueLine } from '../../options/configuration-issue';
import { ConfigurationError } from '../../options/configuration-error';
import { prefixOption } from '../../options/schema';
import { TENANT_ID_RULE } from '../../options/tenant-settings';

/**
 * Checks the names in a reference to a deployment or token. A wrong name finds nothing; a wildcard would grant more than one token.
 * @param source the construct, for error messages
 * @param token if the reference is to a token
 * @throws {ConfigurationError} lists every fault
 */
export function checkNames(source: string, key: DeploymentKey, prefix: string, token?: TokenKey): void {
  const lines: string[] = [];
  const report = (field: string, found: unknown, allowed: string) =>
    lines.push(issueLine({ path: [field], found, allowed }));
  for (const { field, allowed } of wrongDeploymentFields(key))
    report(field, key[field as keyof DeploymentKey], allowed);
  const { error } = prefixOption.safeParse(prefix);
  if (error !== undefined) report('prefix', prefix, error.issues[0]!.message);
  if (token !== undefined) {
    if (!TENANT_ID.test(token.tenantId)) report('tenantId', token.tenantId, TENANT_ID_RULE);
    for (const { field, allowed } of wrongTokenFields(token)) report(field, token[field], allowed);
  }
  if (lines.length > 0) throw new ConfigurationError(source, lines);
}
