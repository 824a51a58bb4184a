import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';

import { createSandbox, type Sandbox } from 'learning-platform-sandbox';

import { runCommand, type Surroundings } from '../../../cli/main';
import { testIssuer } from '../../../cli/issuer/test-issuer';
import { type IssuerProfile } from '../../../core/issuers/issuer-profile';
import { CertificateAuthority } from '../../support/lambdas/certificates';
import { FakeTerminal } from '../support/fake-terminal';
import { OperatedSystem } from '../support/operated-system';
import { trustAuthority } from '../../support/lambdas/trusted-authority';

const SECRET = 'canary+secret/with=special:characters';
const BASIC = { clientId: 'canary-basic-client', clientSecret: SECRET };
const POST = { clientId: 'canary-post-client', clientSecret: 'canary secret & more' };

/** The profile of the provider, as it is. */
const PROVIDER: IssuerProfile = {
  name: 'provider',
  title: 'Provider',
  tokenEndpoint: { path: '/token' },
  request: {
    clientAuthentication: 'client_secret_basic',
    fields: { grant_type: 'client_credentials', scope: '{scope}', resource: 'https://api.example.com' },
  },
  answer: { lifetimeSec: 7200 },
};
/** The profiles by which the sandbox serves. */
const OTHER_NAMES = {
  name: 'other-names',
  title: 'Other names',
  tokenEndpoint: { path: '/token' },
  answer: { accessToken: 'data.accessToken', expiresIn: 'data.expiresIn', tokenType: 'data.kind' },
};
const BASIC_ONLY = {
  name: 'basic-only',
  title: 'Basic only',
  tokenEndpoint: { path: '/token' },
  request: { clientAuthentication: 'client_secret_basic' },
};
const SAME_TOKEN = {
  name: 'same-token',
  title: 'Same token',
  tokenEndpoint: { path: '/token' },
  answer: { sameTokenUntilSec: 0 },
};

let folder: string;
let provider: ChildProcess;
let origin: string;
let sandbox: Sandbox;
/** Answers as a test says: with these statuses in turn, the last of them from then on. */
const scripted = { statuses: [200], headers: {} as Record<string, string>, body: '' };
let scriptedOrigin: string;
const servers: Server[] = [];

async function serveScripted(certificate: object): Promise<{ origin: string }> {
  const server = createServer(certificate, (request, response) => {
    request.resume();
    const [status = 200, ...later] = scripted.statuses;
    if (later.length > 0) scripted.statuses = later;
    response.writeHead(status, { 'content-type': 'application/json', ...scripted.headers });
    response.end(scripted.body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-issuer-'));
  const authority = await CertificateAuthority.create();
  const certificate = await authority.issue({ address: '127.0.0.1' });
  sandbox = await createSandbox({
    issuers: [OTHER_NAMES, SAME_TOKEN, BASIC_ONLY].map((profile) => ({
      profile,
      tenants: [{ tenantId: 'acme' }],
    })),
  });
  trustAuthority(`${authority.certificatePem}\n${sandbox.caCertificate}`);
  const clients = [
    [BASIC, 'client_secret_basic', 'read write'] as const,
    [POST, 'client_secret_post', 'read'] as const,
  ].map(([{ clientId, clientSecret }, method, scope]) => ({
    client_id: clientId,
    client_secret: clientSecret,
    token_endpoint_auth_method: method,
    scope,
  }));
  provider = spawn(process.execPath, [join(__dirname, '../../issuers/support/oidc-issuer.mjs')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  provider.stdin!.write(`${JSON.stringify({ certificate, clients, lifetimeSec: 7200 })}\n`);
  const [port] = (await once(provider.stdout!, 'data')) as [Buffer];
  origin = `https://127.0.0.1:${String(port).trim()}`;
  ({ origin: scriptedOrigin } = await serveScripted(certificate));
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  provider.stdin!.end();
  await once(provider, 'exit');
  await sandbox.stop();
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** Runs the command in this process, with the credential on standard input. */
async function run(args: string[], credential: object = BASIC, env: NodeJS.ProcessEnv = {}) {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  streams.stdin.end(JSON.stringify(credential));
  const exitCode = await runCommand(args, {
    ...(streams as unknown as Pick<Surroundings, 'stdin' | 'stdout' | 'stderr'>),
    env,
    workingDir: folder,
    projectRoot: folder,
    runProgram: async () => 0,
    interrupt: new AbortController(),
  });
  const stdout = String(streams.stdout.read() ?? '');
  const stderr = String(streams.stderr.read() ?? '');
  expect(`${stdout}${stderr}`).not.toMatch(/canary/);
  expect(`${stdout}${stderr}`).not.toContain(Buffer.from('canary').toString('base64').slice(0, 7));
  return { exitCode, stdout, stderr };
}

/** Writes a profile, and tests it. */
async function testProfile(profile: object, { args = [] as string[], credential = BASIC, at = origin } = {}) {
  const file = join(folder, `${(profile as IssuerProfile).name}.json`);
  writeFileSync(file, JSON.stringify(profile));
  return { file, ...(await run(['issuer', 'test', file, '--token-base-url', at, ...args], credential)) };
}

/** Does what the last line says: saves the profile, and runs the command as printed. */
async function followed({ stdout, file }: { stdout: string; file: string }, credential: object = BASIC) {
  const [, text] = /^(?:The corrected profile|A profile to try)\n(\{\n[^]*?\n\})$/m.exec(stdout) ?? [];
  const [, saved = file] = /^Save it as (\S+), then/m.exec(stdout) ?? [];
  if (text !== undefined) writeFileSync(saved, text);
  const [, command] = /: latchkey (issuer test .*)\n$/.exec(stdout)!;
  return run(wordsOf(command!), credential);
}

function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

describe('latchkey issuer test at a certified provider', () => {
  const READ = ['--scope', 'read'];

  test('with the right profile: what was sent, what came back, and what to do next', async () => {
    const { exitCode, stdout } = await testProfile(PROVIDER, { args: READ });

    expect(stdout.replace(/after \d+ ms/, 'after 9 ms').replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')).toBe(
      [
        'Sent',
        '  POST https://HOST/token',
        '  content-type: application/x-www-form-urlencoded',
        '  accept: application/json',
        '  authorization: Basic …',
        '  grant_type=client_credentials&scope=read&resource=https%3A%2F%2Fapi.example.com',
        'Answered',
        '  status 200, after 9 ms',
        '  access_token  text of 43 characters',
        '  expires_in    7200',
        '  token_type    "Bearer"',
        '  scope         "read"',
        '✓ Usable as a token: 43 characters, valid for 7200 s',
        '✓ The answer is as the profile says',
        `Next: latchkey init --issuer ${join(folder, 'provider.json')}`,
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(0);
  });

  test.each<[string, object, number, string]>([
    [
      'a wrong body',
      { ...PROVIDER, request: { ...PROVIDER.request, body: 'json' } },
      69,
      'request: the issuer does not understand it: the body (now JSON), or its fields, of which one may be missing',
    ],
    [
      'a wrong lifetime',
      { ...PROVIDER, answer: { lifetimeSec: 3600 } },
      1,
      'answer.lifetimeSec: the profile says 3600, the answer 7200',
    ],
  ])('with %s: says what may be wrong, and the printed profile and command work', async (...row) => {
    const [, profile, exitCode, difference] = row;

    const tested = await testProfile(profile, { args: READ });
    const after = await followed(tested);

    expect(tested.stdout).toContain(`  ${difference}\n`);
    expect(tested.exitCode).toBe(exitCode);
    expect(after.stdout).toContain('✓ The answer is as the profile says');
    expect(after.exitCode).toBe(0);
  });

  test('with a wrong scope: refused, by the profile or by its separator', async () => {
    const tested = await testProfile(
      { ...PROVIDER, request: undefined },
      { args: ['--scope', 'read write'], credential: POST },
    );
    const after = await followed(tested, POST);

    expect(tested.stdout).toContain(
      '  request: this client may not have these scopes, or the issuer reads them otherwise. Try "," between them\n',
    );
    expect(tested.exitCode).toBe(77);
    expect(after.stdout).toContain('The answer does not name the scopes, which were sent with "," between');
  });

  test('with a wrong path: says so, and the printed command works once the path is right', async () => {
    const tested = await testProfile(
      { ...PROVIDER, tokenEndpoint: { path: '/oauth2/token' } },
      { args: READ },
    );
    writeFileSync(tested.file, JSON.stringify(PROVIDER));
    const after = await followed(tested);

    expect(tested.stdout).toContain(
      'tokenEndpoint: nothing takes token requests there. Check the base URL and the path',
    );
    expect(tested.exitCode).toBe(69);
    expect(after.exitCode).toBe(0);
  });

  test('with a wrong secret: refused, and nothing of the secret is shown', async () => {
    const tested = await testProfile(PROVIDER, {
      args: READ,
      credential: { ...BASIC, clientSecret: 'canary' },
    });

    expect(tested.stdout).toContain('✗ the token endpoint answered 401 invalid_client');
    expect(tested.exitCode).toBe(77);
  });

  test('with a code that the profile lists as refusing the credential: proposes no other profile', async () => {
    const errors = { credentialRefused: ['invalid_client'] };

    const tested = await testProfile(
      { ...PROVIDER, errors },
      { args: READ, credential: { ...BASIC, clientSecret: 'canary' } },
    );

    expect(tested.stdout).toContain(
      '  nothing: errors.credentialRefused lists invalid_client, so the client id or',
    );
    expect(tested.stdout).not.toContain('A profile to try');
    expect(tested.exitCode).toBe(77);
  });

  test('with the secret in the body where that is right', async () => {
    const profile = { ...PROVIDER, request: undefined };

    const tested = await testProfile(profile, { args: READ, credential: POST });

    expect(tested.stdout).toContain('&client_id=…&client_secret=…\n'.slice(1));
    expect(tested.exitCode).toBe(0);
  });
});

describe('latchkey issuer test at the sandbox', () => {
  const issuer = (name: string) => sandbox.issuers.find((each) => each.name === name)!;

  test.each(['other-names', 'same-token'])(
    'corrects a profile that does not know of %s; the printed command shows no difference',
    async (name) => {
      const { tokenBaseUrl, tenants } = issuer(name);
      const credential = tenants[0].clientCredentials;
      const profile = { ...OTHER_NAMES, name, answer: undefined };

      const tested = await testProfile(profile, { args: ['--twice'], credential, at: tokenBaseUrl });
      const after = await followed(tested, credential);

      expect(tested.exitCode).toBe(1);
      expect(tested.stdout).toMatch(
        name === 'same-token'
          ? /got the same token.*\nDiffers from the profile\n {2}answer\.sameTokenUntilSec: a second request/
          : /answer\.accessToken: the token is in data\.accessToken, not in access_token\n.*answer\.tokenType: .*data\.kind.*\n.*answer\.expiresIn: .*data\.expiresIn/,
      );
      expect(tested.stdout).toContain('"basis": "seen"');
      expect(after.stdout).toContain('✓ The answer is as the profile says');
      expect(after.exitCode).toBe(0);
    },
  );
});

test('a second request that gets no token says nothing about its token', async () => {
  Object.assign(scripted, {
    statuses: [200, 503],
    headers: {},
    body: JSON.stringify({ access_token: 'a'.repeat(32), token_type: 'Bearer', expires_in: 7200 }),
  });

  const tested = await testProfile(PROVIDER, { at: scriptedOrigin, args: ['--twice'] });

  expect(tested.stdout).toContain('✓ Usable as a token');
  expect(tested.stdout).not.toContain('The second request got');
});

describe('latchkey issuer test of the learning platform', () => {
  test('asks what the flags do not say, the credential without echo, and shows no difference', async () => {
    const [{ tenantId, environment, platformRegion, clientCredentials }] = sandbox.tenants;
    const { contentTokenBaseUrl } = sandbox.addresses({ environment, platformRegion });
    const terminal = new FakeTerminal({
      isInteractive: true,
      answers: [
        ...['learning-platform', environment, platformRegion, 'content', 'api/read'],
        ...[contentTokenBaseUrl, tenantId, clientCredentials.clientId, clientCredentials.clientSecret],
      ],
    });
    const context = { ...new OperatedSystem().context(terminal), nowMs: Date.now };

    const exitCode = await testIssuer(context, {});

    expect(exitCode).toBe(0);
    expect(terminal.questions.filter(({ isHidden }) => isHidden)).toHaveLength(2);
    expect(terminal.results[0]!.document).toMatchObject({
      request: {
        url: `${contentTokenBaseUrl}/oauth2/token/${tenantId}`,
        body: '{"scope":"api/read","grant_type":"client_credentials","client_id":"…","client_secret":"…"}',
      },
      token: { lifetimeSec: 3600, isLifeAssumed: false },
      differences: [],
      advice: 'Next: latchkey init --issuer learning-platform',
    });
    expect(terminal.visibleText()).not.toContain(clientCredentials.clientSecret);
  });

  test('without a terminal, names what is missing before it reads the credential', async () => {
    const { exitCode, stderr } = await run(
      ['issuer', 'test', 'auth0', '--parameter', 'host=a.auth0.com'],
      {},
    );

    expect(exitCode).toBe(2);
    expect(stderr).toContain('issuer test: found no --parameter audience=…; allowed: these flags');
  });

  test.each([
    [['issuer', 'test', 'canary'], 2],
    [['issuer', 'test', 'auth0', 'canary-secret-in-an-argument'], 64],
    [['issuer', 'test', 'auth0', '--parameter', 'canary-of-a-secret=canary'], 64],
    [['issuer', 'test', 'paypal', '--environment', 'live', '--scope', 'canary  canary'], 2],
    [['issuer', 'test', 'auth0', '--parameter', 'canary-of-a-parameter=canary'], 2],
    [['issuer', 'test', './missing.json'], 2],
    [['issuer', 'test'], 2],
  ])('refuses %j without showing it', async (args, exitCode) => {
    const failed = await run(args).catch((error: unknown) => error as Error);

    expect(failed).toMatchObject({ exitCode });
  });
});

describe('latchkey issuer test with the secret in the wrong place', () => {
  test.each([
    ['in the body', {}, 'in a Basic header'],
    [
      'in the header',
      {
        request: {
          clientAuthentication: 'client_secret_basic',
          fields: { grant_type: 'client_credentials' },
        },
      },
      'in the body',
    ],
  ])('%s: tries the other place, and the printed profile and command work', async (place, profile, other) => {
    const name = place === 'in the body' ? 'basic-only' : 'same-token';
    const { tokenBaseUrl, tenants } = sandbox.issuers.find((each) => each.name === name)!;
    const credential = tenants[0].clientCredentials;
    const { answer } = place === 'in the body' ? { answer: undefined } : SAME_TOKEN;

    const tested = await testProfile(
      { ...SAME_TOKEN, name, answer, ...profile },
      { credential, at: tokenBaseUrl },
    );
    const after = await followed(tested, credential);

    expect(tested.stdout).toContain(other);
    expect(after.stdout).toContain('✓ The answer is as the profile says');
  });
});

describe('latchkey issuer test shows nothing that could be a secret', () => {
  const answering = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    Object.assign(scripted, {
      statuses: [status],
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const test1 = (profile: object = PROVIDER, args: string[] = []) =>
    testProfile(profile, { at: scriptedOrigin, args });

  test('an error that repeats the credential, with escapes', async () => {
    const pair = `${encodeURIComponent(BASIC.clientId)}:${SECRET}`;
    answering(
      401,
      {
        error: 'invalid_client',
        error_description: `no ${BASIC.clientId} with ${SECRET} \u001b]0;title\u0007 or ${encodeURIComponent(SECRET)}`,
        [SECRET]: Buffer.from(pair).toString('base64'),
        trace: 'canary+secret/with',
      },
      { 'www-authenticate': `Basic realm="${BASIC.clientId}"` },
    );

    const { stdout, exitCode } = await test1();

    expect(exitCode).toBe(77);
    // eslint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0007\u001b]/);
    expect(stdout).toContain('error_description  "no … … …  ]0;title  or …"');
    expect(stdout).toContain('WWW-Authenticate   Basic realm="…"');
  });

  test.each([
    ['in a field of another name', { session: 'canary-token-of-the-issuer', token_type: 'Bearer' }],
    ['in the place of the type', { token_type: 'canary-token-of-the-issuer' }],
    ['in an error', { error: 'canary-token-of-the-issuer', scope: 'canary-token-of-the-issuer' }],
    ['under the secret as its name', { data: { [BASIC.clientId]: 'x'.repeat(30) } }],
    ['in a list', { tokens: ['canary-token-of-the-issuer'] }],
    ['in text that is no JSON', 'canary-token-of-the-issuer'],
  ])('a token %s', async (_, body) => {
    answering(200, body);

    const { stdout } = await test1();

    expect(stdout).toContain('status 200');
  });

  test('a redirect: never followed, and only its host is shown', async () => {
    answering(302, '', { location: 'https://login.example.com/canary?code=canary' });

    const { stdout, exitCode } = await test1();

    expect(stdout).toContain('Location  https://login.example.com/…');
    expect(exitCode).toBe(69);
  });

  test('more scopes than requested, and a code of an error in another place', async () => {
    const granted = { access_token: 'x'.repeat(30), token_type: 'bearer', expires_in: 7200, scope: 'a b c' };
    answering(200, granted);
    const more = await test1(PROVIDER, ['--scope', 'a b']);
    const after = await followed(more);
    answering(400, { fault: { code: 'invalid_client' } });
    const elsewhere = await test1();

    expect(more.stdout).toContain('answer.mayGrantMore: 1 more scopes are granted than requested');
    expect(after.exitCode).toBe(0);
    expect(elsewhere.stdout).toContain('errors.code: the code of the error is in fault.code, not in error');
  });

  test('a host that does not exist, and one without a trusted certificate: one reason and the next step', async () => {
    const nowhere = await testProfile(PROVIDER, { at: 'https://127.0.0.1:1' });
    const stranger = await (await CertificateAuthority.create()).issue({ address: '127.0.0.1' });
    const untrusted = await testProfile(PROVIDER, { at: (await serveScripted(stranger)).origin });

    expect(nowhere.stdout).toMatch(
      /✗ 127\.0\.0\.1:1 gave no answer: no connection \(ECONNREFUSED\)\nCheck the host/,
    );
    expect(untrusted.stdout).toMatch(
      /gave no answer: TLS failed .*\nThe certificate is not trusted.*NODE_EXTRA_CA_CERTS/,
    );
    expect([nowhere.exitCode, untrusted.exitCode]).toEqual([69, 69]);
  });
});
