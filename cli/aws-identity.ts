import { SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';

import { unlessAborted } from '../client/waits';
import { denialsIn, meaningOfAwsError } from '../core/calls/aws-errors';
import { type ChosenProfile, requireProfile } from './aws-profile';
import { CommandError } from './command-error';
import { EXIT } from './exit-codes';

/** Time to get credentials. It does not limit how long a person looks for an MFA code. */
const SIGN_IN_TIMEOUT_MS = 20_000;

/** Asks a person for the code that an MFA device shows. @throws {CommandError} usage, if there is nobody to ask */
export type AskMfaCode = (serial: string) => Promise<string>;

type ClientConfig = Pick<
  SecretsManagerClientConfig,
  'credentials' | 'endpoint' | 'region' | 'systemClockOffset'
> & {
  /** Settings of the SDK's handler, such as the agents of a proxy. */
  readonly requestHandler?: Record<string, unknown>;
};
type Credentials = SecretsManagerClient['config']['credentials'];

/** The AWS identity of the command: one per profile, for the SDK clients of all services and regions. */
export class AwsIdentity {
  /** For SDK clients. The values stay in memory, and are renewed before they expire. */
  readonly credentials: Credentials;
  readonly #profile: ChosenProfile | undefined;
  #profileCheck: Promise<void> | undefined;
  #hasAsked = false;

  /**
   * @param config how to reach AWS; with `credentials`, the SDK does not look for any
   * @param profile where the SDK finds credentials, if not in its usual places
   */
  constructor(config: ClientConfig, profile: ChosenProfile | undefined, askMfaCode: AskMfaCode) {
    this.#profile = config.credentials === undefined ? profile : undefined;
    const mfaCodeProvider = (serial: string) => {
      this.#hasAsked = true;
      return askMfaCode(serial);
    };
    // For a profile with role_arn and mfa_serial, the SDK asks mfaCodeProvider. It caches the credentials, and concurrent calls
    // share one question.
    const settings = { ...config, profile: profile?.name, mfaCodeProvider };
    this.credentials = new SecretsManagerClient(settings).config.credentials;
  }

  /**
   * Gets credentials, if there are none yet or they expire. Called before each AWS call, so that a call does not time out while
   * a person looks for an MFA code.
   * @throws {CommandError} if there is no such profile, or AWS refuses a role or a code; whatever the SDK throws, if there are no
   *   credentials
   */
  async signIn(interrupted: AbortSignal): Promise<void> {
    if (this.#profile !== undefined) await (this.#profileCheck ??= requireProfile(this.#profile));
    const timeout = AbortSignal.timeout(SIGN_IN_TIMEOUT_MS);
    const credentials = this.credentials();
    try {
      await unlessAborted(credentials, AbortSignal.any([interrupted, timeout])).catch((error: unknown) => {
        // A person who was asked for a code may take longer.
        if (!timeout.aborted || !this.#hasAsked) throw error;
        return unlessAborted(credentials, interrupted);
      });
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  }
}

/**
 * The error to show: a CommandError as it is, or the one for a role that AWS did not let the caller assume. Undefined for others.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_roles.html
 */
function refusalOf(error: unknown): CommandError | undefined {
  if (error instanceof CommandError) return error;
  const { name = '', message = '' } = (error ?? {}) as Partial<Error>;
  if (name !== 'AccessDenied' && meaningOfAwsError(name) !== 'access_denied') return undefined;
  if (message.includes('MultiFactorAuthentication failed')) {
    return new CommandError(EXIT.refused, 'mfa_refused', 'sts:AssumeRole failed: AWS refused the MFA code', {
      cause: error,
      advice:
        'Each code counts once: wait for the next one. ' +
        'If that fails, check mfa_serial of the profile: the device must be your own.',
    });
  }
  const roleArn = denialsIn(message).find(({ action }) => action === 'sts:AssumeRole')?.resource;
  if (roleArn === undefined) return undefined;
  const statement = { Effect: 'Allow', Action: 'sts:AssumeRole', Resource: roleArn };
  return new CommandError(
    EXIT.refused,
    'role_denied',
    `sts:AssumeRole on ${roleArn} was denied: you are not allowed to assume this role`,
    {
      cause: error,
      advice:
        `Your own policies must allow it: ${JSON.stringify(statement)}\n` +
        'The role’s trust policy must name you or your account, and its conditions must hold. ' +
        'If it requires MFA or an external id, set mfa_serial or external_id of the profile. ' +
        'To see who you are: `aws sts get-caller-identity`',
    },
  );
}
