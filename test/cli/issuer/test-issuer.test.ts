import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createSandbox, type Sandbox } from 'learning-platform-sandbox';

import { testIssuer } from '../../../cli/issuer/test-issuer';
import { type IssuerProfile } from '../../../core/issuers/issuer-profile';
import { CertifiedProvider, type OidcClient } from '../../issuers/support/certified-provider';
import { CertificateAuthority } from '../../support/lambdas/certificates';
import { LoopbackServer } from '../../support/lambdas/loopback-server';
import { trustAuthority } from '../../support/lambdas/trusted-authority';
import { runLine, wordsOf } from '../support/command-line';
import { FakeTerminal } from '../support/fake-terminal';
import { OperatedSystem } from '../support/operated-system';
import { newFolder } from '../../support/new-folder';

const SECRET = 'canary+secret/with=special:characters';
const BASIC = { clientId: 'canary-basic-client', clientSecret: SECRET };
const POST = { clientId: 'canary-post-client', clientSecret: 'canary secret & more' };
const WRONG = { ...BASIC, clientSecret: 'canary' };
const READ = ['--scope', 'read'];

/** The profile of the provider, as it is for clients with a Basic header. */
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
/** The same for clients with the secret in the body. */
const IN_BODY: IssuerProfile = { ...PROVIDER, request: {} };
const SECRET_IN_HEADER = { request: { clientAuthentication: 'client_secret_basic' as const } };
const served = (name: string, more: Partial<IssuerProfile> = {}): IssuerProfile => ({
  name,
  title: name,
  tokenEndpoint: { path: '/token' },
  ...more,
});
/** The profiles by which the sandbox serves. */
const SERVED = [
  served('other-names', {
    answer: { accessToken: 'data.accessToken', expiresIn: 'data.expiresIn', tokenType: 'data.kind' },
  }),
  served('same-token', { answer: { sameTokenUntilSec: 0 } }),
  served('in-header', SECRET_IN_HEADER),
  served('in-body'),
];

const folder = newFolder();
let provider: CertifiedProvider;
let sandbox: Sandbox;
/** An issuer that answers as a test says. */
let scripted: LoopbackServer;

beforeAll(async () => {
  const authority = await CertificateAuthority.create();
  const clients = [
    [BASIC, 'client_secret_basic', 'read write'] as const,
    [POST, 'client_secret_post', 'read'] as const,
  ].map(([{ clientId, clientSecret }, method, scope]): OidcClient => ({
    client_id: clientId,
    client_secret: clientSecret,
    token_endpoint_auth_method: method,
    scope,
  }));
  provider = await CertifiedProvider.start(clients);
  sandbox = await createSandbox({
    issuers: SERVED.map((profile) => ({ profile, tenants: [{ tenantId: 'acme' }] })),
  });
  scripted = await LoopbackServer.start(await authority.issue());
  trustAuthority([authority.certificatePem, provider.authorityPem, sandbox.caCertificate].join('\n'));
});
afterAll(async () => {
  await LoopbackServer.stopAll();
  await provider.end();
  await sandbox.stop();
  jest.restoreAllMocks();
});

/** Runs the command in this process, with the credential on standard input. */
async function run(args: string[], credential: object = BASIC) {
  const ended = await runLine(args, { folder, input: JSON.stringify(credential) });
  const shown = `${ended.stdout}${ended.stderr}`;
  expect(shown).not.toMatch(/canary/);
  expect(shown).not.toContain(Buffer.from('canary').toString('base64').slice(0, 7));
  return ended;
}

/** Writes a profile, and tests it. */
async function testProfile(
  profile: IssuerProfile,
  { args = [] as string[], credential = BASIC, at = provider.origin } = {},
) {
  const file = join(folder, `${profile.name}.json`);
  writeFileSync(file, JSON.stringify(profile));
  return { file, ...(await run(['issuer', 'test', file, '--token-base-url', at, ...args], credential)) };
}

/** Does what the last line says: saves the profile, and runs the command as printed. */
async function followed({ stdout, file }: { stdout: string; file: string }, credential: object = BASIC) {
  const [, text] = /^(?:The corrected profile|A profile to try)\n(\{\n[^]*?\n\})$/m.exec(stdout) ?? [];
  const [, saved = file] = /^Save it as (\S+), then/m.exec(stdout) ?? [];
  if (text !== undefined) writeFileSync(saved, text);
  const [, command] = /: (latchkey issuer test .*)\n$/.exec(stdout)!;
  return run(wordsOf(command!), credential);
}

describe('latchkey issuer test at a certified provider', () => {
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

  const wrongBody = { ...PROVIDER, request: { ...PROVIDER.request, body: 'json' as const } };
  const wrongLifetime = { ...PROVIDER, answer: { lifetimeSec: 3600 } };
  test.each([
    ['a wrong body', wrongBody, 69, 'request: the issuer does not understand it: the body (now JSON)'],
    ['a wrong lifetime', wrongLifetime, 1, 'answer.lifetimeSec: the profile says 3600, the answer 7200'],
  ])('with %s: says so, and the printed profile and command work', async (_, profile, exitCode, says) => {
    const tested = await testProfile(profile, { args: READ });
    const after = await followed(tested);

    expect(tested.stdout).toContain(`  ${says}`);
    expect(tested.exitCode).toBe(exitCode);
    expect(after.stdout).toContain('✓ The answer is as the profile says');
    expect(after.exitCode).toBe(0);
  });

  test('with a wrong scope: refused, by the profile or by its separator', async () => {
    const tested = await testProfile(IN_BODY, { args: ['--scope', 'read write'], credential: POST });
    const after = await followed(tested, POST);

    expect(tested.stdout).toContain(
      '  request: this client may not have these scopes, or the issuer reads them otherwise. Try "," between them\n',
    );
    expect(tested.exitCode).toBe(77);
    expect(after.stdout).toContain('The answer does not name the scopes, which were sent with "," between');
  });

  test('with a wrong path: says so, and has the command for the right one', async () => {
    const tested = await testProfile(
      { ...PROVIDER, tokenEndpoint: { path: '/oauth2/token' } },
      { args: READ },
    );
    writeFileSync(tested.file, JSON.stringify(PROVIDER));

    expect(tested.stdout).toContain('tokenEndpoint: nothing takes token requests there. Check the base URL');
    expect(tested.exitCode).toBe(69);
    expect((await followed(tested)).exitCode).toBe(0);
  });

  test('with a wrong secret: refused, and without another profile if this one lists the code', async () => {
    const errors = { credentialRefused: ['invalid_client'] };

    const tested = await testProfile(PROVIDER, { args: READ, credential: WRONG });
    const listed = await testProfile({ ...PROVIDER, errors }, { args: READ, credential: WRONG });

    expect(tested.stdout).toContain('✗ the token endpoint answered 401 invalid_client');
    expect(tested.stdout).toContain('A profile to try');
    expect(listed.stdout).toContain(
      '  nothing: errors.credentialRefused lists invalid_client, so the client id or',
    );
    expect(listed.stdout).not.toContain('A profile to try');
    expect([tested.exitCode, listed.exitCode]).toEqual([77, 77]);
  });
});

test.each([
  [
    'other names of fields',
    served('other-names'),
    1,
    /answer\.accessToken: the token is in data\.accessToken, not in access_token\n.*answer\.tokenType: .*data\.kind.*\n.*answer\.expiresIn: .*data\.expiresIn[^]*"basis": "seen"/,
  ],
  [
    'the same token for each request',
    served('same-token'),
    1,
    /got the same token.*\nDiffers from the profile\n {2}answer\.sameTokenUntilSec: a second request/,
  ],
  ['the secret in a header, not in the body', served('in-header'), 77, /issuer wants them in a Basic header/],
  [
    'the secret in the body, not in a header',
    served('in-body', SECRET_IN_HEADER),
    77,
    /wants them in the body/,
  ],
])(
  'latchkey issuer test finds %s; the printed profile and command work',
  async (_, profile, exitCode, says) => {
    const { tokenBaseUrl, tenants } = sandbox.issuers.find(({ name }) => name === profile.name)!;
    const credential = tenants[0].clientCredentials;

    const tested = await testProfile(profile, { args: ['--twice'], credential, at: tokenBaseUrl });
    const after = await followed(tested, credential);

    expect(tested.stdout).toMatch(says);
    expect(tested.exitCode).toBe(exitCode);
    expect(after.stdout).toContain('✓ The answer is as the profile says');
    expect(after.exitCode).toBe(0);
  },
);

test('of the learning platform, it asks what the flags do not say, the credential without echo', async () => {
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

  expect(await testIssuer(context, {})).toBe(0);

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

describe('latchkey issuer test refuses, before it reads the credential,', () => {
  test('flags that miss a parameter, and names it', async () => {
    const { exitCode, stderr } = await run(['issuer', 'test', 'auth0', '--parameter', 'host=a.auth0.com']);

    expect(exitCode).toBe(2);
    expect(stderr).toContain('issuer test: found no --parameter audience=…; allowed: these flags');
  });

  test.each([
    [['canary'], 2],
    [['auth0', 'canary-secret-in-an-argument'], 64],
    [['auth0', '--parameter', 'canary-of-a-secret=canary'], 64],
    [['paypal', '--environment', 'live', '--scope', 'canary  canary'], 2],
    [['auth0', '--parameter', 'canary-of-a-parameter=canary'], 2],
    [['./missing.json'], 2],
    [[], 2],
  ])('%j without showing it', async (args, exitCode) => {
    const failed = await run(['issuer', 'test', ...args]).catch((error: unknown) => error as Error);

    expect(failed).toMatchObject({ exitCode });
  });
});

describe('latchkey issuer test at any server', () => {
  const TOKEN = { access_token: 'x'.repeat(30), token_type: 'bearer', expires_in: 7200 };
  /** Has the server answer each request like this. */
  const answering = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    scripted.behavior = (response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
  };
  const tested = (args: string[] = []) => testProfile(PROVIDER, { at: scripted.url, args });

  test('says nothing about the token of a second request that gets none', async () => {
    answering(200, TOKEN);
    const { behavior } = scripted;
    scripted.behavior = (response, request) => {
      behavior(response, request);
      answering(503, '');
    };

    const { stdout } = await tested(['--twice']);

    expect(stdout).toContain('✓ Usable as a token');
    expect(stdout).not.toContain('The second request got');
  });

  test('shows an error that repeats the credential, with escapes, without it', async () => {
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

    const { stdout, exitCode } = await tested();

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
  ])('shows no token %s', async (_, body) => {
    answering(200, body);

    expect((await tested()).stdout).toContain('status 200');
  });

  test('never follows a redirect, and shows only its host', async () => {
    answering(302, '', { location: 'https://login.example.com/canary?code=canary' });

    const { stdout, exitCode } = await tested();

    expect(stdout).toContain('Location  https://login.example.com/…');
    expect(exitCode).toBe(69);
  });

  test('finds more scopes than requested, and a code of an error in another place', async () => {
    answering(200, { ...TOKEN, scope: 'a b c' });
    const more = await tested(['--scope', 'a b']);
    const after = await followed(more);
    answering(400, { fault: { code: 'invalid_client' } });
    const elsewhere = await tested();

    expect(more.stdout).toContain('answer.mayGrantMore: 1 more scopes are granted than requested');
    expect(after.exitCode).toBe(0);
    expect(elsewhere.stdout).toContain('errors.code: the code of the error is in fault.code, not in error');
  });

  test('gives one reason and the next step for a host that does not exist or is not trusted', async () => {
    const nowhere = await testProfile(PROVIDER, { at: 'https://127.0.0.1:1' });
    const { url } = await LoopbackServer.start(await (await CertificateAuthority.create()).issue());
    const untrusted = await testProfile(PROVIDER, { at: url });

    expect(nowhere.stdout).toMatch(
      /✗ 127\.0\.0\.1:1 gave no answer: no connection \(ECONNREFUSED\)\nCheck the host/,
    );
    expect(untrusted.stdout).toMatch(
      /gave no answer: TLS failed .*\nThe certificate is not trusted.*NODE_EXTRA_CA_CERTS/,
    );
    expect([nowhere.exitCode, untrusted.exitCode]).toEqual([69, 69]);
  });
});
