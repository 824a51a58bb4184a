import { IN_PATH } from '../issuers/profiles';
import { MUTATION, NOON_MS, PlatformUnderTest, TENANT } from '../platform-under-test';
import { DOCUMENTED, type DocumentedOperation } from './documented-operations';

const UNKNOWN_ID = '0'.repeat(24);
const ISSUER = { profile: IN_PATH, tenants: [{ tenantId: 'acme' }] };
const MIB = 1024 * 1024;
/** A status in which the write is refused, for writes that have one. */
const WRONG_STATE: Record<string, string> = {
  updateContent: 'archived',
  publishContent: 'draft',
  archiveContent: 'archived',
  restoreContent: 'published',
};
/** The status in which the write is tried. */
const RIGHT_STATE: Record<string, string> = { publishContent: 'ready', restoreContent: 'archived' };

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  json?: unknown;
  body?: string;
}

const CASES = DOCUMENTED.flatMap((documented) =>
  Object.keys(documented.operation.responses).map((status) => ({ ...documented, status })),
);

test.each(CASES)('$document: $method $path answers $status', async ({ status, ...documented }) => {
  const { platform, breakClock } = platformWithClock();
  const right = await rightRequest(platform, documented);
  const request = await spoilt(right, status, platform, documented);
  if (status === 'default') breakClock();

  const answer = await platform.send(request.method, request.path, request);

  expect(answer.status).toBe(status === 'default' ? 500 : Number(status));
});

/** A platform whose clock can fail, and with it the whole request. */
function platformWithClock() {
  let isBroken = false;
  const nowMs = () => {
    if (isBroken) throw new Error('the clock broke');
    return NOON_MS;
  };
  return {
    platform: new PlatformUnderTest({ issuers: [ISSUER] }, { nowMs }),
    breakClock: () => (isBroken = true),
  };
}

/** A successful request of the operation. */
async function rightRequest(
  platform: PlatformUnderTest,
  { document, method, path, operation }: DocumentedOperation,
): Promise<Sent> {
  const { authorRefs } = await platform.tenant();
  const [contentId] = await contentsIn(platform, RIGHT_STATE[operation.operationId] ?? 'draft');
  const values: Record<string, string> = {
    ...TENANT,
    id: contentId!,
    contentId: contentId!,
    issuer: IN_PATH.name,
  };
  const located = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!);
  const example = operation.requestBody?.content['application/json'].example as object | undefined;
  const sent = { method, path: `/staging/mea${located}`, headers: {} };

  switch (operation.tags[0]) {
    case 'tokens':
      return { ...sent, json: { ...example, ...(await platform.issueCredential()) } };
    case 'keys': {
      const { authorization, correlationId } = await platform.logIn();
      const headers = { authorization, 'correlation-id': correlationId };
      return { ...sent, path: `/tenant-service/staging${path}`, headers, json: { query: MUTATION } };
    }
    case 'webhooks':
      return { ...sent, headers: await platform.bearer('api/webhooks', TENANT, 'webhooks') };
    case 'content':
      return {
        ...sent,
        headers: await platform.bearer('api/all'),
        ...(example && { json: { ...example, collaborationId: undefined, authorRef: authorRefs[0] } }),
      };
    default:
      expect(document).toBe('control');
      return {
        ...sent,
        path: `/_sandbox${located}`,
        ...(example && {
          json: {
            ...example,
            ...('environment' in example && path !== '/tenants' && TENANT),
            ...(await toEnd(platform, example)),
          },
        }),
      };
  }
}

/** The thing to revoke, by its field name in the body. */
async function toEnd(platform: PlatformUnderTest, example: object): Promise<object> {
  const [name] = Object.keys(example);
  if (name === 'clientId') return { clientId: (await platform.issueCredential()).client_id };
  if (name === 'apiKey') {
    return {
      apiKey: ((await platform.control('POST', 'api-keys', TENANT)).body as { apiKey: string }).apiKey,
    };
  }
  if (name === 'authorization') return { authorization: (await platform.logIn()).authorization };
  if (name === 'accessToken') {
    return { accessToken: (await platform.bearer()).authorization.replace('Bearer ', '') };
  }
  return {};
}

/** The request, changed so that it gets the status. */
async function spoilt(
  right: Sent,
  status: string,
  platform: PlatformUnderTest,
  { operation: { operationId, tags }, document }: DocumentedOperation,
): Promise<Sent> {
  const json = right.json as object | undefined;
  switch (status) {
    case '400':
      return json
        ? {
            ...right,
            json: undefined,
            body: '{',
            headers: { ...right.headers, 'content-type': 'application/json' },
          }
        : { ...right, path: `${right.path}?statuses=ready` };
    case '401':
      return tags[0] === 'tokens'
        ? { ...right, json: { ...json, client_secret: 'another' } }
        : { ...right, headers: {} };
    case '403': {
      if (document === 'control') return { ...right, headers: { origin: 'https://attacker.example' } };
      if (tags[0] === 'keys') {
        const { authorization, correlationId } = await platform.logIn(TENANT, { administrator: false });
        return { ...right, headers: { authorization, 'correlation-id': correlationId } };
      }
      return { ...right, headers: await platform.bearer(json ? 'api/read' : 'api/write') };
    }
    case '404':
      if (document === 'control' && right.method === 'DELETE') {
        return { ...right, json: Object.fromEntries(Object.keys(json!).map((name) => [name, 'unknown'])) };
      }
      return { ...right, path: right.path.replace(/[0-9a-f]{24}|me-south-1_\w+$|in-path/, UNKNOWN_ID) };
    case '409': {
      const [id] = await contentsIn(platform, WRONG_STATE[operationId]!);
      return { ...right, path: right.path.replace(/[0-9a-f]{24}/, id!) };
    }
    case '413':
      return { ...right, json: undefined, body: ' '.repeat(MIB + 1) };
    case '415':
      return { ...right, headers: { ...right.headers, 'content-type': 'text/plain' } };
    case '422':
      return { ...right, json: {} };
    case '502':
      await platform.control('POST', 'faults', { target: 'content', dependency: 'store' });
      return right;
    default:
      return right;
  }
}

async function contentsIn(platform: PlatformUnderTest, status: string): Promise<string[]> {
  const { body } = await platform.control('POST', 'contents', { ...TENANT, status });
  return (body as { contentIds: string[] }).contentIds;
}
