import { LambdaServiceException } from '@aws-sdk/client-lambda';

import { createTokenSource } from '../../client';
import { tokenSecretName } from '../../core/secrets/secret-names';
import { LocalAws, REGION } from 'cdk-on-loopback/testing/local-aws';
import { failureOf } from '../support/lambdas/failure-of';
import { FakeAws, KEY, MINUTE_MS } from './support/fake-aws';

const FUNCTION = 'token-refresh';

describe('a host whose clock is wrong by more than the 5 minutes that Secrets Manager and Lambda accept', () => {
  const aws = new LocalAws();
  const before = { ...process.env };
  beforeAll(async () => {
    await aws.start();
    Object.assign(process.env, {
      AWS_ENDPOINT_URL: aws.url,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: aws.administrator.accessKeyId,
      AWS_SECRET_ACCESS_KEY: aws.administrator.secretAccessKey,
    });
  });
  afterAll(async () => {
    process.env = before;
    await aws.stop();
  });

  test.each([6, -6, 14, -14, 20, -20])(
    'gets its first renewal, if AWS is %i minutes ahead',
    async (aheadMinutes) => {
      aws.clock.offsetMs = aheadMinutes * MINUTE_MS;
      const key = { ...KEY, tenantId: `tenant-${aheadMinutes}` };
      const secret = aws.addSecret(tokenSecretName('latchkey', key));
      const store = (accessToken: string, lifeMs: number): string => {
        const versionId = accessToken.padEnd(32, '0');
        const issuedAtMs = aws.clock.nowMs();
        const value = {
          accessToken,
          tokenType: 'Bearer',
          ...key,
          credentialVersionId: 'c',
          writesMs: [issuedAtMs],
          issuedAt: new Date(issuedAtMs).toISOString(),
          expiresAt: new Date(issuedAtMs + lifeMs).toISOString(),
        };
        secret.versions.clear();
        aws.addVersion(secret, versionId, JSON.stringify(value));
        return versionId;
      };
      store('expired', -1_000);
      if (!aws.account.functions.has(FUNCTION)) aws.addFunction(FUNCTION);
      aws.invoker.effect = () => {
        const answer = { ok: true, versionId: store('renewed', 60 * MINUTE_MS) };
        aws.invoker.result = {
          kind: 'ok',
          payload: Buffer.from(JSON.stringify(answer)),
          logTail: '',
          requestId: 'r',
        };
      };
      aws.invoker.invoked.length = 0;

      const token = await createTokenSource({ tokenRefresh: FUNCTION }).getToken(key);

      expect(token.accessToken).toBe('renewed');
      expect(aws.invoker.invoked).toHaveLength(1);
    },
  );
});

describe('a refused invocation', () => {
  const refused = (name: string, clockSkewCorrected?: true, message = 'refused') =>
    new LambdaServiceException({
      name,
      message,
      $fault: 'client',
      $metadata: { httpStatusCode: 403, ...(clockSkewCorrected && { clockSkewCorrected }) },
    });

  test.each<[number, string, Error]>([
    [2, 'because of the clock that the SDK has just corrected', refused('InvalidSignatureException', true)],
    [
      2,
      'because of a clock that is right again, after the process was frozen',
      refused('InvalidSignatureException', undefined, 'Signature expired: 1 is now earlier than 2'),
    ],
    [1, 'because of its signature, with a right clock', refused('InvalidSignatureException')],
    [1, 'because of a permission, with a wrong clock', refused('AccessDeniedException', true)],
    [1, 'because of AWS, with a wrong clock', refused('ServiceException', true)],
  ])('is sent %i times if it was %s', async (times, _, error) => {
    const aws = new FakeAws();
    aws.refreshAnswers.push(error, error);

    const failure = await failureOf(createTokenSource(aws.options()).getToken(KEY));

    expect(failure).toMatchObject({ reason: expect.stringContaining('lambda:InvokeFunction') as string });
    expect(aws.invocations).toHaveLength(times);
  });
});
