import { execFileSync } from 'node:child_process';

import { issueCredential } from '../../cli/issue-credential';
import { printLocalEnv } from '../../cli/local-env-command';
import { type Laptop } from '../../cli/system';
import { HttpsError, type HttpsRequest } from '../../lambdas/shared/adapters/https-client';
import { FakeTerminal } from './support/fake-terminal';
import { failureOf, OperatedSystem } from './support/operated-system';

const LAPTOP: Laptop = {
  run: {
    aws: {
      endpoint: 'http://127.0.0.1:4566',
      region: 'eu-west-2',
      accountId: '000000000000',
      accessKeyId: 'ADMINISTRATOR',
      secretAccessKey: 'administrator/+key',
    },
    operator: { accessKeyId: 'OPERATOR', secretAccessKey: 'operator/+key' },
    sandboxControl: 'https://127.0.0.1:8443/_sandbox',
  },
  caFile: "/home/jo's/.latchkey/ca.pem",
};
const PAIR = { clientId: 'app', clientSecret: 'canary-client-secret' };

let system: OperatedSystem;
let requests: HttpsRequest[];
beforeEach(() => {
  requests = [];
  system = new OperatedSystem();
  system.sendRequest = async (request) => {
    requests.push(request);
    return { status: 201, headers: {}, body: JSON.stringify(PAIR) };
  };
});

const onLaptop = () => ({ ...system.system(), laptop: LAPTOP });

describe('latchkey local env', () => {
  const env = (flags: Parameters<typeof printLocalEnv>[1] = {}) =>
    system.run(printLocalEnv, flags, new FakeTerminal(), onLaptop());

  it('prints lines that a shell evaluates', async () => {
    const { text, document } = await env({ shell: 'bash' });

    const script = `AWS_PROFILE=real AWS_SESSION_TOKEN=real; export AWS_PROFILE AWS_SESSION_TOKEN\n${text}\nenv -0`;
    const variables = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env: {} }).split(
      '\0',
    );
    expect(variables).toEqual(
      expect.arrayContaining(Object.entries(document).map(([name, value]) => `${name}=${value}`)),
    );
    expect(variables.filter((line) => /^AWS_(PROFILE|SESSION_TOKEN)=/.test(line))).toEqual([]);
    expect(document).toEqual({
      AWS_ENDPOINT_URL: LAPTOP.run.aws.endpoint,
      AWS_REGION: 'eu-west-2',
      AWS_DEFAULT_REGION: 'eu-west-2',
      AWS_ACCESS_KEY_ID: 'OPERATOR',
      AWS_SECRET_ACCESS_KEY: 'operator/+key',
      SSL_CERT_FILE: LAPTOP.caFile,
      CURL_CA_BUNDLE: LAPTOP.caFile,
      REQUESTS_CA_BUNDLE: LAPTOP.caFile,
      NODE_EXTRA_CA_CERTS: LAPTOP.caFile,
      LATCHKEY_STATE_DIR: "/home/jo's/.latchkey",
    });
  });

  it('prints lines for fish', async () => {
    const { text } = await env({ shell: 'fish' });

    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'set --erase AWS_PROFILE',
        `set --global --export AWS_ENDPOINT_URL 'http://127.0.0.1:4566'`,
        `set --global --export SSL_CERT_FILE '/home/jo\\'s/.latchkey/ca.pem'`,
      ]),
    );
  });

  it('has the administrator’s key only on request', async () => {
    expect((await env()).visibleText).not.toContain('administrator');
    expect((await env({ administrator: true })).document).toMatchObject({
      AWS_ACCESS_KEY_ID: 'ADMINISTRATOR',
      AWS_SECRET_ACCESS_KEY: 'administrator/+key',
    });
  });
});

describe('latchkey local new-credentials', () => {
  const issue = (terminal = new FakeTerminal()) =>
    system.run(
      (context, flags: object) => issueCredential(context, 'credentials', flags),
      {},
      terminal,
      onLaptop(),
    );

  it('prints what the sandbox issues for the tenant', async () => {
    expect(JSON.parse((await issue()).text)).toEqual(PAIR);
    expect(requests).toMatchObject([
      { method: 'POST', url: new URL('https://127.0.0.1:8443/_sandbox/credentials') },
    ]);
    expect(JSON.parse(requests[0]!.body)).toEqual({
      environment: 'staging',
      platformRegion: 'mea',
      tenantId: 'tenant-1',
    });
  });

  it('issues nothing for a terminal, and says how to load it', async () => {
    const failure = await failureOf(() => issue(new FakeTerminal({ showsOutputToPerson: true })));

    expect(failure).toMatchObject({ exitCode: 2 });
    expect(failure.message).toContain('standard output: found a terminal; allowed: a pipe or a file');
    expect(failure.advice).toContain(
      '  latchkey local new-credentials --environment staging --platform-region mea --tenant tenant-1 | ' +
        'latchkey credentials put --environment staging --platform-region mea --tenant tenant-1 --local',
    );
    expect(requests).toEqual([]);
  });

  it.each([
    ['does not answer', () => Promise.reject(new HttpsError('connect', 'no connection', false))],
    ['refuses', async () => ({ status: 404, headers: {}, body: '{}' })],
  ])('says so if the sandbox %s', async (_, sendRequest) => {
    system.sendRequest = sendRequest;

    expect(await failureOf(() => issue())).toMatchObject({ exitCode: 69, code: 'sandbox_unavailable' });
  });
});
