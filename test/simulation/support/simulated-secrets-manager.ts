import {
  InvalidParameterException,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';

import { Account, type Secret } from '../../../local/account';
import { AwsError } from '../../../local/aws/aws-error';
import { Input } from '../../../local/aws/input';
import { type Call } from '../../../local/aws/operation';
import { SECRETS_MANAGER_OPERATIONS } from '../../../local/aws/secrets-manager';
import { type SecretRotator } from '../../../local/ports';
import { sha256Hex } from '../../../lambdas/shared/domain/digest';
import { type Clock } from '../../../lambdas/shared/ports';

const ACCOUNT_ID = '111122223333';
const REGION = 'eu-west-2';

/** Of an account in which no secret is rotated. */
const NO_ROTATION: SecretRotator = {
  request: () => {
    throw new AwsError('InvalidRequestException', 'No Lambda rotation function ARN is associated.');
  },
  cancel: () => undefined,
  valuePut: () => undefined,
};

/** What a client of the SDK is asked to do. */
export interface SentCommand {
  input: object;
}

/** How commands go out; stands where the SDK's client stands. */
export type Send = (command: SentCommand) => Promise<object>;

/** The project's own Secrets Manager without the wire, on a clock of choice: all that adapters of the SDK do works on it. */
export class SimulatedSecretsManager {
  /** What was done, by the names of the operations. */
  readonly done: string[] = [];
  /** When versions were added, in ms, by the secrets' names. */
  readonly writesMs = new Map<string, number[]>();
  readonly account: Account;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #rotator: SecretRotator;

  /**
   * @param rotatorOf what rotates the secrets of the account
   * @param account one that has secrets already
   */
  constructor(
    clock: Pick<Clock, 'nowMs'>,
    rotatorOf: (account: Account) => SecretRotator = () => NO_ROTATION,
    account = new Account(ACCOUNT_ID, REGION),
  ) {
    this.#clock = clock;
    this.account = account;
    this.#rotator = rotatorOf(this.account);
  }

  /** Makes a secret that has no version yet. */
  create(name: string, tags: Readonly<Record<string, string>> = {}): void {
    const arn = `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:${name}-AbCdEf`;
    const nowMs = this.#clock.nowMs();
    const secret = { arn, name, tags, createdAtMs: nowMs, lastChangedAtMs: nowMs, versions: new Map() };
    this.account.secrets.set(arn, secret);
    this.writesMs.set(name, []);
  }

  /** Writes a value as someone outside of the functions does. */
  async put(name: string, secretString: string): Promise<void> {
    const digest = sha256Hex(secretString).slice(0, 32);
    const input = { SecretId: name, ClientRequestToken: digest, SecretString: secretString };
    await this.send(new PutSecretValueCommand(input));
  }

  /** The secret of that name or ARN. */
  secret(secretId: string): Secret {
    const { secrets } = this.account;
    return secrets.get(secretId) ?? [...secrets.values()].find(({ name }) => name === secretId)!;
  }

  /** Does what a command says. @throws {SecretsManagerServiceException} as the SDK does */
  send: Send = async (command) => {
    const operation = command.constructor.name.replace(/Command$/, '');
    this.done.push(operation);
    const { SecretId, ClientRequestToken } = command.input as {
      SecretId: string;
      ClientRequestToken?: string;
    };
    const secret = this.secret(SecretId);
    const isNew = ClientRequestToken !== undefined && secret?.versions.has(ClientRequestToken) === false;
    const answer = this.#run(operation, new Input({ ...command.input }));
    if (isNew) this.writesMs.get(secret.name)?.push(this.#clock.nowMs());
    return answer;
  };

  #run(operation: string, input: Input): object {
    const { accountId } = this.account;
    const arn = `arn:aws:iam::${accountId}:user/administrator`;
    const principal = { kind: 'administrator', accountId, arn } as const;
    // Operations on secrets and their versions use nothing else of a call.
    const call = { account: this.account, rotator: this.#rotator, clock: this.#clock, principal } as Call;
    const { run, parameters } = SECRETS_MANAGER_OPERATIONS[operation]!;
    try {
      input.refuseOtherThan(parameters);
      return withDates(run(input, call));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      throw serviceException(error.code, error.message);
    }
  }
}

/** An exception as the SDK makes it of an answer. */
export function serviceException(name: string, message = 'simulated'): SecretsManagerServiceException {
  const shape = { message, $metadata: {} };
  if (name === 'ResourceExistsException') return new ResourceExistsException(shape);
  if (name === 'InvalidParameterException') return new InvalidParameterException(shape);
  return new SecretsManagerServiceException({ ...shape, name, $fault: 'client' });
}

/** The client for adapters, whose every command goes out through `send`. */
export function clientOf(send: Send): SecretsManagerClient {
  return { send, config: { systemClockOffset: 0 } } as unknown as SecretsManagerClient;
}

/** Times are seconds on the wire, and dates in what the SDK makes of it. */
function withDates<Answer extends object>(answer: Answer): Answer {
  const entries = Object.entries(answer).map(([name, value]: [string, unknown]) => {
    if (name.endsWith('Date') && typeof value === 'number') return [name, new Date(value * 1000)];
    if (!Array.isArray(value)) return [name, value];
    const items = value as unknown[];
    return [name, items.map((item) => (typeof item === 'object' && item !== null ? withDates(item) : item))];
  });
  return Object.fromEntries(entries) as Answer;
}
