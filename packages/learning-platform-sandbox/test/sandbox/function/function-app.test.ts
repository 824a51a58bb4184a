import { functionApp, type ProxyEvent } from '../../../src/sandbox/function/function-app';
import { type StoredState, StoredSandbox } from '../../../src/sandbox/function/stored-sandbox';
import { SEED, TENANT } from '../platform-under-test';

const SECRET = 's3cret';
const ON_AWS = { domainName: 'abc123.execute-api.eu-west-1.amazonaws.com', domainPrefix: 'abc123' };
const HEADERS = { authorization: `Bearer ${SECRET}` };

let errors: Error[];
let controlSecret: () => Promise<string>;
let isStoreDown: boolean;
beforeEach(() => {
  errors = [];
  controlSecret = async () => SECRET;
  isStoreDown = false;
});

/** Sends a request as API Gateway passes it on. */
async function send(
  path: string,
  {
    headers = {},
    method = 'GET',
    context = {},
    json,
  }: {
    headers?: Record<string, string>;
    method?: string;
    context?: Partial<ProxyEvent['requestContext']>;
    json?: object;
  } = {},
): Promise<Response> {
  let last: StoredState | undefined;
  const store = {
    read: async () => {
      if (isStoreDown) throw new Error('the table is not there');
      return last;
    },
    replace: async (_: unknown, next: StoredState) => {
      last = next;
      return true;
    },
  };
  const onUnexpectedError = (error: Error) => void errors.push(error);
  const sandbox = new StoredSandbox({ seed: SEED, store, onUnexpectedError });
  const app = functionApp({ sandbox, controlSecret: () => controlSecret(), onUnexpectedError });
  const event = { path, requestContext: { apiId: 'abc123', ...ON_AWS, path: `/prod${path}`, ...context } };
  const body = json && JSON.stringify(json);
  return app.request(
    `https://${event.requestContext.domainName}${path}`,
    { method, headers, body },
    { event },
  );
}

describe('control of the sandbox behind API Gateway', () => {
  it('answers to its secret', async () => {
    expect((await send('/_sandbox/tenants', { headers: HEADERS })).status).toBe(200);
    expect(
      (await send('/_sandbox/credentials', { method: 'POST', headers: HEADERS, json: TENANT })).status,
    ).toBe(201);
  });

  it.each([
    ['nothing', undefined],
    ['another secret', 'Bearer other'],
    ['a beginning of the secret', `Bearer ${SECRET.slice(0, -1)}`],
    ['more than the secret', `Bearer ${SECRET}x`],
    ['the secret as a password', `Basic ${Buffer.from(`:${SECRET}`).toString('base64')}`],
    ['the secret alone', SECRET],
    ['nothing behind the scheme', 'Bearer '],
  ])('answers 401 to %s', async (_, authorization) => {
    const answer = await send('/_sandbox/tenants', {
      headers: authorization === undefined ? {} : { authorization },
    });

    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="control"');
    expect(await answer.text()).not.toContain('me-south-1_Staging');
  });

  it.each([
    '/',
    '/_sandbox',
    '/_sandbox/',
    '/%5Fsandbox/tenants',
    '/_sandbox%2Ftenants',
    '/_%73andbox/tenants',
    '/_sandbox//tenants',
    '//_sandbox/tenants',
    '/_sandbox/../_sandbox/tenants',
    '/_SANDBOX/tenants',
    '/x/../_sandbox/tenants',
  ])('shows nothing at %s without the secret', async (path) => {
    const answer = await send(path);

    expect([401, 404]).toContain(answer.status);
  });

  it('is closed while its secret cannot be read, and the platform is not', async () => {
    controlSecret = async () => {
      throw new Error('the secret has no value');
    };

    expect((await send('/_sandbox/tenants', { headers: HEADERS })).status).toBe(500);
    expect(errors).toHaveLength(1);
    expect((await send('/staging/mea/rest/v1/contents')).status).toBe(401);
  });
});

it.each([
  ['an API of its own host', {}, `https://${ON_AWS.domainName}/prod`],
  ['a host of several APIs', { domainName: '127.0.0.1:8443' }, 'https://127.0.0.1:8443/abc123/prod'],
  [
    'a domain',
    { domainName: 'sandbox.example.com', domainPrefix: 'sandbox', path: '/_sandbox/addresses' },
    'https://sandbox.example.com',
  ],
])('the addresses of %s are those at which its callers find it', async (_, context, base) => {
  const answer = await send('/_sandbox/addresses', { headers: HEADERS, context });

  const { control, deployments } = (await answer.json()) as {
    control: string;
    deployments: { contentBaseUrl: string }[];
  };
  expect(control).toBe(`${base}/_sandbox`);
  expect(deployments[0]!.contentBaseUrl).toBe(`${base}/staging/mea/rest/v1`);
});

it('a table that does not answer is reported, and shown to nobody', async () => {
  isStoreDown = true;
  const answer = await send('/staging/mea/rest/v1/contents');

  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({
    status: 500,
    error: 'Internal Server Error',
    message: 'unexpected error',
  });
  expect(errors.map(({ message }) => message)).toEqual(['the table is not there']);
});
