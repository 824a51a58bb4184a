import { type RestoredRecord } from '../../../core/restore/restore-operation';
import { deploymentPaths } from 'learning-platform-sandbox/testing';
import { type HttpsAnswer } from './https-request';
import { expectProblem } from './problem-answer';
import { undocumented } from '../openapi/documented-answers';
import { type ClauseCase, type Expected, type FromWorld, type Given, PLATFORM_WORDS } from './clause-case';
import { type ClauseWorld } from './clause-world';
import { DEPLOYMENT_KEY, type RestoreCall, type TenantUnderTest } from './restore-api-under-test';

/** The headers of a request to the platform, none of which comes from the caller. */
const HEADERS = ['accept', 'authorization', 'connection', 'content-length', 'content-type', 'host'];

export async function checkClause(
  world: ClauseWorld,
  { given = {}, call = {}, expected, actingUserIn = 'body' }: ClauseCase,
): Promise<void> {
  const { api } = world;
  try {
    await arrange(world, given);
    const request: RestoreCall = { contentId: world.contentId, ...(await valueOf(call, world)) };
    const tenant = request.tenantId === world.neighbor.tenantId ? world.neighbor : world.tenant;
    const failuresBefore = api.functions.failures.length;
    const outputBefore = api.output().length;
    const tokensBefore = writeTokensOf(world, tenant);
    api.sandbox.received.length = 0;
    await addFaults(world, given);

    const answer = await api.call(request);

    await api.sandbox.control('DELETE', 'faults');
    const received = [...api.sandbox.received];
    expectAnswer(world, answer, expected);
    expect(undocumented({ ...answer, body: JSON.parse(answer.text) as unknown })).toEqual([]);
    expect(received.map(({ status }) => status)).toEqual(expected.platform);
    const tokens = [...tokensBefore, ...writeTokensOf(world, tenant)];
    for (const { method, path, headers, body } of received) {
      expect({ method, path, ...sentActingUser(headers, body) }).toEqual(
        expectedRequest(world, expected, actingUserIn),
      );
      // Compared as a boolean, since a failing test would print the tokens.
      expect(tokens.includes(headers.authorization!)).toBe(true);
    }
    await expectChange(world, expected);
    expectNoSecret(world, request, answer.text + api.output().slice(outputBefore));
    const failures = api.functions.failures.slice(failuresBefore);
    expect(failures.some(({ message }) => message !== 'Unauthorized')).toBe(expected.crashes ?? false);
    expect(api.sandbox.failures).toEqual([]);
  } finally {
    world.undo();
  }
}

function valueOf<Value>(value: FromWorld<Value>, world: ClauseWorld): Value {
  return typeof value === 'function' ? (value as (world: ClauseWorld) => Value)(world) : value;
}

async function arrange(world: ClauseWorld, { content, archivedFrom, arrange: act }: Given): Promise<void> {
  const { api } = world;
  await api.sandbox.control('POST', 'reset');
  world.contentId = await api.content(archivedFrom ?? content ?? 'archived');
  if (archivedFrom !== undefined) await archive(world);
  if (act !== undefined) {
    world.startNew('RestoreAuthorizer');
    await act(world);
  }
}

/** Added last, since any request to the platform would use them up. */
async function addFaults(world: ClauseWorld, { faults = [] }: Given): Promise<void> {
  for (const fault of valueOf(faults, world)) {
    const whole = typeof fault === 'string' ? fault : { target: 'content', times: 1, ...fault };
    await world.api.sandbox.control('POST', 'faults', whole);
  }
}

async function archive(world: ClauseWorld): Promise<void> {
  const { api, contentId, tenant } = world;
  const headers = { authorization: api.basic(tenant), 'content-type': 'application/json' };
  const body = JSON.stringify({ authorRef: tenant.authorRefs[0] });
  const path = `${deploymentPaths(DEPLOYMENT_KEY).content}/contents/${contentId}/archive`;
  const { status } = await api.sandbox.ask(path, { method: 'POST', headers, body });
  expect(status).toBe(200);
}

function expectAnswer(world: ClauseWorld, answer: HttpsAnswer, expected: Expected): void {
  const { status, code, challenge, detail = '', retryAfterSec, record } = expected;
  if (code === undefined) {
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(/^\{"id":/)]);
    const body = JSON.parse(answer.text) as RestoredRecord;
    if (record === undefined) expect(body).toMatchObject({ id: world.contentId, status: 'published' });
    else expect(body).toEqual(valueOf(record, world));
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    return;
  }
  expect(answer.text).not.toContain(PLATFORM_WORDS);
  expect(expectProblem(answer, status, code, { challenge, retryAfterSec }).detail).toMatch(detail);
}

function expectedRequest(world: ClauseWorld, { sent = {} }: Expected, actingUserIn: 'body' | 'header') {
  const { actingUser = { authorRef: world.tenant.authorRefs[0] }, ...address } = valueOf(sent, world);
  return {
    method: 'POST',
    path: `${deploymentPaths(DEPLOYMENT_KEY).content}/contents/${world.contentId}/restore`,
    ...address,
    contentType: 'application/json',
    others: [],
    body: actingUserIn === 'body' ? actingUser : {},
    header: actingUserIn === 'header' ? actingUser : {},
  };
}

function sentActingUser(headers: Readonly<Record<string, string>>, body: string) {
  const { 'x-author-ref': authorRef, 'x-collaboration-id': collaborationId, ...others } = headers;
  return {
    contentType: headers['content-type'],
    others: Object.keys(others).filter((name) => !HEADERS.includes(name)),
    body: JSON.parse(body) as unknown,
    header: { ...(authorRef && { authorRef }), ...(collaborationId && { collaborationId }) },
  };
}

/** The tenant's stored tokens of scope api/write, as Authorization headers. */
function writeTokensOf(world: ClauseWorld, tenant: TenantUnderTest): string[] {
  return [...world.secret('token/content/api-write', tenant).versions.values()].flatMap(
    ({ secretString = '{}' }) => {
      const { accessToken } = JSON.parse(secretString) as { accessToken?: string };
      return accessToken === undefined ? [] : [`Bearer ${accessToken}`];
    },
  );
}

async function expectChange(world: ClauseWorld, { change }: Expected): Promise<void> {
  const changes = await world.api.changesOf(world.contentId);
  const actingUser = world.tenant.authorRefs[0];
  const restores = changes.filter(({ operation }) => operation === 'restore');
  const expected = change === undefined ? [] : [{ actingUser, ...valueOf(change, world) }];
  expect(restores).toMatchObject(expected);
}

/** Checks the caller's answer and the functions' output. */
function expectNoSecret(world: ClauseWorld, { authorization }: RestoreCall, text: string): void {
  const { api, tenant, neighbor } = world;
  const presented = [authorization ?? api.basic()].flat().map((value) => value.replace(/^\w+ /, ''));
  const secrets = [
    ...presented,
    tenant.apiKey,
    neighbor.apiKey,
    ...writeTokensOf(world, tenant).map((value) => value.slice(7)),
  ];
  const found = secrets.filter((secret) => secret.length > 8 && text.includes(secret));
  expect(found.length).toBe(0);
}
