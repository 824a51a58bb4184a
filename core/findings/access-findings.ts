import { type SecretFailure } from '../deployment/deployment-snapshot';
import { type FindingDetails, type RuleContext } from './finding';

/**
 * The finding for a secret that could not be inspected.
 * @param name what the secret holds, such as `API key`
 */
export function accessFinding(
  { secretId, ...failure }: SecretFailure & { secretId: string },
  name: string,
  { commands, isDeployed }: RuleContext,
): FindingDetails {
  switch (failure.access) {
    case 'missing':
      return {
        kind: 'secret_missing',
        severity: 'critical',
        message: `The secret ${secretId} for the ${name} does not exist.`,
        meaning: 'Nothing can be stored or read until its stack is deployed.',
        repair: { command: isDeployed ? commands.revertTenant() : commands.deploy() },
      };
    case 'scheduled_for_deletion':
      return {
        kind: 'secret_scheduled_for_deletion',
        severity: 'critical',
        message: `The secret ${secretId} for the ${name} is scheduled for deletion.`,
        meaning: 'It cannot be read, and is lost for good when the recovery window ends.',
        repair: { command: commands.fix(), fix: { action: 'restore_secret', secretId } },
      };
    case 'denied':
      return {
        kind: 'missing_grant',
        severity: 'critical',
        message: `credential-watch is not allowed to ${failure.action} on ${failure.resource}.`,
        meaning: `Nobody is warned about the ${name}, and other functions may lack the same permission.`,
        repair: {
          ...(failure.action.startsWith('kms:') && {
            remedy:
              'If the key is disabled, have an administrator of the account enable it. If the deployment had it before kmsKeyArn, add it to formerKmsKeyArns and deploy. Otherwise:',
          }),
          // The grants of functions and keys are in the deployment's stack.
          command: commands.revertDeployment(),
        },
      };
    case 'unavailable':
      return {
        kind: 'not_inspected',
        severity: 'warning',
        message: `The secret ${secretId} for the ${name} could not be inspected: ${failure.reason}.`,
        meaning: 'Its state is unknown, and callers may fail to read it too.',
        repair: {
          remedy:
            'Wait a minute, then look again. If it stays, see store_unavailable in docs/runbook/alarms.md#tokens-cannot-be-renewed',
          command: commands.status(),
        },
      };
  }
}
