import { userInfo } from 'node:os';

import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';

import { unlessAborted } from '../client/waits';
import { denialsIn, meaningOfAwsError } from '../contract/aws-errors';
import { CommandError } from './command-error';
import { EXIT } from './exit-codes';

/** Time to get credentials, without that in which a person looks for an MFA code. */
const SIGN_IN_TIMEOUT_MS = 20_000;

/** A role to assume, as a deployment's configuration names it. */
export interface AssumedRole {
  readonly roleArn?: string | undefined;
  readonly mfaSerial?: string | undefined;
  readonly externalId?: string | undefined;
}

/** Asks a person for the code that an MFA device shows. @throws {CommandError} usage, if there is nobody to ask */
export type AskMfaCode = (serial: string) => Promise<string>;

type ClientConfig = Pick<
  SecretsManagerClientConfig,
  'credentials' | 'endpoint' | 'profile' | 'region' | 'systemClockOffset'
> & {
  /** Settings of the SDK's handler, such as the agents of a proxy. */
  readonly requestHandler?: Record<string, unknown>;
};
type Credentials = SecretsManagerClient['config']['credentials'];

/** As whom the command calls AWS: one per profile and role, for the SDK clients of all services and regions. */
export class AwsIdentity {
  /** For SDK clients. The values stay in memory, and are renewed before they expire. */
  readonly credentials: Credentials;
  #hasAsked = false;

  /** @param config how to reach AWS, and where its credentials come from: by default the SDK's own places */
  constructor(config: ClientConfig, role: AssumedRole, askMfaCode: AskMfaCode) {
    const ask = (serial: string) => {
      this.#hasAsked = true;
      return askMfaCode(serial);
    };
    const own = credentialsOf({ ...config, mfaCodeProvider: ask });
    const { roleArn } = role;
    this.credentials =
      roleArn === undefined
        ? own
        : credentialsOf({
            ...config,
            credentials: () => assume({ ...role, roleArn }, { ...config, credentials: own }, ask),
          });
  }

  /**
   * Gets credentials, if there are none yet or they expire. Before a call, whose time limit must not end while a person looks
   * for an MFA code.
   * @throws {CommandError} if AWS refuses a role or a code; whatever the SDK throws, if there are no credentials
   */
  async signIn(interrupted: AbortSignal): Promise<void> {
    const limit = AbortSignal.timeout(SIGN_IN_TIMEOUT_MS);
    const credentials = this.credentials();
    try {
      await unlessAborted(credentials, AbortSignal.any([interrupted, limit])).catch((error: unknown) => {
        if (!limit.aborted || !this.#hasAsked) throw error;
        return unlessAborted(credentials, interrupted);
      });
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  }
}

/** A provider that remembers what it got, and asks once for all who wait. The SDK makes one of each client's settings. */
function credentialsOf(config: ClientConfig & { mfaCodeProvider?: AskMfaCode }): Credentials {
  // The client hands the code's provider on to its default credentials, for a profile with role_arn and mfa_serial.
  return new SecretsManagerClient(config).config.credentials;
}

/** @see https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
async function assume(
  { roleArn, mfaSerial, externalId }: AssumedRole & { roleArn: string },
  config: ClientConfig,
  askMfaCode: AskMfaCode,
) {
  const timeouts = { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true };
  const requestHandler = { ...config.requestHandler, ...timeouts };
  const sts = new STSClient({ ...config, requestHandler, maxAttempts: 5 });
  const TokenCode = mfaSerial === undefined ? undefined : await askMfaCode(mfaSerial);
  try {
    const { Credentials: issued } = await sts.send(
      new AssumeRoleCommand({
        RoleArn: roleArn,
        RoleSessionName: sessionName(),
        ExternalId: externalId,
        SerialNumber: mfaSerial,
        TokenCode,
      }),
    );
    return {
      accessKeyId: issued!.AccessKeyId!,
      secretAccessKey: issued!.SecretAccessKey!,
      sessionToken: issued!.SessionToken!,
      expiration: issued!.Expiration!,
    };
  } catch (error) {
    throw refusalOf(error, { roleArn, mfaSerial }) ?? error;
  }
}

/** The session's name in CloudTrail, which says who works in the role. */
function sessionName(): string {
  return `latchkey-${userName()}`.replace(/[^\w+=,.@-]+/g, '-').slice(0, 64);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no entry in the list of users.
    return 'unknown';
  }
}

/**
 * What to say if AWS refused to let the caller assume a role; undefined for any other error.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_roles.html
 */
function refusalOf(error: unknown, role: AssumedRole = {}): CommandError | undefined {
  if (error instanceof CommandError) return error;
  const { name = '', message = '' } = (error ?? {}) as Partial<Error>;
  if (name !== 'AccessDenied' && meaningOfAwsError(name) !== 'access_denied') return undefined;
  if (message.includes('MultiFactorAuthentication failed')) {
    return new CommandError(EXIT.refused, 'mfa_refused', 'sts:AssumeRole failed: AWS refused the MFA code', {
      cause: error,
      advice: `Each code counts once: wait for the next one. ${
        role.mfaSerial === undefined
          ? 'If that fails, check mfa_serial of the profile: the device must be your own.'
          : 'If that fails, check mfaSerial in the configuration: the device must be your own.'
      }`,
    });
  }
  const { roleArn = denialsIn(message).find(({ action }) => action === 'sts:AssumeRole')?.resource } = role;
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
        'If it requires MFA or an external id, set mfaSerial or externalId in the configuration. ' +
        'To see who you are: `aws sts get-caller-identity`',
    },
  );
}
