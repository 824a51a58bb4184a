import {
  DeleteSecretCommand,
  GetSecretValueCommand,
  paginateListSecretVersionIds,
  PutSecretValueCommand,
  RestoreSecretCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';

import { tokenSecretName } from '../../../contract/secret-names';
import { type TokenKey } from '../../../contract/token-key';
import { SecretsManagerTokenReader } from '../../../lambdas/shared/adapters/secrets-manager-token-reader';
import { SecretsManagerTokenStore } from '../../../lambdas/shared/adapters/secrets-manager-token-store';
import { type TokenStore, type TokenVersion } from '../../../lambdas/shared/ports';
import { type AccessKey } from '../../../local/iam/credentials';
import { KEY_ARN, LocalAws, REGION } from '../../local/aws/local-account';
import { signedFetch } from '../../local/aws/signed-fetch';
import { arnOf } from '../../support/lambdas/in-memory-token-store';
import { KEY } from '../../support/lambdas/token-functions';
import {
  type CallFailure,
  type StoreOperation,
  type StoreRight,
  type StoreUnderTest,
} from './store-under-test';
import { UnreliableWire } from './unreliable-wire';

const PREFIX = 'latchkey';

/** The real store, with the SDK's own client, over a wire to the local Secrets Manager. What is done by hand goes by the side of it. */
export class SecretsManagerStoreUnderTest implements StoreUnderTest {
  readonly #aws: LocalAws;
  readonly #wire: UnreliableWire;
  #role: AccessKey;
  #denied: StoreRight | undefined;
  readonly #clients: SecretsManagerClient[] = [];
  #ours: SecretsManagerClient | undefined;
  #operators: SecretsManagerClient | undefined;

  private constructor(aws: LocalAws, wire: UnreliableWire) {
    this.#aws = aws;
    this.#wire = wire;
    this.#role = aws.roleKey(...statementsWithout(this.#denied));
    this.createSecret(KEY);
  }

  static async open(this: void): Promise<StoreUnderTest> {
    const aws = new LocalAws();
    await aws.start();
    const wire = new UnreliableWire(Number(new URL(aws.url).port));
    await wire.open();
    return new SecretsManagerStoreUnderTest(aws, wire);
  }

  get store(): TokenStore {
    return new SecretsManagerTokenStore(this.#client(), PREFIX);
  }

  anotherStore(): TokenStore {
    return new SecretsManagerTokenStore(this.#newClient(), PREFIX);
  }

  createSecret(key: TokenKey): void {
    this.#aws.addSecret(nameOf(key), { arn: arnOf(key), kmsKeyArn: KEY_ARN });
  }

  async deleteSecret(key: TokenKey): Promise<void> {
    const command = new DeleteSecretCommand({ SecretId: arnOf(key), ForceDeleteWithoutRecovery: true });
    await this.#operator().send(command);
  }

  async scheduleDeletion(key: TokenKey): Promise<void> {
    await this.#operator().send(new DeleteSecretCommand({ SecretId: arnOf(key) }));
  }

  async restoreSecret(key: TokenKey): Promise<void> {
    await this.#operator().send(new RestoreSecretCommand({ SecretId: arnOf(key) }));
  }

  arnOf(key: TokenKey): string {
    return arnOf(key);
  }

  async putByHand(
    key: TokenKey,
    versionId: string,
    value: string | Uint8Array,
    labels?: readonly string[],
  ): Promise<void> {
    await this.#operator().send(
      new PutSecretValueCommand({
        SecretId: arnOf(key),
        ClientRequestToken: versionId,
        VersionStages: labels && [...labels],
        ...(typeof value === 'string' ? { SecretString: value } : { SecretBinary: value }),
      }),
    );
  }

  async moveByHand(key: TokenKey, label: string, versionId: string): Promise<void> {
    const labels = Object.entries(await this.labels(key));
    const holder = labels.find(([, attached]) => attached.includes(label))?.[0];
    await this.#operator().send(
      new UpdateSecretVersionStageCommand({
        SecretId: arnOf(key),
        VersionStage: label,
        RemoveFromVersionId: holder,
        MoveToVersionId: versionId,
      }),
    );
  }

  async labels(key: TokenKey): Promise<Record<string, string[]>> {
    const labels: Record<string, string[]> = {};
    const pages = paginateListSecretVersionIds(
      { client: this.#operator() },
      { SecretId: arnOf(key), IncludeDeprecated: true },
    );
    for await (const { Versions = [] } of pages) {
      for (const { VersionId, VersionStages = [] } of Versions) labels[VersionId!] = VersionStages.sort();
    }
    return labels;
  }

  async valueOf(key: TokenKey, versionId: string): Promise<string | Uint8Array | undefined> {
    const command = new GetSecretValueCommand({ SecretId: arnOf(key), VersionId: versionId });
    const { SecretString, SecretBinary } = await this.#operator().send(command);
    return SecretString ?? SecretBinary;
  }

  readPrevious(key: TokenKey): Promise<TokenVersion | undefined> {
    return new SecretsManagerTokenReader(this.#client(), PREFIX).read(key, 'AWSPREVIOUS');
  }

  passTime(ms: number): void {
    this.#aws.clock.advanceMs(ms);
    // Keys expire, and clients sign with the time at which they were made.
    this.#role = this.#aws.roleKey(...statementsWithout(this.#denied));
    this.#ours = undefined;
    this.#operators = undefined;
  }

  deny(_: TokenKey, right: StoreRight): void {
    this.#denied = right;
    this.#aws.roleKey(...statementsWithout(right));
  }

  async failNext(key: TokenKey, operation: StoreOperation, failure: CallFailure): Promise<void> {
    if (failure === 'connection refused') return this.#wire.close();
    if (typeof failure === 'string') return this.#wire.failNext(failure);
    const fault = { service: 'secretsmanager', operation, error: failure.exception, times: 1 };
    await this.#control('faults', { ...fault, match: { secretId: nameOf(key) } });
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.destroy();
    await this.#wire.close();
    await this.#aws.stop();
  }

  async #control(name: string, body: object): Promise<void> {
    const { administrator, clock, url } = this.#aws;
    const { offsetMs } = clock;
    // The request is signed with the real time.
    clock.offsetMs = 0;
    const given = { body: JSON.stringify(body) };
    const answer = await signedFetch(`${url}/_local/${name}`, administrator, 'latchkey-local', given);
    clock.offsetMs = offsetMs;
    if (!answer.ok) throw new Error(`the local endpoint answered ${answer.status}`);
  }

  #operator(): SecretsManagerClient {
    return (this.#operators ??= this.#aws.secretsManager());
  }

  #client(): SecretsManagerClient {
    return (this.#ours ??= this.#newClient());
  }

  #newClient(): SecretsManagerClient {
    const client = new SecretsManagerClient({
      endpoint: this.#wire.url,
      region: REGION,
      credentials: this.#role,
      maxAttempts: 1,
      systemClockOffset: this.#aws.clock.offsetMs,
    });
    this.#clients.push(client);
    return client;
  }
}

/**
 * The rights of a store but for one. They are on all secrets: with rights on existing ones only, AWS denies a read of one
 * that doesn't exist, so as not to tell.
 */
function statementsWithout(denied: StoreRight | undefined) {
  const rights: [StoreRight, string][] = [
    ['secretsmanager:GetSecretValue', '*'],
    ['secretsmanager:DescribeSecret', '*'],
    ['secretsmanager:PutSecretValue', '*'],
    ['kms:Decrypt', KEY_ARN],
    ['kms:GenerateDataKey', KEY_ARN],
  ];
  return rights
    .filter(([right]) => right !== denied)
    .map(([Action, Resource]) => ({ Effect: 'Allow' as const, Action, Resource }));
}

function nameOf(key: TokenKey): string {
  return tokenSecretName(PREFIX, key);
}
