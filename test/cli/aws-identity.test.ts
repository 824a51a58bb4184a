import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';

import { AwsIdentity } from '../../cli/aws-identity';

const ROLE = {
  roleArn: 'arn:aws:iam::111122223333:role/operators',
  mfaSerial: 'arn:aws:iam::111122223333:mfa/jo',
};
const CONFIG = { region: 'eu-west-1', credentials: { accessKeyId: 'AKIAOWN', secretAccessKey: 'own' } };
const never = new AbortController().signal;

const sts = mockClient(STSClient);
const issue = (lifeSec: number, accessKeyId = 'ASIAROLE') => ({
  Credentials: {
    AccessKeyId: accessKeyId,
    SecretAccessKey: 'issued',
    SessionToken: 'token',
    Expiration: new Date(Date.now() + lifeSec * 1000),
  },
});
beforeEach(() => {
  sts.reset();
  sts.on(AssumeRoleCommand).resolves(issue(3600));
});
afterEach(() => jest.restoreAllMocks());

it('asks once for all who wait, and for all later calls', async () => {
  const ask = jest.fn(() => Promise.resolve('123456'));
  const identity = new AwsIdentity(CONFIG, ROLE, ask);

  await Promise.all([identity.signIn(never), identity.signIn(never), identity.credentials()]);
  const { accessKeyId, sessionToken } = await identity.credentials();

  expect({ accessKeyId, sessionToken }).toEqual({ accessKeyId: 'ASIAROLE', sessionToken: 'token' });
  expect(ask.mock.calls).toEqual([[ROLE.mfaSerial]]);
});

it('names the person in the session, as STS allows it', async () => {
  await new AwsIdentity(CONFIG, { roleArn: ROLE.roleArn }, neverAsk).signIn(never);

  const { input } = sts.commandCalls(AssumeRoleCommand)[0]!.args[0];
  expect(input).toMatchObject({
    RoleArn: ROLE.roleArn,
    SerialNumber: undefined,
    TokenCode: undefined,
  });
  // https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html (RoleSessionName)
  expect(input.RoleSessionName).toMatch(/^latchkey-[\w+=,.@-]{1,55}$/);
});

it('assumes the role again before the session expires', async () => {
  sts.on(AssumeRoleCommand).resolvesOnce(issue(60)).resolves(issue(3600, 'ASIALATER'));
  const identity = new AwsIdentity(CONFIG, { roleArn: ROLE.roleArn }, neverAsk);
  await identity.signIn(never);

  await identity.signIn(never);

  expect((await identity.credentials()).accessKeyId).toBe('ASIALATER');
});

describe('after its time limit', () => {
  /** Makes the limit end when `end` is called. */
  function limitThatEnds(): () => void {
    const limit = new AbortController();
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    return () => limit.abort(new DOMException('too late', 'TimeoutError'));
  }

  it('still waits for a person who looks for the code', async () => {
    const end = limitThatEnds();
    const ask = () => {
      end();
      return new Promise<string>((resolve) => setImmediate(() => resolve('123456')));
    };
    const identity = new AwsIdentity(CONFIG, ROLE, ask);

    await expect(identity.signIn(never)).resolves.toBeUndefined();
  });

  it('ends if nobody was asked', async () => {
    const end = limitThatEnds();
    const hanging = () => new Promise<never>(() => end());
    const identity = new AwsIdentity({ ...CONFIG, credentials: hanging }, {}, neverAsk);

    await expect(identity.signIn(never)).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

it('ends at once when interrupted during the question', async () => {
  const interrupted = new AbortController();
  const ask = () => new Promise<never>(() => interrupted.abort());
  const identity = new AwsIdentity(CONFIG, ROLE, ask);

  await expect(identity.signIn(interrupted.signal)).rejects.toMatchObject({ name: 'AbortError' });
});

it.each([
  [
    'MultiFactorAuthentication failed with invalid MFA one time pass code. ',
    { code: 'mfa_refused', exitCode: 77, message: 'sts:AssumeRole failed: AWS refused the MFA code' },
  ],
  [
    `User: arn:aws:iam::111122223333:user/jo is not authorized to perform: sts:AssumeRole on resource: ${ROLE.roleArn}`,
    {
      code: 'role_denied',
      exitCode: 77,
      message: `sts:AssumeRole on ${ROLE.roleArn} was denied: you are not allowed to assume this role`,
    },
  ],
])('says why AWS refused: %s', async (message, failure) => {
  sts.on(AssumeRoleCommand).rejects(Object.assign(new Error(message), { name: 'AccessDenied' }));

  const signedIn = new AwsIdentity(CONFIG, ROLE, () => Promise.resolve('123456')).signIn(never);

  await expect(signedIn).rejects.toMatchObject(failure);
});

const neverAsk = () => Promise.reject(new Error('no question is expected'));
