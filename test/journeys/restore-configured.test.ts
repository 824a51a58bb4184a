import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type AccessKey } from '../../contract/local-run';
import { type HttpsAnswer } from './support/https-request';
import { type Place, placeOf } from './support/journeys';
import { expectProblem } from './support/problem-answer';
import {
  basicOf,
  bearerOf,
  callRestore,
  changesOf,
  isArchived,
  platformAnswers,
  restoreUrl,
} from './support/restore-calls';
import { restoreConfiguration } from './support/restore-configuration';
import { LocalProcess } from './support/local-process';
import { RunningSystem } from './support/running-system';
import { signedHeaders } from './support/signed-request';
import { argumentsToRun, synthesizeApp } from './support/synthesized-app';

let system: RunningSystem;
/** One deployment per way to configure the restore API. */
let iam: Place;
let inHeader: Place;
let unreachable: Place;
let unavailable: Place;

beforeAll(async () => {
  system = await RunningSystem.startConfigured(await restoreConfiguration());
  iam = placeOf(system, 'staging', 'global');
  inHeader = placeOf(system, 'staging', 'mea');
  unreachable = placeOf(system, 'production', 'global');
  unavailable = placeOf(system, 'production', 'mea');
});
afterAll(() => system.stop());
beforeEach(() => system.control('POST', '/reset'));

it('the main job restores where restore is available, for AWS identities if the API accepts only those', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-configured-'));
  const app = await synthesizeApp(folder, ({ deployments: [withoutTenants, off, on] }) => {
    withoutTenants!.tenants = [];
    Object.assign(off!, { restore: undefined });
    Object.assign(on!, { restoreApi: { auth: 'iam' } });
  });
  const start = new LocalProcess([...argumentsToRun(app), '--once']);

  expect(await start.exited).toBe(0);
  expect(start.output).toMatch(/restored \w+ of eu-west-2_Live\w+: published/);
  expect(start.output).toContain('restoring it again: 409 not_archived');
  rmSync(folder, { recursive: true });
});

describe('without restore on the platform', () => {
  it("a caller gets 501, and 429 above the stage's limits", async () => {
    const contentId = unavailable.tenant.archivedContentIds[0]!;
    const authorization = await basicOf(unavailable);

    const [first, ...others] = await Promise.all(
      Array.from({ length: 5 }, () => callRestore(unavailable, contentId, { authorization })),
    ).then((answers) => answers.sort((a, b) => b.status - a.status));

    expectProblem(first!, 501, 'restore_unavailable');
    expectProblem(others.at(-1)!, 429, 'too_many_requests', { retryAfterSec: 1 });
    expect(await platformAnswers(unavailable, contentId)).toEqual({});
  });
});

describe('with an unreachable platform', () => {
  it('a caller gets 502, since nothing was sent', async () => {
    const contentId = unreachable.tenant.archivedContentIds[0]!;
    // Its API key cannot be proven, so it opens nothing.
    const authorization = await bearerOf(unreachable, 'api/write');

    const answer = await callRestore(unreachable, contentId, { authorization });

    expectProblem(answer, 502, 'platform_unreachable');
    expect(await isArchived(unreachable, contentId)).toBe(true);
  });
});

describe('with the acting user in headers', () => {
  it('the platform receives both references of the body', async () => {
    const { tenant } = inHeader;
    const contentId = tenant.archivedContentIds[0]!;
    const [authorRef, collaborationId] = [tenant.authorRefs[1]!, tenant.collaborationIds[1]!];

    const answer = await callRestore(inHeader, contentId, {
      authorization: await basicOf(inHeader),
      body: { authorRef, collaborationId },
    });

    expect(answer.status).toBe(200);
    expect(await changesOf(inHeader, contentId)).toMatchObject([
      { actingUser: authorRef, owner: collaborationId },
    ]);
  });
});

describe('with callers that sign as principals of the account', () => {
  let contentId: string;
  beforeAll(() => (contentId = iam.tenant.archivedContentIds[0]!));

  async function callSigned(credentials: AccessKey, tenantId?: string): Promise<HttpsAnswer> {
    const url = restoreUrl(iam, contentId, tenantId);
    const body = JSON.stringify({ authorRef: iam.tenant.authorRefs[0] });
    const signing = { service: 'execute-api', region: system.run.aws.region, credentials };
    const request = { method: 'POST', url, headers: { 'content-type': 'application/json' }, body };
    return system.send('POST', url, { headers: await signedHeaders(signing, request), body });
  }

  // commands/restore.test.ts covers callers without the permission.
  it('a principal that may invoke the API, such as an operator, restores once', async () => {
    const first = await callSigned(system.run.operator);
    const second = await callSigned(system.run.aws);

    expect(first.status).toBe(200);
    expectProblem(second, 409, 'not_archived');
    expect(await changesOf(iam, contentId)).toHaveLength(1);
  });

  it('answers 404 for an unknown tenant', async () => {
    expectProblem(await callSigned(system.run.aws, 'unknown'), 404, 'unknown_tenant');
  });

  it('answers 403 to a signature made with a wrong secret key', async () => {
    const { secretAccessKey } = system.run.operator;

    expectProblem(await callSigned({ ...system.run.aws, secretAccessKey }), 403, 'forbidden');
  });

  it.each([
    ['nothing', () => Promise.resolve(undefined)],
    ['an API key', () => basicOf(iam)],
    ['a token', () => bearerOf(iam, 'api/write')],
  ])('%s instead of a signature is 403', async (_, authorization) => {
    const answer = await callRestore(iam, contentId, { authorization: await authorization() });

    expectProblem(answer, 403, 'forbidden');
    expect(await platformAnswers(iam, contentId)).toEqual({});
  });
});
