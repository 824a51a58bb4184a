import { SignatureV4 } from '@smithy/signature-v4';
import { type AwsError } from '../../src/aws/aws-error';
import { type SignedRequest } from '../../src/iam/canonical-request';
import { type AccessKey, Credentials } from '../../src/iam/access-keys';
import { verifySignature } from '../../src/iam/sigv4';
import { Sha256 } from '../../src/testing/signed-fetch';

const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const MINUTE_MS = 60_000;
const REGION = 'eu-west-1';
/** Of AWS's test suites. */
const DOCUMENTED_KEY = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};

interface Given {
  method?: string;
  path?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: string;
  service?: string;
  signedAtMs?: number;
}

/** A request as the AWS SDK signs it. */
async function sign(key: AccessKey, given: Given = {}): Promise<SignedRequest> {
  const signer = new SignatureV4({
    credentials: key,
    region: REGION,
    service: given.service ?? 'lambda',
    sha256: Sha256 as never,
  });
  const { method = 'POST', path = '/2015-03-31/functions/f/invocations', query = {}, body = '{}' } = given;
  const signed = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: '127.0.0.1',
      path,
      query,
      headers: { host: '127.0.0.1:4566', ...given.headers },
      body,
    },
    { signingDate: new Date(given.signedAtMs ?? NOW_MS) },
  );
  const search = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return {
    method,
    url: search.length > 0 ? `${path}?${search.join('&')}` : path,
    headers: Object.fromEntries(
      Object.entries(signed.headers).map(([name, value]) => [name.toLowerCase(), [value]]),
    ),
    body: Buffer.from(body),
  };
}

let nowMs: number;
let credentials: Credentials;
let administrator: AccessKey;

beforeEach(() => {
  nowMs = NOW_MS;
  credentials = new Credentials('111111111111', { nowMs: () => nowMs });
  administrator = credentials.issueForAdministrator();
});

const roleKey = (withSessionToken: boolean): AccessKey =>
  credentials.issueForRole('arn:aws:iam::111111111111:role/r', 's', { withSessionToken });
const verify = (request: SignedRequest, service = 'lambda') =>
  verifySignature(request, { service, region: REGION, nowMs, credentials });
const refusalOf = (request: SignedRequest, service?: string): AwsError => {
  try {
    verify(request, service);
  } catch (error) {
    return error as AwsError;
  }
  throw new Error('the signature was accepted');
};
const withHeader = (request: SignedRequest, name: string, value: string | undefined): SignedRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value === undefined ? undefined : [value] },
});
const withAuthorization = (request: SignedRequest, change: (given: string) => string) =>
  withHeader(request, 'authorization', change(request.headers.authorization![0]!));

// IAM user guide, reference_sigv-create-signed-request: the example of the documentation's test suite "get-vanilla".
it('accepts the documented example get-vanilla', () => {
  const request: SignedRequest = {
    method: 'GET',
    url: '/',
    headers: {
      host: ['example.amazonaws.com'],
      'x-amz-date': ['20150830T123600Z'],
      authorization: [
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, ' +
          'Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
      ],
    },
    body: Buffer.alloc(0),
  };

  const principal = verifySignature(request, {
    service: 'service',
    region: 'us-east-1',
    nowMs: Date.parse('2015-08-30T12:36:00Z'),
    credentials: { find: () => ({ ...DOCUMENTED_KEY, principal: administrator.principal }) },
  });

  expect(principal).toBe(administrator.principal);
});

it.each<[string, Given]>([
  ['a plain path', {}],
  [
    'a path with an encoded ARN',
    { path: '/2015-03-31/functions/arn%3Aaws%3Alambda%3Aeu-west-1%3A1%3Afunction%3Af/invocations' },
  ],
  ['a path that ends in a slash', { path: '/a/b/' }],
  ['a query that needs sorting and encoding', { query: { b: 'x y', a: "it's (1)*", A: 'ü/=&' } }],
  ['headers with runs of spaces', { headers: { 'x-amz-target': '  a   b ' } }],
  ['another service', { service: 'execute-api' }],
  ['a body that is not ASCII', { body: '{"a":"ü"}' }],
  ['an empty GET', { method: 'GET', body: '' }],
])('accepts %s as the SDK signs it', async (_, given) => {
  const request = await sign(administrator, given);

  expect(verify(request, given.service).kind).toBe('administrator');
});

it('returns the role session that signed', async () => {
  const key = credentials.issueForRole('arn:aws:iam::111111111111:role/p/reader', 'one', {
    withSessionToken: true,
  });

  expect(verify(await sign(key))).toEqual({
    kind: 'role-session',
    accountId: '111111111111',
    arn: 'arn:aws:sts::111111111111:assumed-role/reader/one',
    roleArn: 'arn:aws:iam::111111111111:role/p/reader',
    sessionName: 'one',
  });
});

it.each<[string, (request: SignedRequest) => SignedRequest | Promise<SignedRequest>]>([
  ['a changed body', (request) => ({ ...request, body: Buffer.from('{"a":1}') })],
  ['a changed path', (request) => ({ ...request, url: '/2015-03-31/functions/g/invocations' })],
  ['a changed query', (request) => ({ ...request, url: `${request.url}?Qualifier=1` })],
  ['a changed method', (request) => ({ ...request, method: 'PUT' })],
  ['a changed host', (request) => withHeader(request, 'host', 'example.org')],
  ['a changed header', (request) => withHeader(request, 'x-amz-content-sha256', '0'.repeat(64))],
  [
    'the hash of another body',
    () => sign(administrator, { headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } }),
  ],
  ['a wrong secret', () => sign({ ...administrator, secretAccessKey: 'wrong' })],
  ['more than its digits', (request) => withAuthorization(request, (given) => `${given}zz`)],
  ['one digit too few', (request) => withAuthorization(request, (given) => given.slice(0, -1))],
  [
    'capital letters',
    (request) =>
      withAuthorization(request, (given) =>
        given.replace(/(?<=Signature=).*/, (digits) => digits.toUpperCase()),
      ),
  ],
])('refuses a signature with %s', async (_, change) => {
  const refusal = refusalOf(await change(await sign(administrator)));

  expect(refusal.code).toBe('InvalidSignatureException');
  expect(refusal.message).toMatch(
    /^The request signature we calculated does not match the signature you provided/,
  );
});

// https://github.com/envoyproxy/envoy/issues/23702
it.each<[string, (authorization: string) => string[]]>([
  ['two Authorization headers', (given) => [given, given]],
  ['two Authorization headers, one of another scheme', (given) => [given, 'Bearer x']],
  ['two Authorization headers, one of another parameter', (given) => [given, 'a=b']],
  ['two signatures in one header', (given) => [`${given},${given}`]],
  ['a parameter twice', (given) => [`${given}, Signature=${'0'.repeat(64)}`]],
  ['a parameter without a value', (given) => [`${given}, x`]],
  ['a space behind an equal-sign', (given) => [given.replace('Credential=', 'Credential= ')]],
])('refuses %s', async (_, change) => {
  const request = await sign(administrator);
  const authorization = change(request.headers.authorization?.[0] ?? '');

  const refusal = refusalOf({ ...request, headers: { ...request.headers, authorization } });

  expect(refusal.code).toBe('IncompleteSignatureException');
});

// https://github.com/postmanlabs/newman/pull/241, https://github.com/tedder/requests-aws4auth/issues/7
describe('with Date instead of X-Amz-Date', () => {
  /** The example get-vanilla of Signature Version 4's first test suite. */
  const signed = (date: string, more: SignedRequest['headers'] = {}): SignedRequest => ({
    method: 'GET',
    url: '/',
    headers: {
      host: ['host.foo.com'],
      date: [date],
      authorization: [
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20110909/us-east-1/host/aws4_request, SignedHeaders=date;host, ' +
          'Signature=b27ccfbfa7df52a200ff74193ca6e32d4b48b8856fab7ebf1c595d0670a7e470',
      ],
      ...more,
    },
    body: Buffer.alloc(0),
  });
  const verifyAt = (request: SignedRequest, time: string) =>
    verifySignature(request, {
      service: 'host',
      region: 'us-east-1',
      nowMs: Date.parse(time),
      credentials: { find: () => ({ ...DOCUMENTED_KEY, principal: administrator.principal }) },
    });
  const DATE = 'Mon, 09 Sep 2011 23:36:00 GMT';

  it('accepts the date in the format of HTTP', () => {
    expect(verifyAt(signed(DATE), '2011-09-09T23:36:00Z')).toBe(administrator.principal);
  });

  it('refuses it after 5 minutes', () => {
    expect(() => verifyAt(signed(DATE), '2011-09-09T23:41:01Z')).toThrow(
      'Signature expired: 20110909T233600Z is now earlier than 20110909T233601Z (20110909T234101Z - 5 min.)',
    );
  });

  it('refuses another date than the signed one', () => {
    expect(() => verifyAt(signed(DATE.replace('36', '37')), '2011-09-09T23:37:00Z')).toThrow(
      /does not match/,
    );
  });

  it('refuses a date that is none', () => {
    expect(() => verifyAt(signed('today'), '2011-09-09T23:36:00Z')).toThrow(
      "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.",
    );
  });

  it('uses X-Amz-Date if there are both', async () => {
    const request = await sign(administrator, { headers: { date: DATE } });

    expect(verify(request).kind).toBe('administrator');
  });
});

it('names both dates if the one in the scope is another', async () => {
  const request = withAuthorization(await sign(administrator), (given) =>
    given.replace('/20260301/', '/20260228/'),
  );

  expect(refusalOf(request).message).toBe(
    "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '20260228' != '20260301', from '20260301T120000Z'.",
  );
});

it('refuses an x-amz- header that the signature does not cover', async () => {
  const request = withHeader(await sign(administrator), 'x-amz-invocation-type', 'Event');

  expect(refusalOf(request).message).toContain("'x-amz-invocation-type' must be a 'SignedHeader'");
});

describe.each([
  ['secretsmanager', 5],
  ['ssm', 5],
  ['lambda', 5],
  ['execute-api', 5],
  ['logs', 5],
  ['sts', 15],
  ['sqs', 15],
])('%s', (service, limit) => {
  const signed = (minutes: number) =>
    sign(administrator, { service, signedAtMs: NOW_MS + minutes * MINUTE_MS });

  it.each([-limit, limit])('accepts a request signed %d minutes from now', async (minutes) => {
    expect(verify(await signed(minutes), service).kind).toBe('administrator');
  });

  it(`refuses a request signed over ${limit} minutes ago or ahead, as AWS words it`, async () => {
    const times = {
      5: ['115400', '115500', '120600', '120500'],
      15: ['114400', '114500', '121600', '121500'],
    };
    const [old, earliest, early, latest] = times[limit as 5 | 15];
    const now = '20260301T120000Z';

    expect(refusalOf(await signed(-limit - 1), service)).toMatchObject({
      code: 'InvalidSignatureException',
      message: `Signature expired: 20260301T${old}Z is now earlier than 20260301T${earliest}Z (${now} - ${limit} min.)`,
    });
    expect(refusalOf(await signed(limit + 1), service).message).toBe(
      `Signature not yet current: 20260301T${early}Z is still later than 20260301T${latest}Z (${now} + ${limit} min.)`,
    );
  });
});

it('rejects a service or region other than the one it was signed for', async () => {
  expect(refusalOf(await sign(administrator), 'execute-api').message).toContain(
    "correct service: 'execute-api'",
  );
  const moved = withAuthorization(await sign(administrator), (given) => given.replace(REGION, 'us-east-1'));
  expect(refusalOf(moved).message).toContain('valid region');
});

it('refuses an unknown key, and a temporary key with a wrong or no token', async () => {
  const temporary = roleKey(true);
  const requests = [
    await sign({ ...administrator, accessKeyId: 'AKIAUNKNOWN' }),
    await sign({ ...temporary, sessionToken: 'x'.repeat(256) }),
    await sign({ ...temporary, sessionToken: undefined }),
  ];

  for (const request of requests) {
    expect(refusalOf(request)).toMatchObject({
      code: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
    });
  }
});

it('refuses a temporary key after its twelve hours', async () => {
  const key = roleKey(true);
  nowMs += 12 * 60 * MINUTE_MS - 1;
  expect(verify(await sign(key, { signedAtMs: nowMs })).kind).toBe('role-session');

  nowMs += 1;

  expect(refusalOf(await sign(key, { signedAtMs: nowMs })).code).toBe('ExpiredTokenException');
});

it('keeps a role key without a session token for the whole run', async () => {
  const key = roleKey(false);
  nowMs += 30 * 24 * 60 * MINUTE_MS;

  expect(key.accessKeyId).toMatch(/^AKIA[A-Z2-7]{16}$/);
  expect(verify(await sign(key, { signedAtMs: nowMs })).kind).toBe('role-session');
});

const CREDENTIAL = 'AWS4-HMAC-SHA256 Credential=a/20260301';
it.each<[string, string | undefined, string]>([
  ['no Authorization', undefined, 'MissingAuthenticationToken'],
  ['another scheme', 'Bearer x', 'IncompleteSignature'],
  ['no signature', `${CREDENTIAL}/eu-west-1/lambda/aws4_request, SignedHeaders=host`, 'IncompleteSignature'],
  ['a truncated credential', `${CREDENTIAL}, SignedHeaders=host, Signature=00`, 'IncompleteSignature'],
])('refuses %s', async (_, authorization, code) => {
  const request = withHeader(await sign(administrator), 'authorization', authorization);

  expect(refusalOf(request).code).toBe(`${code}Exception`);
});

it('rejects a query that is not percent-encoding, and a missing date', async () => {
  const request = await sign(administrator);

  expect(refusalOf({ ...request, url: '/?a=%zz' }).code).toBe('IncompleteSignatureException');
  expect(refusalOf(withHeader(request, 'x-amz-date', undefined)).code).toBe('IncompleteSignatureException');
});

it('never repeats a key, a token or a signature in a refusal', async () => {
  const key = roleKey(true);
  const request = await sign(key);
  const signature = /Signature=(\w+)/.exec(request.headers.authorization?.[0] ?? '')?.[1] ?? 'none';
  const texts = [
    refusalOf({ ...request, body: Buffer.from('other') }).message,
    refusalOf(withHeader(request, 'x-amz-security-token', 'wrong')).message,
  ].join();

  for (const secret of [signature, key.secretAccessKey, key.sessionToken ?? 'none'])
    expect(texts).not.toContain(secret);
});
