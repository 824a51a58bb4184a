import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  GetSecretValueCommand,
  InternalServiceError,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { GetParameterHistoryCommand } from '@aws-sdk/client-ssm';
import { SUPPORTED_OPERATIONS } from '../../src/aws/dispatch';
import { announcedConnection } from '../../../../test/support/idle-connections';
import { LocalAws, refusalOf, REGION } from '../../src/testing/local-aws';
import { signedFetch } from '../../src/testing/signed-fetch';

const TARGET = {
  'content-type': 'application/x-amz-json-1.1',
  'x-amz-target': 'secretsmanager.GetSecretValue',
};

let aws: LocalAws;

beforeEach(async () => {
  aws = new LocalAws();
  for (const name of ['one', 'two']) {
    aws.addVersion(aws.addSecret(name), 'a'.repeat(32), 'canary');
  }
  await aws.start({ clock: (input) => ({ advancedSec: input.optionalInteger('advanceSec') }) });
});
afterEach(() => aws.stop());

const read = (SecretId = 'one', client = aws.secretsManager()) =>
  client.send(new GetSecretValueCommand({ SecretId }));
const post = (body: string, headers: Record<string, string> = TARGET, service = 'secretsmanager') =>
  signedFetch(aws.url, aws.administrator, service, { headers, body });
const typeOf = async (answer: Response) => ((await answer.json()) as { __type: string }).__type;

it('gives each response a request id and the run’s time', async () => {
  aws.clock.advanceMs(5 * 60_000);

  const answer = await post('{"SecretId":"one"}');

  expect(answer.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
  const dateMs = Date.parse(answer.headers.get('date') ?? '');
  expect(Math.abs(dateMs - aws.clock.nowMs())).toBeLessThan(5_000);
});

it('keeps idle connections open, so that it closes none that an SDK is about to use', async () => {
  expect(await announcedConnection(`${aws.url}/_local/clock`)).toBe('keep-alive');
});

it('lets an SDK correct its clock after the run’s clock was advanced', async () => {
  const { administrator: credentials } = aws;
  const client = new SecretsManagerClient({ endpoint: aws.url, region: REGION, credentials });
  aws.clock.advanceMs(24 * 60 * 60 * 1000);

  const answer = await read('one', client);

  client.destroy();
  expect(answer.SecretString).toBe('canary');
});

it('does not make an SDK whose clock is right repeat a refused request', async () => {
  const { administrator: credentials } = aws;
  const dayMs = 24 * 60 * 60 * 1000;
  const options = { endpoint: aws.url, region: REGION, credentials, systemClockOffset: dayMs };
  const client = new SecretsManagerClient(options);
  aws.clock.advanceMs(dayMs);

  const refusal = await refusalOf(read('missing', client));

  client.destroy();
  expect(refusal).toMatchObject({ name: 'ResourceNotFoundException', $metadata: { attempts: 1 } });
});

it('tells the run’s time without a signature', async () => {
  aws.clock.advanceMs(60 * 60_000);

  const answer = await fetch(`${aws.url}/_local/clock`);
  const { now } = (await answer.json()) as { now: string };

  expect(Math.abs(Date.parse(now) - aws.clock.nowMs())).toBeLessThan(5_000);
  expect(aws.warnings).toEqual([]);
});

// A page whose name was made to lead here could otherwise read the answers (DNS rebinding).
it.each<[string, (port: string) => string, number]>([
  ['its address', (port) => `127.0.0.1:${port}`, 200],
  ['the other name of this machine', (port) => `localhost:${port}`, 200],
  ['another name', (port) => `attacker.example:${port}`, 403],
  ['another port, as a forwarded request has it', () => '127.0.0.1:1', 200],
  ['a name that begins like an address', (port) => `127.0.0.1.attacker.example:${port}`, 403],
])('answers for a Host of %s: %#', async (_, hostOf, status) => {
  const { port } = new URL(aws.url);
  const asked = get(`${aws.url}/_local/clock`, { headers: { host: hostOf(port) }, agent: false });

  const [response] = (await once(asked, 'response')) as [IncomingMessage];

  expect(response.statusCode).toBe(status);
  expect((await buffer(response)).toString()).toMatch(status === 200 ? /"now"/ : /"AccessDeniedException"/);
});

it('refuses an unsigned request', async () => {
  const answer = await fetch(aws.url, { method: 'POST', headers: TARGET, body: '{"SecretId":"one"}' });

  expect([answer.status, await typeOf(answer)]).toEqual([400, 'MissingAuthenticationTokenException']);
});

it('rejects an unsupported operation, naming the supported ones', async () => {
  const refusal = await refusalOf(aws.ssm().send(new GetParameterHistoryCommand({ Name: 's' })));

  expect(refusal.name).toBe('UnknownOperationException');
  expect(refusal.message).toContain(
    'this operation of ssm; supported: GetParameter, GetParameters, PutParameter',
  );
  expect(aws.warnings).toEqual([refusal.message]);
});

const target = (name: string) => ({ ...TARGET, 'x-amz-target': name });
const ALL =
  'supported: dynamodb, events, kms, logs, monitoring, secretsmanager, sqs, ssm, tagging, lambda, scheduler, sts';
it.each([
  ['an unsupported service', TARGET, 'kinesis', ALL],
  ['a target of a service other than the one signed for', TARGET, 'ssm', 'this operation of ssm'],
  [
    'a target with the prefix of another',
    target('AmazonSSM.GetSecretValue'),
    'secretsmanager',
    'supported: ',
  ],
  ['a name from Object.prototype', target('secretsmanager.toString'), 'secretsmanager', 'supported: '],
])('refuses %s', async (_, headers, service, text) => {
  const answer = await post('{}', headers, service);
  const body = (await answer.json()) as { __type: string; message: string };

  expect(body.__type).toBe('UnknownOperationException');
  expect(body.message).toContain(text);
});

it.each([
  ['an unsupported parameter', '{"SecretId":"one","Color":1}', 'ValidationException'],
  ['a missing parameter', '{}', 'ValidationException'],
  ['a parameter that is too short', '{"SecretId":""}', 'ValidationException'],
  ['a parameter of the wrong type', '{"SecretId":7}', 'SerializationException'],
  ['a body that is not JSON', '{"SecretId":canary', 'SerializationException'],
  ['a body that is not an object', '[]', 'SerializationException'],
])('refuses %s without repeating a value', async (_, body, type) => {
  const answer = await post(body);
  const text = await answer.text();

  expect([answer.status, (JSON.parse(text) as { __type: string }).__type]).toEqual([400, type]);
  expect(text).not.toContain('canary');
});

it('refuses a body over 10 MiB', async () => {
  const answer = await post('x'.repeat(10 * 1024 * 1024 + 1));

  expect([answer.status, await typeOf(answer)]).toEqual([413, 'RequestEntityTooLargeException']);
});

it('reports an internal error without any data of the request', async () => {
  aws.account.secrets.named = () => {
    throw new Error('canary');
  };

  expect(await refusalOf(read())).toMatchObject({
    name: 'InternalFailure',
    $metadata: { httpStatusCode: 500 },
  });
  expect(aws.warnings).toEqual(['the local AWS endpoint failed to handle a request: Error']);
});

it('listens on loopback only, and reports a port that is taken with its code', async () => {
  expect(aws.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;

  await expect(new LocalAws().start({}, port)).rejects.toMatchObject({ code: 'EADDRINUSE' });

  other.close();
});

it('has every call in its documentation', () => {
  const documented = readFileSync(join(__dirname, '../../../../docs/local-aws.md'), 'utf8');

  const missing = Object.values(SUPPORTED_OPERATIONS)
    .flat()
    .filter((call) => !documented.includes(`\`${call}\``));

  expect(missing).toEqual([]);
});

describe('/_local', () => {
  const control = (path: string, body: object | undefined, method = 'POST', key = aws.administrator) =>
    signedFetch(`${aws.url}/_local/${path}`, key, 'loopback', { method, body: body && JSON.stringify(body) });
  const throttle = { service: 'secretsmanager', operation: 'GetSecretValue', error: 'ThrottlingException' };

  it('injects an error the given number of times', async () => {
    await control('faults', { ...throttle, times: 2 });

    const names = [(await refusalOf(read())).name, (await refusalOf(read())).name];
    expect(names).toEqual(['ThrottlingException', 'ThrottlingException']);
    expect((await read()).SecretString).toBe('canary');
  });

  it('injects only into matching secrets and the given operation', async () => {
    await control('faults', { ...throttle, match: { secretId: 'tw' } });

    expect((await read('one')).SecretString).toBe('canary');
    expect((await refusalOf(read('two'))).name).toBe('ThrottlingException');
    const put = new PutSecretValueCommand({
      SecretId: 'two',
      ClientRequestToken: 'b'.repeat(32),
      SecretString: 'x',
    });
    await aws.secretsManager().send(put);
  });

  it('injects an error of the service with its status', async () => {
    await control('faults', { ...throttle, error: 'InternalServiceError' });

    expect(await refusalOf(read())).toBeInstanceOf(InternalServiceError);
  });

  it('removes injected errors', async () => {
    await control('faults', throttle);

    await control('faults', undefined, 'DELETE');

    expect((await read()).SecretString).toBe('canary');
  });

  it.each([
    ['an unknown member', { ...throttle, color: 1 }],
    ['no operation', { service: 'secretsmanager', error: 'X' }],
    ['an invalid name', { ...throttle, error: 'a\nb' }],
    ['zero times', { ...throttle, times: 0 }],
  ])('refuses a fault with %s', async (_, fault) => {
    expect((await control('faults', fault)).status).toBe(400);
    expect((await read()).SecretString).toBe('canary');
  });

  it('hands other paths to the handlers of the host', async () => {
    const answer = await control('clock', { advanceSec: 60 });

    expect(await answer.json()).toEqual({ advancedSec: 60 });
    expect((await control('other', {})).status).toBe(404);
  });

  it('accepts signatures of the machine’s time, which curl makes, when the run’s clock is ahead', async () => {
    aws.clock.advanceMs(86_400_000);

    expect((await control('clock', { advanceSec: 60 })).status).toBe(200);
    expect((await post('{"SecretId":"one"}')).status).toBe(200);
  });

  it('is for the administrator only', async () => {
    const key = aws.roleKey({ Effect: 'Allow', Action: '*', Resource: '*' });

    expect((await control('faults', throttle, 'POST', key)).status).toBe(403);
    expect((await fetch(`${aws.url}/_local/clock`, { method: 'POST', body: '{}' })).status).toBe(400);
    expect((await read()).SecretString).toBe('canary');
  });
});
