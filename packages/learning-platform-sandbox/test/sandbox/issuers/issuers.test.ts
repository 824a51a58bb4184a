import { createSandbox, type IssuerTenant, type Sandbox, type SandboxIssuer } from '../../../src';
import { BLACKBOARD, CORNERSTONE, IN_PATH } from './profiles';

const NOON_MS = Date.UTC(2026, 0, 31, 12);
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

let sandbox: Sandbox;
afterEach(() => sandbox.stop());

/** Serves one issuer with the tenants `acme` and `other`. */
async function serve(profile: object): Promise<{ issuer: SandboxIssuer; acme: IssuerTenant }> {
  sandbox = await createSandbox({
    issuers: [{ profile, tenants: [{ tenantId: 'acme' }, { tenantId: 'other' }] }],
    nowMs: () => NOON_MS,
  });
  const [issuer] = sandbox.issuers as [SandboxIssuer];
  return { issuer, acme: issuer.tenants[0] };
}

async function post(url: string, headers: Record<string, string>, body: string) {
  const answer = await sandbox.fetch(url, { method: 'POST', headers, body });
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as Record<string, unknown>,
  };
}

const basicOf = ({ clientId, clientSecret }: IssuerTenant['clientCredentials']) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

async function whoami({ whoamiUrl }: SandboxIssuer, token: unknown) {
  const answer = await sandbox.fetch(whoamiUrl, { headers: { authorization: `Bearer ${String(token)}` } });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

describe('JSON with the tenant in the path', () => {
  const fieldsOf = ({ clientCredentials: { clientId, clientSecret } }: IssuerTenant, change: object = {}) =>
    JSON.stringify({
      grant_type: 'client_credentials',
      scope: 'read write',
      client_id: clientId,
      client_secret: clientSecret,
      ...change,
    });
  const headers = { ...JSON_TYPE, 'x-api-version': 'v2.0' };
  const tokenUrl = ({ tokenBaseUrl }: SandboxIssuer, tenantId = 'acme') =>
    `${tokenBaseUrl}/oauth2/token/${tenantId}`;

  test('gets a token that its resource accepts until it expires', async () => {
    const { issuer, acme } = await serve(IN_PATH);

    const answer = await post(tokenUrl(issuer), headers, fieldsOf(acme));

    const token = answer.body.access_token;
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await whoami(issuer, token)).toMatchObject({
      status: 200,
      body: { tenantId: 'acme', scopes: ['read', 'write'], expiresAt: '2026-01-31T13:00:00.000Z' },
    });
    sandbox.clock.advance(3600);
    const refused = await whoami(issuer, token);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="in-path", error="invalid_token"');
  });

  test.each<[string, object, number, string]>([
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['no secret', { client_secret: undefined }, 401, 'invalid_client'],
    ['an unknown scope', { scope: 'read delete' }, 400, 'invalid_scope'],
    ['scopes separated otherwise', { scope: 'read,write' }, 400, 'invalid_scope'],
    ['a password grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no grant type', { grant_type: '' }, 400, 'invalid_request'],
    ['a scope that is no text', { scope: 7 }, 400, 'invalid_scope'],
  ])('refuses %s', async (_, change, status, error) => {
    const { issuer, acme } = await serve(IN_PATH);

    const answer = await post(tokenUrl(issuer), headers, fieldsOf(acme, change));

    expect(answer).toMatchObject({
      status,
      body: { error, error_description: expect.any(String) as string },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('refuses the credential of another tenant, another content type, and a missing header', async () => {
    const { issuer, acme } = await serve(IN_PATH);

    const answers = await Promise.all([
      post(tokenUrl(issuer, 'other'), headers, fieldsOf(acme)),
      post(tokenUrl(issuer), { ...headers, ...FORM_TYPE }, fieldsOf(acme)),
      post(tokenUrl(issuer), JSON_TYPE, fieldsOf(acme)),
      post(tokenUrl(issuer), headers, '[]'),
      post(tokenUrl(issuer), headers, '{'),
      post(tokenUrl(issuer), headers, fieldsOf(acme, { client_id: undefined })),
      post(`${issuer.tokenBaseUrl}/oauth2/token`, headers, fieldsOf(acme)),
    ]);

    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [401, 'invalid_client'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [401, 'invalid_client'],
      [404, 'Not Found'],
    ]);
  });

  test('issues a token without a scope, and for a test', async () => {
    const { issuer, acme } = await serve(IN_PATH);

    const { body } = await post(tokenUrl(issuer), headers, fieldsOf(acme, { scope: undefined }));
    const issued = sandbox.issueToken({ ...acme, scope: 'read write' });

    expect(await whoami(issuer, body.access_token)).toMatchObject({ status: 200, body: { scopes: [] } });
    expect(await whoami(issuer, issued)).toMatchObject({ status: 200, body: { scopes: ['read', 'write'] } });
    expect(() => sandbox.issueToken({ ...acme, scope: 'delete' })).toThrow(
      'scope: found "delete"; allowed: read, write',
    );
  });
});

describe('a form with Basic authentication and the same token', () => {
  const GRANT = 'grant_type=client_credentials';
  const tokenUrl = ({ tokenBaseUrl }: SandboxIssuer) => `${tokenBaseUrl}/learn/api/public/v1/oauth2/token`;
  const basic = (credentials: IssuerTenant['clientCredentials']) => ({
    ...FORM_TYPE,
    authorization: basicOf(credentials),
  });
  const request = (issuer: SandboxIssuer, { clientCredentials }: IssuerTenant) =>
    post(tokenUrl(issuer), basic(clientCredentials), GRANT);

  test('returns the token with the seconds that are left, until it has expired', async () => {
    const { issuer, acme } = await serve(BLACKBOARD);

    const first = await request(issuer, acme);
    sandbox.clock.advance(3599);
    sandbox.issueToken(acme);
    const second = await request(issuer, acme);
    sandbox.clock.advance(1);
    const third = await request(issuer, acme);

    expect(first.body).toMatchObject({ expires_in: 3600 });
    expect(second.body).toMatchObject({ access_token: first.body.access_token, expires_in: 1 });
    expect(third.body).toMatchObject({ expires_in: 3600 });
    expect(third.body.access_token).not.toBe(first.body.access_token);
  });

  test('returns another one sooner if the profile says so', async () => {
    const { issuer, acme } = await serve({
      ...BLACKBOARD,
      answer: { lifetimeSec: 900, sameTokenUntilSec: 300 },
    });

    const first = await request(issuer, acme);
    sandbox.clock.advance(599);
    const second = await request(issuer, acme);
    sandbox.clock.advance(1);
    const third = await request(issuer, acme);

    expect(second.body).toEqual({ ...first.body, expires_in: 301 });
    expect(third.body).toMatchObject({ expires_in: 900 });
    expect(third.body.access_token).not.toBe(first.body.access_token);
  });

  test('returns another one to another tenant, and once the token is revoked', async () => {
    const { issuer, acme } = await serve(BLACKBOARD);

    const first = await request(issuer, acme);
    const others = await request(issuer, issuer.tenants[1]!);
    await sandbox.control('DELETE', '/tokens', { accessToken: first.body.access_token });
    const next = await request(issuer, acme);

    const tokens = [first, others, next].map(({ body }) => body.access_token);
    const accepted = await Promise.all(tokens.map((token) => whoami(issuer, token)));
    expect(new Set(tokens).size).toBe(3);
    expect(accepted.map(({ status }) => status)).toEqual([401, 200, 200]);
  });

  test('decodes each part, and challenges a client that it refuses', async () => {
    const { issuer } = await serve(BLACKBOARD);
    const given = { tenantId: 'acme', clientId: 'a:b', clientSecret: 'p%20q + ü' };
    await sandbox.control('POST', '/issuers/blackboard-learn/credentials', given);

    const encoded = await post(
      tokenUrl(issuer),
      basic({ clientId: 'a%3Ab', clientSecret: 'p%2520q+%2B+%C3%BC' }),
      GRANT,
    );
    const plain = await post(tokenUrl(issuer), basic({ clientId: 'a', clientSecret: 'p%2520q' }), GRANT);

    expect(encoded.status).toBe(200);
    expect(plain).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(plain.headers.get('www-authenticate')).toBe('Basic realm="blackboard-learn"');
  });

  test('refuses two authentications at once, a repeated parameter, and the secret in the body', async () => {
    const { issuer, acme } = await serve(BLACKBOARD);
    const { clientId, clientSecret } = acme.clientCredentials;
    const inBody = `client_id=${clientId}&client_secret=${clientSecret}`;

    const answers = await Promise.all([
      post(tokenUrl(issuer), basic(acme.clientCredentials), `${GRANT}&${inBody}`),
      post(tokenUrl(issuer), basic(acme.clientCredentials), `${GRANT}&${GRANT}`),
      post(tokenUrl(issuer), FORM_TYPE, `${GRANT}&${inBody}`),
    ]);

    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [401, 'invalid_client'],
    ]);
  });
});

test('a client identifier outside of the Basic header must be the one in it', async () => {
  const { issuer, acme } = await serve({ ...BLACKBOARD, tokenEndpoint: { path: '/{clientId}/token' } });
  const { clientId } = acme.clientCredentials;
  const authorization = basicOf(acme.clientCredentials);
  const request = (pathClientId: string, headers: object) => {
    const url = `${issuer.tokenBaseUrl}/${pathClientId}/token`;
    return post(url, { ...FORM_TYPE, ...headers }, 'grant_type=client_credentials');
  };

  const answers = [
    await request(clientId, { authorization }),
    await request('another', { authorization }),
    await request(clientId, {}),
  ];

  expect(answers.map(({ status, body }) => [status, body.error, body.error_description])).toEqual([
    [200, undefined, undefined],
    [401, 'invalid_client', 'the Basic credentials belong to another client'],
    [401, 'invalid_client', 'no client authentication with the Basic scheme'],
  ]);
});

describe('JSON with names of its own', () => {
  const request = (
    { tokenBaseUrl }: SandboxIssuer,
    { clientCredentials }: IssuerTenant,
    change: object = {},
  ) =>
    post(
      `${tokenBaseUrl}/services/api/oauth2/token`,
      JSON_TYPE,
      JSON.stringify({ ...clientCredentials, grantType: 'client_credentials', scope: 'all', ...change }),
    );

  test('knows the tenant by the client identifier', async () => {
    const { issuer } = await serve(CORNERSTONE);

    const answers = await Promise.all(issuer.tenants.map((tenant) => request(issuer, tenant)));

    const seen = await Promise.all(answers.map(({ body }) => whoami(issuer, body.access_token)));
    expect(seen).toMatchObject([{ body: { tenantId: 'acme' } }, { body: { tenantId: 'other' } }]);
    expect(sandbox.requests().map(({ tenantId, target }) => [tenantId, target])).toEqual(
      expect.arrayContaining([
        ['acme', 'token'],
        ['other', 'token'],
        ['acme', 'resource'],
      ]),
    );
  });

  test.each([
    ['another grant', { grantType: 'password' }, 'unsupported_grant_type'],
    ['a scope that is none', { scope: 'read  write' }, 'invalid_scope'],
  ])('refuses %s', async (_, change, error) => {
    const { issuer, acme } = await serve(CORNERSTONE);

    expect(await request(issuer, acme, change)).toMatchObject({ status: 400, body: { error } });
  });

  test('has the same token for the same scopes, if the profile says so', async () => {
    const { issuer, acme } = await serve({ ...CORNERSTONE, answer: { sameTokenUntilSec: 0 } });

    const answers = [
      await request(issuer, acme),
      await request(issuer, acme, { scope: 'read' }),
      await request(issuer, acme),
    ];

    const [all, read, again] = answers.map(({ body }) => body.access_token);
    expect(again).toBe(all);
    expect(read).not.toBe(all);
  });

  test('accepts a replaced secret in place of the old one, and no revoked credential', async () => {
    const { issuer, acme } = await serve(CORNERSTONE);
    const { clientId } = acme.clientCredentials;
    const { body } = await request(issuer, acme);

    const replaced = await sandbox.control('POST', '/issuers/cornerstone/credentials', {
      tenantId: 'acme',
      clientId,
      clientSecret: 'next',
    });
    const old = await request(issuer, acme);
    const next = await request(issuer, acme, { clientSecret: 'next' });
    const kept = await whoami(issuer, body.access_token);
    await sandbox.control('DELETE', '/credentials', { clientId });
    const revoked = await request(issuer, acme, { clientSecret: 'next' });
    const ended = await whoami(issuer, body.access_token);

    expect(replaced).toEqual({ clientId, clientSecret: 'next' });
    expect([old, next, kept, revoked, ended].map(({ status }) => status)).toEqual([401, 200, 200, 401, 401]);
  });

  test.each(['credentials', 'tokens'])('control knows no %s of an unknown issuer', async (what) => {
    await serve(CORNERSTONE);

    const asked = sandbox.control('POST', `/issuers/nobody/${what}`, { tenantId: 'acme' });

    await expect(asked).rejects.toMatchObject({ status: 404 });
  });

  test('has faults of one issuer, or of one of its tenants', async () => {
    const { issuer, acme } = await serve(CORNERSTONE);
    sandbox.faults.add({ target: 'token', match: { issuer: 'other' }, status: 500 });
    sandbox.faults.add({
      target: 'token',
      match: { issuer: 'cornerstone', tenantId: 'acme' },
      status: 503,
      times: 1,
    });
    sandbox.faults.add({ target: 'resource', match: { issuer: 'cornerstone' }, reset: 'before', times: 1 });

    const [other, failed, again] = [
      await request(issuer, issuer.tenants[1]!),
      await request(issuer, acme),
      await request(issuer, acme),
    ];
    const broken = whoami(issuer, again.body.access_token);

    await expect(broken).rejects.toThrow();
    expect([other, failed, again].map(({ status }) => status)).toEqual([200, 503, 200]);
    expect(await sandbox.control('GET', '/counters')).toMatchObject({
      requests: [
        { target: 'token', path: '/issuers/cornerstone/services/api/oauth2/token', status: 200, count: 2 },
        { target: 'token', status: 503, count: 1 },
        { target: 'resource', path: '/issuers/cornerstone/whoami', status: 0, count: 1 },
      ],
    });
  });
});

describe('a profile with other forms', () => {
  const OWN = {
    name: 'own',
    title: 'Its own forms',
    interfaces: { all: { scopes: ['read', 'write'] } },
    parameters: { company: { description: 'The company', pattern: '[A-Z]{3}' } },
    tokenEndpoint: { path: '/realms/{company}/token' },
    request: {
      body: 'json',
      clientAuthentication: 'client_secret_basic',
      scopeSeparator: ',',
      fields: { scope: { companyId: '{company}', userType: 'admin', names: '{scope}' } },
    },
    answer: {
      accessToken: 'data.token',
      tokenType: false,
      expiresIn: 'data.seconds',
      lifetimeSec: 120,
      mayGrantMore: true,
    },
    errors: { code: 'problem.code', credentialRefused: ['BAD_CLIENT'], scopeRefused: ['BAD_SCOPE'] },
  };
  const request = async (scope: object, secret?: string, company = 'ABC') => {
    const { issuer, acme } = await serve(OWN);
    const { clientId, clientSecret } = acme.clientCredentials;
    const authorization = basicOf({ clientId, clientSecret: secret ?? clientSecret });
    const url = `${issuer.tokenBaseUrl}/realms/${company}/token`;
    return post(url, { ...JSON_TYPE, authorization }, JSON.stringify({ scope }));
  };
  const SCOPE = { companyId: 'ABC', userType: 'admin', names: 'read' };

  test('reads nested fields, and answers where the profile says', async () => {
    const { status, body } = await request(SCOPE);

    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { token: expect.any(String) as string, seconds: 120 }, scope: 'read,write' },
    });
  });

  test.each<[string, Parameters<typeof request>, string]>([
    ['a wrong secret', [SCOPE, 'wrong'], 'BAD_CLIENT'],
    ['an unknown scope', [{ ...SCOPE, names: 'read,delete' }], 'BAD_SCOPE'],
    ['a wrong constant', [{ ...SCOPE, userType: 'user' }], 'invalid_request'],
    ['values that contradict each other', [SCOPE, undefined, 'XYZ'], 'invalid_request'],
    ['a value that does not match', [{ ...SCOPE, companyId: 'abc' }, undefined, 'abc'], 'invalid_request'],
  ])('refuses %s with its code in its place', async (_, args, code) => {
    const { status, body } = await request(...args);

    expect({ status, body }).toMatchObject({ status: 400, body: { problem: { code } } });
  });
});

/** Asks an issuer with the tenant in the path for a token of its first tenant, with a form. */
async function requestByForm(change: object, scope: string) {
  const { issuer, acme } = await serve({ ...IN_PATH, ...change });
  const { clientId: client_id, clientSecret: client_secret } = acme.clientCredentials;
  const fields = { grant_type: 'client_credentials', client_id, client_secret, scope };
  return post(`${issuer.tokenBaseUrl}/oauth2/token/acme`, FORM_TYPE, new URLSearchParams(fields).toString());
}

test('a token of an issuer with one scope at most has no second one', async () => {
  const one = await requestByForm({ request: { oneScope: true } }, 'read');
  await sandbox.stop();
  const two = await requestByForm({ request: { oneScope: true } }, 'read write');

  expect(one.status).toBe(200);
  expect(two).toMatchObject({
    status: 400,
    body: { error: 'invalid_scope', error_description: 'more than one scope' },
  });
});

test('a status in place of a code refuses without a code', async () => {
  const { status, body } = await requestByForm({ request: {}, errors: { scopeRefused: ['403'] } }, 'delete');

  expect({ status, body }).toEqual({
    status: 403,
    body: { error_description: expect.any(String) as string },
  });
});

describe('the seed', () => {
  const tenants = [{ tenantId: 'acme' }];

  test.each<[string, object, string]>([
    [
      'an unknown placeholder',
      { tokenEndpoint: { path: '/{realm}/token' } },
      'tokenEndpoint.path: found "/{realm}/token"',
    ],
    ['an unknown field', { answer: { token: 'a' } }, 'answer.token: found a field of this name'],
    [
      'a path of another form',
      { tokenEndpoint: { path: 'token?a=b' } },
      'tokenEndpoint.path: found "token?a=b"',
    ],
    [
      'fields without the secret',
      { request: { fields: { client_id: '{clientId}' } } },
      'request.fields: found',
    ],
    [
      'objects in a form',
      { request: { clientAuthentication: 'client_secret_basic', fields: { scope: { a: 'b' } } } },
      'request.fields.scope: found',
    ],
    [
      'a pattern that is none',
      { parameters: { a: { description: '', pattern: '(' } } },
      'parameters.a.pattern: found',
    ],
  ])('refuses a profile with %s', async (_, change, issue) => {
    const issuers = [{ profile: { ...IN_PATH, ...change }, tenants }];

    await expect(createSandbox({ issuers })).rejects.toThrow(`issuers[0].profile.${issue}`);
  });

  test('refuses a name twice', async () => {
    const issuers = [IN_PATH, IN_PATH].map((profile) => ({ profile, tenants }));

    await expect(createSandbox({ issuers })).rejects.toThrow('issuers[1]: found ');
  });
});

test('an issuer can be served twice under two names, each on a port of its own', async () => {
  sandbox = await createSandbox({
    issuers: ['one', 'two'].map((name) => ({ name, profile: IN_PATH, tenants: [{ tenantId: 'acme' }] })),
    separatePorts: true,
  });
  const [one, two] = sandbox.issuers as [SandboxIssuer, SandboxIssuer];
  const token = sandbox.issueToken(one.tenants[0]);
  sandbox.faults.add({ target: 'token', match: { issuer: 'two' }, certificate: 'expired' });

  expect(new URL(one.tokenBaseUrl).port).not.toBe(new URL(two.tokenBaseUrl).port);
  expect((await whoami(one, token)).status).toBe(200);
  await expect(whoami(two, token)).rejects.toThrow();
  expect(await sandbox.control('GET', '/issuers')).toEqual({
    issuers: ['one', 'two'].map((name) => ({ name, title: IN_PATH.title, tenantIds: ['acme'] })),
  });
});
