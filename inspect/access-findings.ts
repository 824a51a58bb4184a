import { type SecretFailure } from '../contract/deployment-snapshot';
import { type Found, type RuleContext } from './finding';

/**
 * The finding about a secret that could not be inspected.
 * @param name what the secret holds, such as `API key`
 */
export function accessFinding(
  { secretId, ...failure }: SecretFailure & { secretId: string },
  name: string,
  { commands }: RuleContext,
): Found {
  switch (failure.access) {
    case 'missing':
      return {
        kind: 'secret_missing',
        severity: 'critical',
        message: `There is no secret ${secretId} for the ${name}.`,
        meaning: 'Nothing can be stored or read until the stack that makes it is deployed.',
        repair: { command: commands.deploy() },
      };
    case 'scheduled_for_deletion':
      return {
        kind: 'secret_scheduled_for_deletion',
        severity: 'critical',
        message: `The secret ${secretId} of the ${name} is scheduled for deletion.`,
        meaning: 'It cannot be read any more, and will be gone for good when the time has run out.',
        repair: { command: commands.restoreSecret(secretId) },
      };
    case 'denied':
      return {
        kind: 'missing_grant',
        severity: 'critical',
        message: `credential-watch may not ${failure.action} on ${failure.resource}.`,
        meaning: `Nobody is warned about the ${name}, and other functions may lack the same right.`,
        repair: { command: commands.deploy() },
      };
    case 'unavailable':
      return {
        kind: 'not_inspected',
        severity: 'warning',
        message: `The secret ${secretId} of the ${name} could not be looked at: ${failure.reason}.`,
        meaning: 'Nothing is known of it; those who read it may fail too.',
        repair: { command: commands.status() },
      };
  }
}
