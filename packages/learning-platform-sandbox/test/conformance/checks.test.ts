import { type Check } from '../../src/conformance/check';
import { ALL_CHECKS } from '../../src/conformance/checks/all-checks';
import { type HttpAnswer, type HttpRequest, type Send } from '../../src/conformance/https-requests';
import { type CheckResult, runChecks } from '../../src/conformance/run-checks';
import { controlAt } from '../../src/testing/control';
import { sandboxTenant } from '../../src/testing/sandbox-tenant';
import { askSandbox, servePlainly, UNUSED_ORIGIN } from '../support/served-sandbox';

type Fields = Readonly<Record<string, unknown>>;
type ContentRecord = { readonly items: readonly Fields[] };

const sandbox = askSandbox();

function tenantBehind(front: (platform: Send) => Send, origin = UNUSED_ORIGIN) {
  return sandboxTenant(controlAt(`${origin}/_sandbox`, sandbox), front(sandbox));
}

/** Runs checks against the sandbox behind a front that changes requests or answers. */
async function resultsOf(checks: readonly Check[], front: (platform: Send) => Send): Promise<CheckResult[]> {
  const tenant = await tenantBehind(front);
  return runChecks(checks, { read: tenant, write: tenant });
}

function checkNamed(name: string): Check {
  return ALL_CHECKS.find((check) => check.name === name)!;
}

function answerOf(status: number, body: unknown): HttpAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** The method, and the path with its query. */
function askIn({ method, url }: HttpRequest): string {
  const { pathname, search } = new URL(url);
  return `${method} ${pathname}${search}`;
}

describe('each check', () => {
  const GIVEN = { access_token: 'token', data: { generateApiKey: { apiKey: 'key' } } };

  /** What was permitted is refused, and what was refused succeeds. */
  function turnedAround({ status, body }: HttpAnswer, { url }: HttpRequest): HttpAnswer {
    // GraphQL refuses with 200. A content that does not exist tells that the request was permitted.
    const isRefused = url.endsWith('/tenants') ? !body.includes('"apiKey"') : status >= 300 && status !== 404;
    return isRefused ? answerOf(200, GIVEN) : answerOf(403, {});
  }

  /** @returns how many requests the check sent, and the one with the wrong answer if that made no difference */
  async function withAnswerTurned(check: Check, turned: number) {
    let sent = 0;
    let asked = '';
    const [result] = await resultsOf([check], (platform) => async (request) => {
      const answer = await platform(request);
      sent += 1;
      if (sent !== turned) return answer;
      asked = `${askIn(request)}: ${answer.status}`;
      return turnedAround(answer, request);
    });
    return { sent, ignored: result!.outcome === 'passed' ? [asked] : [] };
  }

  it.each(ALL_CHECKS.map((check) => [check.name, check] as const))(
    'depends on the status of each answer: %s',
    async (_name, check) => {
      const { sent } = await withAnswerTurned(check, 0);
      const ignored: string[] = [];
      for (let turned = 1; turned <= sent; turned += 1) {
        ignored.push(...(await withAnswerTurned(check, turned)).ignored);
      }

      expect(ignored).toEqual([]);
    },
  );
});

const LIST = /^GET .*\/contents(\?|$)/;
const TOKEN = /\/oauth2\/token\//;
const KEY = /\/tenants$/;

/** What a wrong platform makes of a body: fields that replace its own, or the whole body. */
type Change = Fields | ((body: never) => unknown);

function changed(body: unknown, change: Change): unknown {
  return typeof change === 'function' ? change(body as never) : { ...(body as Fields), ...change };
}

const inItems = (change: Change) => (record: ContentRecord) => ({
  ...record,
  items: record.items.map((item) => changed(item, change)),
});
const inKey = (change: Change) => (body: { data?: { generateApiKey: Fields } }) =>
  body.data ? { data: { generateApiKey: changed(body.data.generateApiKey, change) } } : body;
const asRecord = ({ id }: Fields) => ({ id, status: 'published', items: [] });

/** By the check that fails. */
const WRONG_BODIES: Record<string, [ask: RegExp, change: Change][]> = {
  'expires_in is 3600 s': [[TOKEN, { expires_in: '3600' }]],
  'token_type is always Bearer': [[/webhooks-auth/, { token_type: 'Webhooks' }]],
  'the token answer is an object with access_token, expires_in and token_type': [
    [TOKEN, { token_type: undefined }],
  ],
  'access_token has the format of a bearer token, and works as one': [[TOKEN, { access_token: '<token>' }]],
  'Basic authentication and a Bearer token show the same contents': [
    [LIST, (contents: object[]) => contents.map((content) => ({ ...content, at: performance.now() }))],
  ],
  'the mutation at POST /tenants returns data.generateApiKey with validUntil and apiKey': [
    [KEY, inKey({ validUntil: undefined })],
  ],
  'validUntil is an ISO 8601 timestamp in the future': [
    [KEY, inKey((key: Fields) => ({ ...key, validUntil: new Date(String(key.validUntil)).toUTCString() }))],
    [KEY, inKey({ validUntil: '2020-01-01T00:00:00Z' })],
  ],
  'a generated key works as the password of Basic authentication': [[KEY, inKey({ apiKey: 'forgotten' })]],
  'the record that restore and archive return has the id of the content': [[/archive$/, { id: 'content' }]],
  'the record has the lifecycle status: published after restore, archived after archive': [
    [/archive$/, { status: 'published' }],
  ],
  'the records of restore and archive differ in shape from all catalogue views': [
    [/^GET .*\/contents\/\w+$/, asRecord],
    [LIST, (contents: Fields[]) => contents.map(asRecord)],
  ],
  'the ids of items are strings, and unique within the content': [[/restore$/, inItems({ id: 'item' })]],
  'the type of an item is a string': [[/restore$/, inItems({ type: {} })]],
  'the items are ranked by integers, lowest first': [
    [/restore$/, (record: ContentRecord) => ({ ...record, items: record.items.toReversed() })],
    [/restore$/, inItems((item: Fields) => ({ ...item, rank: Number(item.rank) + 0.5 }))],
  ],
  'the summary of an item is a string': [[/restore$/, inItems({ summary: '' })]],
  'the processing state of an item is a string': [[/restore$/, inItems({ status: null })]],
  'restore returns the record: id, status published, items': [
    [/restore$/, { id: 'content' }],
    [/restore$/, { status: 'restored' }],
    [/restore$/, { items: undefined }],
  ],
  'restore affects only the content in the path': [[/restore$/, { id: 'another' }]],
  'restore moves a content from the archived list to the published list': [
    [/statuses=archived$/, () => []],
    [/statuses=published$/, () => []],
  ],
};

describe.each(Object.entries(WRONG_BODIES))('"%s" fails if an answer has a wrong body', (name, wrong) => {
  it.each(wrong)('of %s', async (ask, change) => {
    const front =
      (platform: Send): Send =>
      async (request) => {
        const answer = await platform(request);
        if (!ask.test(askIn(request)) || answer.status >= 300) return answer;
        return { ...answer, body: JSON.stringify(changed(JSON.parse(answer.body), change)) };
      };

    expect(await resultsOf([checkNamed(name)], front)).toMatchObject([{ outcome: 'failed' }]);
  });
});

it.each([
  'the filter does not know draft and ready',
  'restore moves a content from the archived list to the published list',
])('"%s" fails if lists ignore the filter', async (name) => {
  const ignoresFilter = (platform: Send): Send => {
    return (request) => platform({ ...request, url: request.url.replace(/\?statuses=.*/, '') });
  };

  expect(await resultsOf([checkNamed(name)], ignoresFilter)).toMatchObject([{ outcome: 'failed' }]);
});

it.each(['webhooksBaseUrl', 'webhooksTokenBaseUrl'] as const)(
  'the webhooks interface needs its own %s',
  async (field) => {
    const tenant = await tenantBehind((platform) => platform);
    const { contentBaseUrl: webhooksBaseUrl, contentTokenBaseUrl: webhooksTokenBaseUrl } = tenant.addresses;
    const addresses = { ...tenant.addresses, [field]: { webhooksBaseUrl, webhooksTokenBaseUrl }[field] };
    const check = checkNamed('the webhooks interface has its own base address and token endpoint');

    const [result] = await runChecks([check], { read: Object.assign(tenant, { addresses }) });

    expect(result!.outcome).toBe('failed');
  },
);

it.each([
  'plain HTTP fails on the content and webhooks interfaces and the tenant service',
  'plain HTTP fails for token requests',
])('"%s" fails if plain HTTP is answered like HTTPS', async (name) => {
  const { origin, close } = await servePlainly(sandbox);
  const tenant = await tenantBehind((platform) => platform, origin);

  const [result] = await runChecks([checkNamed(name)], { read: tenant });
  close();

  expect(result!.outcome).toBe('failed');
});

/** Platforms that differ from the sandbox where the specification leaves it open. */
it.each<[otherwise: string, ask: RegExp, answer: (answer: HttpAnswer) => HttpAnswer]>([
  ['serves nothing at the base of the webhooks interface', /\/webhooks\/v1$/, () => answerOf(404, {})],
  [
    'answers 403 on the webhooks interface',
    /\/webhooks\/v1$/,
    (answer) => ({ ...answer, status: answer.status === 401 ? 403 : answer.status }),
  ],
  [
    'lists contents inside an object',
    LIST,
    (answer) =>
      answer.status < 300 ? answerOf(200, { contents: JSON.parse(answer.body) as object[] }) : answer,
  ],
  [
    'needs more for a create',
    /^POST .*\/contents$/,
    (answer) => (answer.status === 201 ? { ...answer, status: 422 } : answer),
  ],
  ['has no archive', /archive$/, () => answerOf(404, {})],
])('a platform that %s violates nothing', async (_otherwise, ask, change) => {
  const results = await resultsOf(ALL_CHECKS, (platform) => async (request) => {
    const answer = await platform(request);
    return ask.test(askIn(request)) ? change(answer) : answer;
  });

  expect(results.filter(({ outcome }) => outcome === 'failed' || outcome === 'broken')).toEqual([]);
  expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(30);
});
