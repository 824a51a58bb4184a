import { SecretsManagerServiceException } from '@aws-sdk/client-secrets-manager';

import { tokenSecretName } from '../../../contract/secret-names';
import { type TokenKey } from '../../../contract/token-key';
import { storeErrorOf } from '../../../lambdas/shared/adapters/secrets-manager-error';
import { type StoreError } from '../../../lambdas/shared/domain/store-error';
import { type TokenVersion } from '../../../lambdas/shared/ports';
import { arnOf, InMemoryTokenStore } from '../../support/lambdas/in-memory-token-store';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import {
  type CallFailure,
  type StoreOperation,
  type StoreRight,
  type StoreUnderTest,
  type WireFailure,
} from './store-under-test';

/** What the SDK makes of a wire's failure, and whether the call was done all the same. */
const WIRE_ERRORS: Record<WireFailure, { name: string; isDone: boolean }> = {
  'request lost': { name: 'TimeoutError', isDone: false },
  'request swallowed': { name: 'AbortError', isDone: false },
  'answer lost': { name: 'TimeoutError', isDone: true },
  'answer held back': { name: 'AbortError', isDone: true },
  'connection refused': { name: 'Error', isDone: false },
};

/** The fake that other tests rely on. Its failures are those that the real store makes of AWS's answers. */
export class InMemoryStoreUnderTest implements StoreUnderTest {
  readonly store: InMemoryTokenStore;
  #nowMs = NOON_MS;

  constructor() {
    this.store = new InMemoryTokenStore({ nowMs: () => this.#nowMs });
  }

  static async open(this: void): Promise<StoreUnderTest> {
    return new InMemoryStoreUnderTest();
  }

  anotherStore(): InMemoryTokenStore {
    return this.store;
  }

  createSecret(): void {}

  async deleteSecret(key: TokenKey): Promise<void> {
    this.store.setState(key, 'deleted');
  }

  async scheduleDeletion(key: TokenKey): Promise<void> {
    this.store.setState(key, 'scheduled for deletion');
  }

  async restoreSecret(key: TokenKey): Promise<void> {
    this.store.setState(key, 'kept');
  }

  arnOf(key: TokenKey): string {
    return arnOf(key);
  }

  async putByHand(...version: Parameters<InMemoryTokenStore['putValue']>): Promise<void> {
    this.store.putValue(...version);
  }

  async moveByHand(key: TokenKey, label: string, versionId: string): Promise<void> {
    this.store.moveLabel(key, versionId, label);
  }

  async labels(key: TokenKey): Promise<Record<string, string[]>> {
    const versions = this.store.versions(key);
    return Object.fromEntries(versions.map(({ versionId, labels }) => [versionId, labels.sort()]));
  }

  async valueOf(key: TokenKey, versionId: string): Promise<string | Uint8Array | undefined> {
    return this.store.versions(key).find((version) => version.versionId === versionId)?.value;
  }

  async readPrevious(key: TokenKey): Promise<TokenVersion | undefined> {
    return this.store.version(key, 'AWSPREVIOUS');
  }

  passTime(ms: number): void {
    this.#nowMs += ms;
  }

  deny(key: TokenKey, right: StoreRight): void {
    const [service, operation] = right.split(':') as [string, string];
    const resource = service === 'kms' ? 'arn:aws:kms:eu-west-1:111111111111:key/0000' : arnOf(key);
    const call = { Decrypt: 'GetSecretValue', GenerateDataKey: 'PutSecretValue' }[operation] ?? operation;
    const text = `User: somebody is not authorized to perform: ${right} on resource: ${resource} because of canary`;
    this.#fail(key, call as StoreOperation, exceptionNamed('AccessDeniedException', text));
  }

  async failNext(key: TokenKey, operation: StoreOperation, failure: CallFailure): Promise<void> {
    if (typeof failure === 'object') {
      this.#fail(key, operation, exceptionNamed(failure.exception));
    } else {
      const { name, isDone } = WIRE_ERRORS[failure];
      this.#fail(key, operation, Object.assign(new Error('canary'), { name }), isDone);
    }
  }

  async close(): Promise<void> {}

  #fail(key: TokenKey, operation: StoreOperation, thrown: Error, isDone = false): void {
    const action = `secretsmanager:${operation}`;
    const failed = (secretId: string): StoreError => storeErrorOf(thrown, action, secretId);
    if (operation === 'PutSecretValue') {
      this.store.writeFaults.push({ error: failed(arnOf(key)), lost: isDone });
    } else {
      this.store.readFaults.push(failed(tokenSecretName('latchkey', key)));
    }
  }
}

function exceptionNamed(name: string, message = 'canary'): SecretsManagerServiceException {
  return new SecretsManagerServiceException({ name, message, $fault: 'client', $metadata: {} });
}
