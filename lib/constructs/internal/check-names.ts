import {
  ENVIRONMENTS,
  narrowTokenType,
  PLATFORM_REGIONS,
  TENANT_ID,
  type Environment,
  type PlatformRegion,
} from '../../../core/deployment/platform';
import { type TokenKey } from '../../../core/tokens/token-key';
import { issueLine } from '../../options/configuration-issue';
import { ConfigurationError } from '../../options/load';
import { configurationSchema } from '../../options/schema';
import { TENANT_ID_RULE } from '../../options/tenant-settings';

interface DeploymentNames {
  readonly environment: Environment;
  readonly platformRegion: PlatformRegion;
  readonly prefix: string;
}

/**
 * Checks what a reference is found by. A wrong name finds nothing, and a wildcard would grant more than one token.
 * @param place the construct, for error messages
 * @param token also one of its tokens
 * @throws {ConfigurationError} lists every fault
 */
export function checkNames(place: string, names: DeploymentNames, token?: TokenKey): void {
  const { environment, platformRegion, prefix } = names;
  const lines: string[] = [];
  const need = (isAllowed: boolean, field: string, found: unknown, allowed: string) => {
    if (!isAllowed) lines.push(issueLine({ path: [field], found, allowed }));
  };
  need(ENVIRONMENTS.includes(environment), 'environment', environment, ENVIRONMENTS.join(', '));
  need(
    PLATFORM_REGIONS.includes(platformRegion),
    'platformRegion',
    platformRegion,
    PLATFORM_REGIONS.join(', '),
  );
  const { error } = configurationSchema.shape.prefix.safeParse(prefix);
  need(error === undefined, 'prefix', prefix, error?.issues[0]?.message ?? '');
  if (token !== undefined) {
    need(TENANT_ID.test(token.tenantId), 'tenantId', token.tenantId, TENANT_ID_RULE);
    const narrowed = narrowTokenType(token.interface, token.scope);
    if ('wrong' in narrowed) need(false, narrowed.wrong, token[narrowed.wrong], narrowed.allowed.join(', '));
  }
  if (lines.length > 0) throw new ConfigurationError(place, lines);
}
