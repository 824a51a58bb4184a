import { type DeploymentFile } from '../../contract/deployment-file';
import { type CredentialKind } from '../../contract/secret-names';
import { loadCommand } from '../../inspect/fix-commands';

/** Commands that an operator can run as they are. */
export interface Advice {
  /** Gets a new credential, stages it and rotates. */
  stage: string;
  /** Rotates to what is staged. */
  rotate: string;
}

/** The commands for a tenant's credential. */
export function adviceFor(deployment: DeploymentFile, tenantId: string, kind: CredentialKind): Advice {
  const { environment, platformRegion, platform } = deployment;
  const flags = `--environment ${environment} --platform-region ${platformRegion} --tenant ${tenantId}`;
  return {
    stage: `${loadCommand(kind, platform)} ${flags}`,
    rotate: `latchkey credentials rotate --kind ${kind} ${flags}`,
  };
}
