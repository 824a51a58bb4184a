import { type PlatformAddresses } from '../deployment/deployment-file';
import { type Place, placeFlags } from './place-flags';
import { type CredentialKind } from '../secrets/secret-names';
import { deploymentStackName, tenantStackName } from '../deployment/stack-names';

/**
 * The commands that fix findings of one deployment or tenant, ready to copy.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/drift-aware-change-sets.html (`--revert-drift`, and
 *   "External tag keys": those that the template lacks stay)
 */
export interface FixCommands {
  /** Loads another credential. */
  load(kind: CredentialKind): string;
  /** Retries the rotation to the candidate. */
  rotate(kind: CredentialKind): string;
  /** Applies the fixes of all findings. */
  fix(): string;
  /** Renews overdue tokens, or says why that fails. */
  doctor(): string;
  /** Inspects again. */
  status(): string;
  /** Deploys the deployment and its tenants. */
  deploy(): string;
  /**
   * Deploys the tenant's stack and the deployment's, on which it depends. Recreates what was deleted by hand and reverts what was
   * changed, which a plain deploy does not notice. The tags that record proven keys stay.
   */
  revertTenant(): string;
  /** Does the same for the deployment's stack alone. */
  revertDeployment(): string;
}

/**
 * @param flags that select the system, such as `--local`; may be empty
 */
export function fixCommands(
  { prefix, platform }: { prefix: string; platform: PlatformAddresses },
  place: Place,
  flags: string,
): FixCommands {
  const inPlace = (command: string, options = '') =>
    [command, placeFlags(place), options, flags].filter((part) => part !== '').join(' ');
  const deploymentStack = deploymentStackName(prefix, place);
  const tenantStack =
    place.tenantId === undefined ? deploymentStack : tenantStackName(prefix, place, place.tenantId);
  return {
    load: (kind) => inPlace(loadCommand(kind, platform)),
    rotate: (kind) => inPlace('latchkey credentials rotate', `--kind ${kind}`),
    fix: () => inPlace('latchkey doctor --fix'),
    doctor: () => inPlace('latchkey doctor'),
    status: () => inPlace('latchkey status'),
    deploy: () => `npx cdk deploy '${deploymentStack}*'`,
    revertTenant: () => `npx cdk deploy ${tenantStack} --revert-drift`,
    revertDeployment: () => `npx cdk deploy ${deploymentStack} --revert-drift`,
  };
}

/** The command that loads another credential, without flags. With a tenant service, API keys are generated. */
export function loadCommand(
  kind: CredentialKind,
  { tenantServiceUrl }: Pick<PlatformAddresses, 'tenantServiceUrl'>,
): string {
  if (kind === 'client-credentials') return 'latchkey credentials put';
  return tenantServiceUrl === undefined ? 'latchkey api-key put' : 'latchkey api-key generate';
}

/**
 * Adds the flags that select the system to each command in backquotes, so that it can be copied.
 * @param flags such as `--local`; may be empty
 */
export function addFlags(text: string, flags: string): string {
  if (flags === '') return text;
  return text.replace(/`(latchkey [^`]+)`/g, (_, command: string) => `\`${command} ${flags}\``);
}
