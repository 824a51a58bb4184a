import {
  InvalidParameterException,
  ResourceExistsException,
  type SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';

import {
  Account,
  AwsError,
  type Call,
  Input,
  type Principal,
  type Secret,
  type SecretRotator,
  SECRETS_MANAGER_OPERATIONS,
  type SecretVersion,
  withReplicas,
} from 'cdk-on-loopback/testing';
import { sha256Hex } from '../../../core/secrets/sha256';
import { type Clock } from '../../../lambdas/shared/ports';

const ACCOUNT_ID = '111122223333';
const REGION = 'eu-west-2';

/** For accounts in which no secret rotates. */
const NO_ROTATION: SecretRotator = {
  request: () => {
    throw new AwsError('InvalidRequestException', 'No Lambda rotation function ARN is associated.');
  },
  cancel: () => undefined,
  valuePut: () => undefined,
};

const READING = /^(BatchGet|Get|Describe|List)/;

export interface SentCommand {
  input: object;
}

/** A received command, including failed ones. */
export interface ArrivedCommand {
  /** AWS's name, such as `GetSecretValue`. */
  operation: string;
  /** The secret's name or ARN, as given in the command. */
  secretId: string;
  input: Readonly<Record<string, unknown>>;
}

export interface CommandFault {
  /** @default every operation */
  operation?: string;
  /** The affected secret's name. @default every secret */
  secret?: string;
  name: string;
  message?: string;
  /** Whether the command is executed, and only its acknowledgement gets lost. */
  isAfterEffect?: boolean;
  /** How many commands fail. @default 1 */
  times?: number;
}

/** Sends a command, in place of the SDK client's `send`. */
export type Send = (command: SentCommand) => Promise<object>;

/** The local host's Secrets Manager without the wire, on any clock. Adapters of the SDK work on it unchanged. */
export class SimulatedSecretsManager {
  readonly commands: ArrivedCommand[] = [];
  /** Faults to apply; a command takes the first that matches it, which counts as one use. */
  readonly faults: CommandFault[] = [];
  /** Called just before each write, to act as another writer. */
  meanwhile: (command: ArrivedCommand) => void = () => undefined;
  readonly account: Account;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #rotator: SecretRotator;
  readonly #administrator: Principal;

  /** @param account with existing secrets */
  constructor(
    clock: Pick<Clock, 'nowMs'>,
    rotator: SecretRotator = NO_ROTATION,
    account = new Account(ACCOUNT_ID, REGION),
  ) {
    this.#clock = clock;
    this.#rotator = rotator;
    this.account = account;
    const { accountId } = account;
    const arn = `arn:aws:iam::${accountId}:user/administrator`;
    this.#administrator = { kind: 'administrator', accountId, arn };
  }

  /** Creates a secret without versions, replacing one with the same name. */
  create(name: string, tags: Readonly<Record<string, string>> = {}): Secret {
    const arn = arnOf(name);
    const nowMs = this.#clock.nowMs();
    const secret = { arn, name, tags, createdAtMs: nowMs, lastChangedAtMs: nowMs, versions: new Map() };
    this.account.secrets.set(arn, secret);
    return secret;
  }

  /** Makes a value current as another writer would, without applying faults. */
  put(name: string, secretString: string, versionId = sha256Hex(secretString).slice(0, 32)): void {
    this.#answer('PutSecretValue', {
      SecretId: name,
      ClientRequestToken: versionId,
      SecretString: secretString,
    });
  }

  /** @param secretId its name or ARN */
  secret(secretId: string): Secret {
    const { secrets } = this.account;
    return (secrets.get(secretId) ?? secrets.named(secretId))!;
  }

  versionWith(name: string, label: string): SecretVersion | undefined {
    return [...this.secret(name).versions.values()].find(({ stages }) => stages.has(label));
  }

  commandsOf(operation: string): ArrivedCommand[] {
    return this.commands.filter((command) => command.operation === operation);
  }

  /**
   * Executes a command of the account's administrator.
   * @throws {SecretsManagerServiceException} as the SDK does
   */
  send: Send = (sent) => this.sendAs(this.#administrator, sent);

  /** Executes a command of anyone, with their permissions. @throws {SecretsManagerServiceException} */
  async sendAs(principal: Principal, sent: SentCommand, region = this.account.region): Promise<object> {
    const operation = sent.constructor.name.replace(/Command$/, '');
    const input = sent.input as ArrivedCommand['input'];
    if (region !== this.account.region) return this.#answer(operation, input, principal, region);
    const { SecretId, SecretIdList = [] } = input as { SecretId?: string; SecretIdList?: string[] };
    const command = { operation, secretId: SecretId ?? SecretIdList.join(' '), input };
    this.commands.push(command);
    if (!READING.test(operation)) this.meanwhile(command);
    const fault = this.#takeFault(command);
    if (fault === undefined) return this.#answer(operation, input, principal);
    if (fault.isAfterEffect === true) this.#answer(operation, input, principal);
    throw serviceException(fault.name, fault.message);
  }

  /** A batch takes the fault of one of its reads, too, without using it up. */
  #takeFault({ operation, secretId }: ArrivedCommand): CommandFault | undefined {
    const isBatch = operation === 'BatchGetSecretValue';
    const secretIds = secretId.split(' ');
    const fault = this.faults.find(
      ({ times = 1, secret, operation: failing = operation }) =>
        times > 0 &&
        (failing === operation || (isBatch && failing === 'GetSecretValue')) &&
        (secret === undefined || secretIds.includes(secret) || secretIds.includes(arnOf(secret))),
    );
    if (fault !== undefined && (!isBatch || fault.operation === operation))
      fault.times = (fault.times ?? 1) - 1;
    return fault;
  }

  #answer(
    operation: string,
    given: ArrivedCommand['input'],
    principal = this.#administrator,
    region = this.account.region,
  ): object {
    const account = this.account.inRegion(region);
    requireReachable(account, principal);
    // Operations on secrets and versions use no other fields of a call.
    const call = { account, rotator: this.#rotator, clock: this.#clock, principal } as Call;
    const { run, parameters } = SECRETS_MANAGER_OPERATIONS[operation]!;
    const input = new Input(given);
    try {
      input.refuseOtherThan(parameters);
      return withDates(withReplicas(call, () => run(input, call)));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      throw serviceException(error.code, error.message);
    }
  }
}

export function arnOf(name: string): string {
  return `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:${name}-AbCdEf`;
}

/** @throws {Error} as of a broken connection, if the region is cut off from the caller */
function requireReachable(account: Account, principal: Principal): void {
  const outage = account.home.outages.get(account.region);
  if (outage === undefined) return;
  const isFunction =
    principal.kind === 'role-session' &&
    [...account.functions.values()].some(({ roleArn }) => roleArn === principal.roleArn);
  if (isFunction && outage === 'go-on') return;
  throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
}

/** An exception as the SDK creates it from an answer. */
export function serviceException(name: string, message = 'simulated'): SecretsManagerServiceException {
  const shape = { message, $metadata: {} };
  if (name === 'ResourceExistsException') return new ResourceExistsException(shape);
  if (name === 'InvalidParameterException') return new InvalidParameterException(shape);
  return new SecretsManagerServiceException({ ...shape, name, $fault: 'client' });
}

/** A client for adapters. Sends every command through `send`, unless it was aborted before. */
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

/** Converts the seconds on the wire to dates, as the SDK does. */
function withDates<Answer extends object>(answer: Answer): Answer {
  const entries = Object.entries(answer).map(([name, value]: [string, unknown]) => {
    if (name.endsWith('Date') && typeof value === 'number') return [name, new Date(value * 1000)];
    if (!Array.isArray(value)) return [name, value];
    const items = value as unknown[];
    return [name, items.map((item) => (typeof item === 'object' && item !== null ? withDates(item) : item))];
  });
  return Object.fromEntries(entries) as Answer;
}
