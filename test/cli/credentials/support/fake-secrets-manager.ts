import {
  DescribeSecretCommand,
  InvalidParameterException,
  InvalidRequestException,
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  RotateSecretCommand,
  SecretsManagerServiceException,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';

import { type RotatingSecret } from './rotating-secret';

type Operation =
  'DescribeSecret' | 'ListSecretVersionIds' | 'PutSecretValue' | 'UpdateSecretVersionStage' | 'RotateSecret';

/** A call that fails, before or after it had its effect. */
export interface Fault {
  operation: Operation;
  name: string;
  isAfterEffect?: boolean;
  times?: number;
}

const METADATA = { $metadata: {} };

/** Secrets Manager's client, over secrets in memory with AWS's rules for labels. */
export class FakeSecretsManager {
  readonly secrets = new Map<string, RotatingSecret>();
  readonly calls: Operation[] = [];
  /** What the SDK has learned of AWS's clock. */
  readonly config = { systemClockOffset: 0 };
  readonly faults: Fault[] = [];
  /** Called before each call: what somebody else does just then. */
  before: (operation: Operation) => void = () => {};

  async send(command: unknown, options: { abortSignal?: AbortSignal } = {}): Promise<unknown> {
    options.abortSignal?.throwIfAborted();
    const operation = (command as object).constructor.name.replace('Command', '') as Operation;
    this.before(operation);
    this.calls.push(operation);
    const fault = this.faults.find((each) => each.operation === operation && (each.times ?? 1) > 0);
    if (fault !== undefined) fault.times = (fault.times ?? 1) - 1;
    if (fault !== undefined && fault.isAfterEffect !== true) throw failure(fault.name);
    const answer = this.#answer(command);
    if (fault !== undefined) throw failure(fault.name);
    return answer;
  }

  #answer(command: unknown): unknown {
    const secret = this.secrets.get((command as { input: { SecretId: string } }).input.SecretId);
    if (secret === undefined) throw new ResourceNotFoundException({ message: 'canary of AWS', ...METADATA });
    if (command instanceof DescribeSecretCommand) return describe(secret);
    if (command instanceof ListSecretVersionIdsCommand) return listVersions(secret, command);
    if (command instanceof PutSecretValueCommand) return put(secret, command);
    if (command instanceof UpdateSecretVersionStageCommand) return moveLabel(secret, command);
    if (command instanceof RotateSecretCommand) return rotate(secret, command);
    throw new Error('no such operation');
  }
}

function failure(name: string): Error {
  return new SecretsManagerServiceException({ name, $fault: 'server', message: 'text of AWS', ...METADATA });
}

function describe(secret: RotatingSecret) {
  const labelled = [...secret.versions].filter(([, { labels }]) => labels.size > 0);
  return {
    ARN: secret.arn,
    RotationEnabled: secret.isRotated,
    DeletedDate: secret.deletedAt,
    VersionIdsToStages: Object.fromEntries(labelled.map(([id, { labels }]) => [id, [...labels]])),
  };
}

/** Pages of one version. @see API_ListSecretVersionIds */
function listVersions(secret: RotatingSecret, { input }: ListSecretVersionIdsCommand) {
  const at = Number(input.NextToken ?? 0);
  const page = [...secret.versions].slice(at, at + 1);
  const Versions = page.map(([id, { createdAtMs, labels }]) => ({
    VersionId: id,
    VersionStages: [...labels],
    CreatedDate: new Date(createdAtMs),
  }));
  return { Versions, ...(at + 1 < secret.versions.size && { NextToken: String(at + 1) }) };
}

/** @see API_PutSecretValue */
function put(secret: RotatingSecret, { input }: PutSecretValueCommand) {
  const versionId = input.ClientRequestToken!;
  const existing = secret.versions.get(versionId);
  if (existing === undefined) secret.add(versionId, input.SecretString, input.VersionStages!);
  else if (existing.value !== input.SecretString) {
    throw new ResourceExistsException({ message: 'taken', ...METADATA });
  }
  return { VersionId: versionId, VersionStages: [...secret.versions.get(versionId)!.labels] };
}

/** @see API_UpdateSecretVersionStage */
function moveLabel(secret: RotatingSecret, { input }: UpdateSecretVersionStageCommand) {
  const { VersionStage, RemoveFromVersionId, MoveToVersionId } = input;
  if (!secret.compareAndMove(VersionStage!, RemoveFromVersionId, MoveToVersionId)) {
    throw new InvalidParameterException({ message: 'the label is elsewhere', ...METADATA });
  }
  return {};
}

function rotate(secret: RotatingSecret, { input }: RotateSecretCommand) {
  if (!secret.rotate(input.ClientRequestToken!)) {
    throw new InvalidRequestException({ message: "A previous rotation isn't complete.", ...METADATA });
  }
  return { VersionId: input.ClientRequestToken };
}
