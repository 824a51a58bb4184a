import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { AwsIdentity } from '../../cli/aws-identity';
import { newFolder } from '../support/new-folder';
import { profilesWithRole, roleSession, startSts } from './support/role-session';

const ROLE = 'arn:aws:iam::111122223333:role/operators';
const MFA = 'arn:aws:iam::111122223333:mfa/jo';
const CONFIG = { region: 'eu-west-1' };
const never = new AbortController().signal;
const OPERATORS = { name: 'operators', source: '--profile' };
const neverAsk = () => Promise.reject(new Error('no question is expected'));

let answer: Parameters<typeof startSts>[0];
const folder = newFolder();
let sts: Awaited<ReturnType<typeof startSts>>;
const session = () => ({ body: roleSession() });
const refusal = (message: string) => ({
  status: 403,
  body: `<ErrorResponse><Error><Code>AccessDenied</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

beforeAll(async () => {
  sts = await startSts(() => answer());
  writeFileSync(join(folder, 'config'), profilesWithRole(ROLE, MFA));
  Object.assign(process.env, {
    AWS_CONFIG_FILE: join(folder, 'config'),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
    AWS_ENDPOINT_URL_STS: sts.url,
  });
});
afterAll(() => sts.stop());
beforeEach(() => {
  answer = session;
  sts.forms.length = 0;
});
afterEach(() => jest.restoreAllMocks());

it('asks once for all who wait, and for all later calls', async () => {
  const ask = jest.fn(() => Promise.resolve('123456'));
  const identity = new AwsIdentity(CONFIG, OPERATORS, ask);

  await Promise.all([identity.signIn(never), identity.signIn(never), identity.credentials()]);
  const { accessKeyId, sessionToken } = await identity.credentials();

  expect({ accessKeyId, sessionToken }).toEqual({ accessKeyId: 'ASIAROLE', sessionToken: 'token' });
  expect(ask.mock.calls).toEqual([[MFA]]);
  const asked = sts.forms.map((form) =>
    ['RoleArn', 'SerialNumber', 'TokenCode'].map((name) => form.get(name)),
  );
  expect(asked).toEqual([[ROLE, MFA, '123456']]);
});

it('refuses a profile that does not exist before it looks for credentials elsewhere', async () => {
  const unknown = { name: 'opertors', source: 'deployments[1].awsProfile' };
  const identity = new AwsIdentity(CONFIG, unknown, neverAsk);

  await expect(identity.signIn(never)).rejects.toMatchObject({
    exitCode: 2,
    message:
      'deployments[1].awsProfile: found opertors; allowed: a profile of your AWS configuration files: base, operators',
  });
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
    const identity = new AwsIdentity(CONFIG, OPERATORS, ask);

    await expect(identity.signIn(never)).resolves.toBeUndefined();
  });

  it('ends if nobody was asked', async () => {
    const end = limitThatEnds();
    const hanging = () => new Promise<never>(() => end());
    const identity = new AwsIdentity({ ...CONFIG, credentials: hanging }, undefined, neverAsk);

    await expect(identity.signIn(never)).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

it('ends at once when interrupted during the question', async () => {
  const interrupted = new AbortController();
  const ask = () => new Promise<never>(() => interrupted.abort());
  const identity = new AwsIdentity(CONFIG, OPERATORS, ask);

  await expect(identity.signIn(interrupted.signal)).rejects.toMatchObject({ name: 'AbortError' });
});

it.each([
  [
    'MultiFactorAuthentication failed with invalid MFA one time pass code. ',
    { code: 'mfa_refused', exitCode: 77, message: 'sts:AssumeRole failed: AWS refused the MFA code' },
  ],
  [
    `User: arn:aws:iam::111122223333:user/jo is not authorized to perform: sts:AssumeRole on resource: ${ROLE}`,
    {
      code: 'role_denied',
      exitCode: 77,
      message: `sts:AssumeRole on ${ROLE} was denied: you are not allowed to assume this role`,
    },
  ],
])('says why AWS refused: %s', async (message, failure) => {
  answer = () => refusal(message);

  const signedIn = new AwsIdentity(CONFIG, OPERATORS, () => Promise.resolve('123456')).signIn(never);

  await expect(signedIn).rejects.toMatchObject(failure);
});
