import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

import { RESTORE_LOG_MESSAGE } from '../../core/restore/restore-audit';
import { restorePathPattern } from '../../core/restore/restore-operation';
import { addRole, type PolicyStatement } from 'cdk-on-loopback/testing';
import { sendHttps } from '../support/restore-api/https-request';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';
import { restorePath } from '../support/restore-api/restore-path';

const OWN_ACCOUNT = '111111111111';
/** An account that the API names, one of an organization that it names, and one of another organization. */
const [PARTNER, MEMBER, STRANGER] = ['333344445555', '444455556666', '666677778888'] as const;
const [OURS, THEIRS] = ['o-a1b2c3d4e5', 'o-f6a7b8c9d0'] as const;

let api: RestoreApiUnderTest;
beforeAll(async () => {
  api = await RestoreApiUnderTest.start({
    restoreApi: { auth: 'iam', callerAccounts: [PARTNER], callerOrganizations: [OURS] },
  });
  const { organizations } = api.account;
  organizations.set(OWN_ACCOUNT, OURS).set(MEMBER, OURS).set(STRANGER, THEIRS).set(PARTNER, THEIRS);
}, START_TIMEOUT_MS);
afterAll(() => api?.stop());
beforeEach(() => api.sandbox.control('POST', 'reset'));

/** A statement about some paths of the API. */
function statement(Effect: 'Allow' | 'Deny', path: string): PolicyStatement {
  const { accountId, region } = api.account;
  const [restoreApi] = api.apis.byId.values();
  const Resource = `arn:aws:execute-api:${region}:${accountId}:${restoreApi!.id}/v1/POST${path}`;
  return { Effect, Action: 'execute-api:Invoke', Resource };
}
const allowTenant = (tenantId: string) => statement('Allow', restorePathPattern(tenantId));
const allowAll = () => statement('Allow', '/*');

/** Sends a signed request of a role that has these statements. @param path as sent, below the stage */
async function send(
  path: string,
  statements: PolicyStatement[],
  { session = 'session', accountId = OWN_ACCOUNT }: { session?: string; accountId?: string } = {},
) {
  const [own, other] = api.tenants;
  const roleArn = addRole(api.account, 'service', statements, { Statement: [] }, accountId);
  const credentials = api.credentials.issueForRole(roleArn, session, { withSessionToken: false });
  const { hostname, host, port, pathname } = new URL(`${api.url}${path}`);
  const body = JSON.stringify({ authorRef: own.authorRefs[0] });
  const headers = {
    host,
    'content-type': 'application/json',
    // Nobody may believe these two.
    'x-caller-arn': 'arn:aws:iam::111111111111:user/somebody-else',
    'x-tenant-id': other.tenantId,
  };
  const { region } = api.account;
  const signer = new SignatureV4({ service: 'execute-api', region, credentials, sha256: Sha256 });
  const request = {
    method: 'POST',
    protocol: 'https:',
    hostname,
    port: Number(port),
    path: pathname,
    headers,
    body,
  };
  const signed = await signer.sign(request);
  return sendHttps(api.ca, 'POST', `${api.url}${path}`, { headers: signed.headers, body });
}

const encoded = (id: string) => id.replace(/./, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
const tenantIds = () => api.tenants.map(({ tenantId }) => tenantId) as [string, string];

async function expectRefused(path: string, statements: PolicyStatement[]) {
  const { status } = await send(path, statements);

  expect([403, 404, 422]).toContain(status);
  expect(await api.sandbox.control('GET', 'counters')).toMatchObject({ requests: [] });
}

describe('T21 tenants of callers in iam mode', () => {
  test('a role that may restore for one tenant restores for that one', async () => {
    const [own] = tenantIds();

    const { status } = await send(restorePath(own, await api.content()), [allowTenant(own)]);

    expect(status).toBe(200);
  });

  test('the same role reaches no other tenant', async () => {
    const [own, other] = tenantIds();
    const contentId = await api.content('archived', api.tenants[1]);

    await expectRefused(restorePath(other, contentId), [allowTenant(own)]);
  });
});

describe('T21 accounts of callers in iam mode', () => {
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html (tables A and B)
  test.each<[number, string, string, isAllowedThere: boolean]>([
    [200, 'of an account that it names', PARTNER, true],
    [200, 'of an organization that it names', MEMBER, true],
    [403, 'of another organization', STRANGER, true],
    [403, 'of an account that it names, without a policy', PARTNER, false],
    [403, 'of its own account, which is in the organization, without a policy', OWN_ACCOUNT, false],
  ])('answers %i to a role %s', async (status, _, accountId, isAllowedThere) => {
    const path = restorePath(tenantIds()[0], await api.content());

    const answer = await send(path, isAllowedThere ? [allowAll()] : [], { accountId });

    expect(answer.status).toBe(status);
  });
});

// AWS does not document whether a policy sees the path as sent, so the function must know no other spelling. The others are in
// test/core/restore/path-ids.test.ts.
describe('T21 a policy that denies', () => {
  test.each(['tenant', 'content'] as const)('a %s cannot be evaded, plainly or encoded', async (what) => {
    const [tenantId] = tenantIds();
    const contentId = await api.content();
    const anyContent = restorePathPattern(what === 'tenant' ? tenantId : '*');
    const denied = what === 'tenant' ? anyContent : anyContent.replace(/\*(?=\/restore)/, contentId);
    const statements = [allowAll(), statement('Deny', denied)];
    const ids = { tenant: tenantId, content: contentId };

    await expectRefused(restorePath(ids.tenant, ids.content), statements);

    ids[what] = encoded(ids[what]);
    await expectRefused(`/tenants/${ids.tenant}/contents/${ids.content}/restore`, statements);
  });
});

test('T21: history and access log name the principal that signed, whatever a header says', async () => {
  const caller = 'arn:aws:sts::111111111111:assumed-role/service/night-shift';
  const contentId = await api.content();
  const { accessLog } = [...api.apis.byId.values()][0]!.stages.get('v1')!;

  await send(restorePath(tenantIds()[0], contentId), [allowAll()], { session: 'night-shift' });

  const lines = api.output().split('\n');
  const line = lines.findLast((each) => each.includes(RESTORE_LOG_MESSAGE) && each.includes(contentId))!;
  expect(JSON.parse(line)).toMatchObject({ scheme: 'iam', caller, code: 'restored' });
  const { events } = api.account.logGroups.get(accessLog!.logGroupName)!;
  const { message } = events.findLast((event) => event.message.includes(contentId))!;
  expect(JSON.parse(message)).toMatchObject({
    userArn: caller,
    callerAccount: '111111111111',
    caller: expect.stringMatching(/:night-shift$/) as string,
  });
});
