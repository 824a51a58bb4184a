import { CANDIDATE_LABEL } from '../../core/secrets/credential-labels';
import { type ApiKeyValue } from '../../core/secrets/secret-values';
import { pickTenant } from '../choose-tenant';
import { type CommandContext } from '../command';
import { CommandError, usageError } from '../command-error';
import { tenantCommand } from '../command-text';
import { EXIT, type ExitCode } from '../exit-codes';
import { type ChosenTenant } from '../system';
import { ADMIN_SESSION_FIELDS, readFields } from './credential-input';
import { LabeledSecret } from './labeled-secret';
import { finishFirstLoad } from './first-load';
import { type KeyAnswer } from './key-answer';
import { clearEndedRotation } from './pending-version';
import { promoteAndReport } from './promote-and-report';
import { notProven, proveCredential } from './prove-credential';
import { type LoadFlags } from './put-credential';
import { requestApiKey } from './request-api-key';
import { requireNoneUnderWay } from './concurrent-load';
import { type StoredKey, storeGeneratedKey } from './store-generated-key';

const WHERE_TO_FIND = [
  'In a browser signed in as a site administrator, open the developer tools (F12), tab Network, and select any request to the platform.',
  'Copy two of its request headers: Authorization (the whole value, including Bearer) and X-Correlation-Id.',
];

/**
 * `latchkey api-key generate`: has the platform generate a permanent API key that replaces the old one.
 * The key is stored before anything is printed, and promoted only once the platform accepts it.
 * @throws {CommandError}
 */
export async function generateApiKey(context: CommandContext, flags: LoadFlags): Promise<ExitCode> {
  const { terminal } = context;
  const chosen = await pickTenant(context, flags);
  const baseUrl = chosen.deployment.issuing.platform.tenantServiceUrl;
  if (baseUrl === undefined) {
    throw usageError(
      'platform.tenantServiceUrl',
      'nothing',
      'the https address of the tenant service, in the configuration',
      // No flags: --profile is not validated yet.
      'To load a key that was generated elsewhere: `latchkey api-key put`',
    );
  }
  const secret = new LabeledSecret(chosen, 'api-key', terminal.interrupted);
  // Everything that can fail without a key is checked before one is generated.
  const stateBefore = await secret.describe();
  await requireNoneUnderWay(context, secret, stateBefore, flags);

  const value = await generate(context, chosen, baseUrl);
  const stored = await storeGeneratedKey(context, secret, stateBefore, value);
  await requireAccepted(context, secret, value, stored);
  const isFirst = stateBefore.versionWith.AWSCURRENT === undefined && (await makeCurrent(secret, stored));
  if (!isFirst) return promoteAndReport(context, secret, flags);
  const uninterrupted = secret.uninterrupted();
  await uninterrupted.moveLabel(CANDIDATE_LABEL, { from: stored.versionId });
  await clearEndedRotation(context, uninterrupted, stateBefore);
  return finishFirstLoad(context, secret, stored.versionId);
}

/** Tests a stored key. @throws {CommandError} that says where the key is, if the platform does not accept it */
async function requireAccepted(
  context: CommandContext,
  secret: LabeledSecret,
  value: ApiKeyValue,
  { versionId, isCurrent }: StoredKey,
): Promise<void> {
  const { chosen } = secret;
  const whereItIs = isCurrent
    ? `The new key is stored as version ${versionId}, and is current because it is the first. If it does not work within a few minutes, generate another one: ${tenantCommand(chosen, 'api-key generate')}`
    : `The new key is staged; the current one is unchanged. To retry: ${tenantCommand(chosen, 'credentials rotate', 'api-key')}`;
  const outcome = await proveCredential(context, chosen, { kind: 'api-key', value }).catch(
    (error: unknown) => {
      if (!context.terminal.interrupted.aborted) throw error;
      throw new CommandError(EXIT.interrupted, 'interrupted', 'interrupted before the new key was tested', {
        cause: error,
        advice: whereItIs,
      });
    },
  );
  if (outcome.kind !== 'proven') throw notProven(secret, outcome, whereItIs);
}

/** Makes the first key of a secret current. @returns false if someone has loaded another key, so that this one needs a rotation */
async function makeCurrent(secret: LabeledSecret, { versionId, isCurrent }: StoredKey): Promise<boolean> {
  // Secrets Manager makes the first version of a secret current, but a rotation without a candidate may have created one before.
  if (isCurrent) return true;
  return (await secret.uninterrupted().moveLabel('AWSCURRENT', { to: versionId })) === 'moved';
}

/** Requests a key. Keeps the session's values in no variable. */
async function generate(
  context: CommandContext,
  chosen: ChosenTenant,
  baseUrl: string,
): Promise<ApiKeyValue> {
  const { terminal } = context;
  if (terminal.isInteractive) for (const line of WHERE_TO_FIND) terminal.say(line);
  const answer = await requestApiKey(
    chosen.system.sendRequest,
    baseUrl,
    await readFields(terminal, ADMIN_SESSION_FIELDS),
    terminal.interrupted,
  );
  if (answer.kind === 'generated') return answer.value;
  throw notGenerated(chosen, answer);
}

function notGenerated(chosen: ChosenTenant, answer: Exclude<KeyAnswer, { kind: 'generated' }>): CommandError {
  const { exit, code, says, advice } = NOT_GENERATED[answer.kind];
  return new CommandError(EXIT[exit], code, `${says}: ${answer.reason}`, {
    advice: `${advice}: ${tenantCommand(chosen, 'api-key generate')}`,
  });
}

const NOT_GENERATED = {
  refused: {
    exit: 'refused',
    code: 'session_refused',
    says: 'the tenant service refused the session',
    advice:
      'Only site administrators can generate keys, and sessions expire. Sign in again, copy both values, then',
  },
  failed: {
    exit: 'failed',
    code: 'not_generated',
    says: 'the tenant service generated no key',
    advice: 'Check platform.tenantServiceUrl in the configuration, then',
  },
  unavailable: {
    exit: 'unavailable',
    code: 'tenant_service_unavailable',
    says: 'the tenant service is unavailable',
    advice: 'No key was generated. Try again later',
  },
  unknown: {
    exit: 'outcomeUnknown',
    code: 'generation_unknown',
    says: 'the request was sent, but it is unknown whether a key was generated',
    advice:
      'Keys cannot be listed. If one was generated, nobody has seen it, so it is harmless; the current key still works. ' +
      'The request is not retried. Check that the tenant service works, then generate another key',
  },
} as const;
