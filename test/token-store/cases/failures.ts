import { tokenSecretName } from '../../../contract/secret-names';
import { type StoreFailure } from '../../../lambdas/shared/domain/store-error';
import { KEY } from '../../support/lambdas/token-functions';
import {
  failureOf,
  nothingSeen,
  type StoreOperation,
  type StoreRight,
  type StoreUnderTest,
  tokenNamed,
  write,
} from '../support/store-under-test';

const [A, B] = [tokenNamed('a'), tokenNamed('b')];
const NAME = tokenSecretName('latchkey', KEY);
/** What AWS's own message says in either store: it might hold anything, so nothing of it is repeated. */
const TEXT_OF_AWS = /canary|injected/;

/** How a store fails: typed, with the action and the resource, and with nothing half done. */
export function failureCases(sut: () => StoreUnderTest): void {
  const read = () => sut().store.read(KEY);
  const countVersions = async () => Object.keys(await sut().labels(KEY)).length;

  describe('an answer of AWS', () => {
    // https://docs.aws.amazon.com/secretsmanager/latest/apireference/ API_GetSecretValue, API_PutSecretValue, CommonErrors
    test.each<[string, StoreFailure, boolean]>([
      ['ThrottlingException', 'throttled', true],
      ['InternalServiceError', 'unavailable', true],
      ['ServiceUnavailable', 'unavailable', true],
      ['DecryptionFailure', 'access_denied', false],
      ['InvalidRequestException', 'scheduled_for_deletion', false],
    ])('to a read: %s is %s, and the next read succeeds', async (exception, code, isRetryable) => {
      await write(sut().store, A);
      await sut().failNext(KEY, 'GetSecretValue', { exception });

      const failure = await failureOf(read());

      expect(failure).toMatchObject({ code, isRetryable });
      expect(failure.message).toMatch(`secretsmanager:GetSecretValue on ${NAME} `);
      expect(failure.message).not.toMatch(TEXT_OF_AWS);
      expect((await read()).token).toEqual(A);
    });

    test.each<[string, StoreFailure, boolean]>([
      ['ThrottlingException', 'throttled', true],
      ['InternalServiceError', 'unavailable', true],
      ['LimitExceededException', 'limit_exceeded', false],
      ['EncryptionFailure', 'access_denied', false],
      ['InvalidRequestException', 'scheduled_for_deletion', false],
      ['ResourceNotFoundException', 'not_found', false],
    ])('to a write: %s is %s, and the same write then succeeds', async (exception, code, isRetryable) => {
      const { store } = sut();
      const seen = await read();
      await sut().failNext(KEY, 'PutSecretValue', { exception });

      const failure = await failureOf(store.compareAndSet(KEY, seen, A));

      expect(failure).toMatchObject({ code, isRetryable });
      expect(failure.message).toMatch(`secretsmanager:PutSecretValue on ${seen.secretArn} `);
      expect(failure.message).not.toMatch(TEXT_OF_AWS);
      expect(await countVersions()).toBe(0);
      expect(await store.compareAndSet(KEY, seen, A)).toMatchObject({ kind: 'written' });
    });

    test('to the look for the ARN of an empty secret: typed as well', async () => {
      await sut().failNext(KEY, 'DescribeSecret', { exception: 'ThrottlingException' });

      expect(await failureOf(read())).toMatchObject({
        code: 'throttled',
        message: `secretsmanager:DescribeSecret on ${NAME} failed: ThrottlingException`,
      });
    });
  });

  describe('a right that the role lacks', () => {
    test.each<[StoreRight, StoreOperation]>([
      ['secretsmanager:GetSecretValue', 'GetSecretValue'],
      ['secretsmanager:DescribeSecret', 'DescribeSecret'],
      ['secretsmanager:PutSecretValue', 'PutSecretValue'],
    ])('is named, with the secret, and nothing else: %s', async (right, operation) => {
      const { store } = sut();
      if (operation === 'GetSecretValue') await write(store, A);
      const seen = nothingSeen(sut().arnOf(KEY));
      sut().deny(KEY, right);

      const call = operation === 'PutSecretValue' ? store.compareAndSet(KEY, seen, A) : read();
      const failure = await failureOf(call);

      const secretId = operation === 'PutSecretValue' ? seen.secretArn : NAME;
      expect(failure).toMatchObject({
        code: 'access_denied',
        isRetryable: false,
        message: `${right} on ${secretId} was denied: the role may not ${right} on ${seen.secretArn}`,
      });
    });

    test.each<[StoreRight, StoreOperation]>([
      ['kms:Decrypt', 'GetSecretValue'],
      ['kms:GenerateDataKey', 'PutSecretValue'],
    ])('is one of the key: %s', async (right, operation) => {
      const { store } = sut();
      await write(store, A);
      const seen = await read();
      sut().deny(KEY, right);

      const call = operation === 'PutSecretValue' ? store.compareAndSet(KEY, seen, B) : read();
      const failure = await failureOf(call);

      expect(failure.code).toBe('access_denied');
      expect(failure.message).toMatch(
        new RegExp(`^secretsmanager:${operation} on \\S+ was denied: the role may not ${right} (on|with) `),
      );
      expect(await countVersions()).toBe(1);
    });
  });

  describe('a secret that is gone', () => {
    test('is not found by a read', async () => {
      await sut().deleteSecret(KEY);

      expect(await failureOf(read())).toMatchObject({ code: 'not_found', isRetryable: false });
    });

    test('is not found by a write, and is not made anew', async () => {
      const seen = await read();
      await sut().deleteSecret(KEY);

      const failure = await failureOf(sut().store.compareAndSet(KEY, seen, A));

      expect(failure).toMatchObject({ code: 'not_found', isRetryable: false });
      expect(await failureOf(read())).toMatchObject({ code: 'not_found' });
    });

    test.each(['empty', 'with a token'])(
      'for now (scheduled for deletion, %s) says so to a read',
      async (what) => {
        if (what === 'with a token') await write(sut().store, A);
        await sut().scheduleDeletion(KEY);

        const failure = await failureOf(read());

        expect(failure).toMatchObject({
          code: 'scheduled_for_deletion',
          isRetryable: false,
        });
        expect(failure.message).toMatch(
          `secretsmanager:GetSecretValue on ${NAME} failed: InvalidRequestException`,
        );
      },
    );

    test('for now says so to a write, which does not bring it back', async () => {
      const seen = await read();
      await sut().scheduleDeletion(KEY);

      const failure = await failureOf(sut().store.compareAndSet(KEY, seen, A));

      expect(failure.code).toBe('scheduled_for_deletion');
      expect(await failureOf(read())).toMatchObject({ code: 'scheduled_for_deletion' });
    });

    test('for now serves what it had once an operator has restored it', async () => {
      const versionId = await write(sut().store, A);
      await sut().scheduleDeletion(KEY);
      await sut().restoreSecret(KEY);

      expect(await read()).toMatchObject({ versionId, token: A });
      await write(sut().store, B);
      expect((await read()).token).toEqual(B);
    });
  });
}
