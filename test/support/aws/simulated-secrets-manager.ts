import {
  InvalidParameterException,
  ResourceExistsException,
  type SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';

import { Account, type Secret, type SecretVersion } from '../../../local/account';
import { AwsError } from '../../../local/aws/aws-error';
import { Input } from '../../../local/aws/input';
import { type Call } from '../../../local/aws/operation';
import { SECRETS_MANAGER_OPERATIONS } from '../../../local/aws/secrets-manager/secrets-manager-service';
import { type SecretRotator } from '../../../local/interfaces';
import { sha256Hex } from '../../../contract/sha256';
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

const READING = /^(Get|Describe|List)/;

/** What a client of the SDK is asked to do. */
export interface SentCommand {
  input: object;
}

/** A command that arrived, also one that failed. */
export interface ArrivedCommand {
  /** As AWS names it, such as `GetSecretValue`. */
  operation: string;
  /** The secret's name or ARN, as the command has it. */
  secretId: string;
  input: Readonly<Record<string, unknown>>;
}

/** How coming commands fail. */
export interface CommandFault {
  /** Every operation unless one is named. */
  operation?: string;
  /** Name of the secret; every secret unless one is named. */
  secret?: string;
  /** Name of the exception. */
  name: string;
  message?: string;
  /** The command is done, and only its acknowledgement is lost. */
  isAfterEffect?: boolean;
  /** How many commands fail; one unless told. */
  times?: number;
}

/** How commands go out; stands where the SDK's client stands. */
export type Send = (command: SentCommand) => Promise<object>;

/** The project's own Secrets Manager without the wire, on a clock of choice: all that adapters of the SDK do works on it. */
export class SimulatedSecretsManager {
  /** Every command, in the order of arrival. */
  readonly commands: ArrivedCommand[] = [];
  /** What goes wrong; the first fault that fits a command is used up by it. */
  readonly faults: CommandFault[] = [];
  /** What somebody else does just before a write. */
  meanwhile: (command: ArrivedCommand) => void = () => undefined;
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

  /** Makes a secret that has no version yet, in place of one of that name. */
  create(name: string, tags: Readonly<Record<string, string>> = {}): Secret {
    const arn = arnOf(name);
    const nowMs = this.#clock.nowMs();
    const secret = { arn, name, tags, createdAtMs: nowMs, lastChangedAtMs: nowMs, versions: new Map() };
    this.account.secrets.set(arn, secret);
    this.writesMs.set(name, []);
    return secret;
  }

  /** Makes a value current as someone outside of the product does, whom no fault meets. */
  put(name: string, secretString: string, versionId = sha256Hex(secretString).slice(0, 32)): void {
    this.#run('PutSecretValue', {
      SecretId: name,
      ClientRequestToken: versionId,
      SecretString: secretString,
    });
  }

  /** The secret of that name or ARN. */
  secret(secretId: string): Secret {
    const { secrets } = this.account;
    const known = secrets.get(secretId) ?? secrets.get(arnOf(secretId));
    return known ?? [...secrets.values()].find(({ name }) => name === secretId)!;
  }

  /** Every version with that label: one, or none. */
  versionWith(name: string, label: string): SecretVersion | undefined {
    return [...this.secret(name).versions.values()].find(({ stages }) => stages.has(label));
  }

  /** The commands of one operation. */
  commandsOf(operation: string): ArrivedCommand[] {
    return this.commands.filter((command) => command.operation === operation);
  }

  /** Does what a command says. @throws {SecretsManagerServiceException} as the SDK does */
  send: Send = async (sent) => {
    const { input } = sent;
    const operation = sent.constructor.name.replace(/Command$/, '');
    const { SecretId: secretId } = input as { SecretId: string };
    const command = { operation, secretId, input: input as ArrivedCommand['input'] };
    this.commands.push(command);
    if (!READING.test(operation)) this.meanwhile(command);
    const fault = this.#takeFault(command);
    if (fault === undefined) return this.#run(operation, command.input);
    if (fault.isAfterEffect === true) this.#run(operation, command.input);
    throw serviceException(fault.name, fault.message);
  };

  #takeFault({ operation, secretId }: ArrivedCommand): CommandFault | undefined {
    const fault = this.faults.find(
      (each) =>
        (each.times ?? 1) > 0 &&
        (each.operation ?? operation) === operation &&
        (each.secret === undefined || [each.secret, arnOf(each.secret)].includes(secretId)),
    );
    if (fault !== undefined) fault.times = (fault.times ?? 1) - 1;
    return fault;
  }

  #run(operation: string, given: ArrivedCommand['input']): object {
    const { SecretId, ClientRequestToken } = given as { SecretId: string; ClientRequestToken?: string };
    const secret = this.secret(SecretId);
    const isNew = ClientRequestToken !== undefined && secret?.versions.has(ClientRequestToken) === false;
    // By ARN a secret is found at once, among hundreds too.
    const answer = this.#answer(operation, new Input({ ...given, SecretId: secret?.arn ?? SecretId }));
    if (isNew) this.writesMs.get(secret.name)?.push(this.#clock.nowMs());
    return answer;
  }

  #answer(operation: string, input: Input): object {
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

/** The ARN of a secret of that name. */
export function arnOf(name: string): string {
  return `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:${name}-AbCdEf`;
}

/** An exception as the SDK makes it of an answer. */
export function serviceException(name: string, message = 'simulated'): SecretsManagerServiceException {
  const shape = { message, $metadata: {} };
  if (name === 'ResourceExistsException') return new ResourceExistsException(shape);
  if (name === 'InvalidParameterException') return new InvalidParameterException(shape);
  return new SecretsManagerServiceException({ ...shape, name, $fault: 'client' });
}

/** The client for adapters, whose every command goes out through `send`, unless it was aborted before. */
export function clientOf(send: Send): SecretsManagerClient {
  const sendUnlessAborted = async (command: SentCommand, options?: { abortSignal?: AbortSignal }) => {
    options?.abortSignal?.throwIfAborted();
    return send(command);
  };
  return {
    send: sendUnlessAborted,
    config: { systemClockOffset: 0 },
  } as unknown as SecretsManagerClient;
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
