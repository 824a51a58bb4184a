import { type DeploymentSnapshot } from '../deployment/deployment-snapshot';
import { type FindingDetails, type RuleContext } from './finding';

/** The finding for a platform that does not offer restore as configured, or refuses to be asked; empty if all is well. */
export function restoreFindings(
  { deployment, restore }: Pick<DeploymentSnapshot, 'deployment' | 'restore'>,
  { commands }: RuleContext,
): FindingDetails[] {
  if (restore === undefined) return [];
  const { available, method, path } = deployment.restore;
  if (available && restore.availability === 'absent') {
    return [
      {
        kind: 'restore_absent',
        severity: 'critical',
        message: `The platform does not offer restore as ${method} ${path}: ${restore.reason}.`,
        meaning: 'Every restore fails with 501 and modifies nothing, or, if it is redirected, with 500.',
        repair: {
          remedy:
            'Set restore.method and restore.path in the configuration as the platform documents them, or restore.available to false',
          command: commands.deploy(),
        },
      },
    ];
  }
  if (available && restore.availability === 'refused') {
    return [
      {
        kind: 'restore_refused',
        severity: 'warning',
        message: `The platform refuses a stored token that has not expired: asked for restore, ${restore.reason}.`,
        meaning: 'Services that read the token get 401. The next restore requests a new token.',
        repair: {
          remedy: 'Replace the tenant’s tokens with docs/runbook/credentials.md#callers-get-401',
        },
      },
    ];
  }
  if (!available && restore.availability === 'offered') {
    return [
      {
        kind: 'restore_offered',
        severity: 'warning',
        message: `The platform offers restore as ${method} ${path}, but restore.available is false.`,
        meaning: 'The restore API answers every request with 501.',
        repair: {
          remedy: 'Set restore.available to true in the configuration',
          command: commands.deploy(),
        },
      },
    ];
  }
  return [];
}
