import { SecretsManagerServiceException } from '@aws-sdk/client-secrets-manager';

import { type AwsCall, callAws } from '../../cli/call-aws';
import { failureOf, OperatedSystem } from './support/operated-system';

const NEVER = new AbortController().signal;
const ARN = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:latchkey/staging/mea/one/api-key-AbCdEf';
const CALL: AwsCall = {
  action: 'secretsmanager:PutSecretValue',
  resource: 'latchkey/staging/mea/one/api-key',
  deployment: new OperatedSystem().deployment(),
  interrupted: NEVER,
};

function named(name: string, message = 'canary text of AWS'): Error {
  return new SecretsManagerServiceException({ name, $fault: 'client', message, $metadata: {} });
}

const failureAt = (send: Promise<never>, call: Partial<AwsCall> = {}) =>
  failureOf(() => callAws({ ...CALL, ...call }, () => send));

describe('a failed AWS call', () => {
  it('names action, resource and policy of a missing permission', async () => {
    const text =
      `User: arn:aws:sts::111122223333:assumed-role/Ops/me is not authorized to perform: ` +
      `secretsmanager:PutSecretValue on resource: ${ARN} because no identity-based policy allows it`;

    const failure = await failureAt(Promise.reject(named('AccessDeniedException', text)));

    expect(failure).toMatchObject({ exitCode: 77, code: 'access_denied' });
    expect(failure.message).toContain(`secretsmanager:PutSecretValue on ${ARN}`);
    expect(failure.message).not.toContain('assumed-role');
    expect(failure.advice).toContain('/latchkey/staging/mea/operator-policy-arn');
  });

  it('names the KMS action if Secrets Manager does not', async () => {
    const failure = await failureAt(
      Promise.reject(named('AccessDeniedException', 'Access to KMS is not allowed')),
    );

    expect(failure.message).toContain('kms:GenerateDataKey');
  });

  it.each([
    ['CredentialsProviderError', 77, 'not_signed_in', 'aws sso login'],
    ['ExpiredTokenException', 77, 'not_signed_in', 'aws sso login'],
    ['ResourceNotFoundException', 1, 'not_found', "npx cdk deploy 'latchkey-staging-mea*'"],
    ['ParameterNotFound', 1, 'not_found', 'latchkey-staging-mea'],
    ['LimitExceededException', 1, 'limit_exceeded', 'Try again tomorrow'],
    ['ThrottlingException', 69, 'aws_unavailable', 'Try again'],
  ])('%s exits with %d', async (name, exitCode, code, advice) => {
    const failure = await failureAt(Promise.reject(named(name)));

    expect(failure).toMatchObject({ exitCode, code });
    expect(failure.advice).toContain(advice);
    expect(failure.message).not.toContain('canary');
  });

  it('names what broke the connection', async () => {
    const refused = Object.assign(new Error('connect to canary'), { code: 'ECONNREFUSED' });

    const failure = await failureAt(Promise.reject(refused));

    expect(failure).toMatchObject({ exitCode: 69 });
    expect(failure.message).toMatch(/no connection \(ECONNREFUSED\)$/);
  });

  it('asks for a region if there is none', async () => {
    const failure = await failureAt(Promise.reject(new Error('Region is missing')));

    expect(failure).toMatchObject({ exitCode: 2 });
    expect(failure.message).toContain('AWS_REGION');
  });

  it('times out even if the client ignores its signal', async () => {
    const failure = await failureAt(new Promise<never>(() => {}), { timeoutMs: 5 });

    expect(failure).toMatchObject({ exitCode: 69, code: 'aws_unavailable' });
    expect(failure.message).toMatch(/no answer in time$/);
  });

  it('is reported as an interruption after Ctrl-C', async () => {
    const interruption = new AbortController();

    const failing = failureAt(new Promise<never>(() => {}), { interrupted: interruption.signal });
    interruption.abort();

    expect(await failing).toMatchObject({ exitCode: 130, code: 'interrupted' });
  });
});
