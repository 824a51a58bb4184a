import * as fc from 'fast-check';

import { deploymentPaths } from '../../../src/sandbox/addresses';
import { type Answer, PlatformUnderTest, TENANT } from '../platform-under-test';
import { bodiesWithOneChange, changedBody } from './changed-body';
import { DOCUMENTED, findings } from './documented-operations';
import { DOCUMENTS, type JsonSchema } from '../../../src/testing/documents';
import { IS_FULL } from '../../../../../test/support/test-size';

const RUNS = IS_FULL ? 1000 : 30;
/** Fixed, except in the full run, which uses a new seed each time and prints it on failure. */
const SEED = IS_FULL ? undefined : 8;
/** The statuses for an invalid body. */
const REFUSING = [400, 422];
/** Refusals that depend on the sandbox's state, which schemas cannot express. */
const OF_ITS_STATE =
  /no live credential|belongs to another organization|tenants of |a deployment of this sandbox|that is not in use|one of the tenant's/;

/** Valid bodies that, with the document's example, cover all fields. */
const ITEM = { type: 'video', summary: 'Bandages' };
const FURTHER: Record<string, readonly object[]> = {
  createContent: [{ authorRef: 'a', title: 't', description: '', tags: ['x'], type: 'y', items: [ITEM] }],
  updateContent: [{ authorRef: 'a', items: [ITEM, ITEM] }],
  archiveContent: [{ authorRef: 'a' }, { collaborationId: 'c' }],
  addFault: [
    { target: 'token', match: { interface: 'webhooks', tenantId: 'x' }, body: null, headers: { 'X-A': 'b' } },
    { target: 'content', match: { operation: 'restore' }, reset: 'before', probability: 0.5, seed: 3 },
    { target: 'content', dependency: 'store', times: 1 },
    { target: 'webhooks', certificate: 'expired', match: { environment: 'staging' } },
    { target: 'tenants', malformedJson: true, slowBodyMs: 1, delayMs: 0 },
  ],
  addContents: [
    { ...TENANT, status: 'draft', items: [{ status: 'ok' }, { status: 'error', failureReason: 'x' }] },
    { ...TENANT, status: 'ready', items: [{ ...ITEM, status: 'ok' }] },
  ],
  addTenant: [{ ...TENANT, tenantId: 'new', collaborationIds: [], contents: [{ items: [{}], title: 'x' }] }],
};

const WITH_BODY = DOCUMENTED.filter(({ operation }) => operation.requestBody);

describe.each(WITH_BODY)('the body of $method $path', ({ document, method, path, operation, schema }) => {
  const { schema: reference, example } = operation.requestBody!.content['application/json'];
  const name = String(reference.$ref).split('/').at(-1)!;
  const validate = schema('requestBody', 'content', 'application/json')!;
  let platform: PlatformUnderTest;
  let headers: Record<string, string>;
  let known: (body: unknown) => unknown;

  beforeAll(async () => {
    platform = new PlatformUnderTest({}, { certificateFaults: true });
    const session = await platform.logIn();
    const credential = await platform.issueCredential();
    const { authorRefs, collaborationIds } = await platform.tenant();
    headers = {
      'content-type': 'application/json',
      ...(operation.tags[0] === 'content' && (await platform.bearer('api/all'))),
      ...(operation.tags[0] === 'keys' && {
        authorization: session.authorization,
        'correlation-id': session.correlationId,
      }),
    };
    // Replaces the identifiers in the example with existing ones.
    const real: Record<string, unknown> = {
      ...credential,
      ...TENANT,
      authorRef: authorRefs[0],
      collaborationId: collaborationIds[0],
    };
    known = (body) => {
      const fields = Object.entries(body as object);
      const isAdded = operation.operationId === 'addTenant';
      return Object.fromEntries(
        fields.map(([field, value]) => [
          field,
          isAdded && field === 'tenantId' ? value : (real[field] ?? value),
        ]),
      );
    };
  });

  const send = async (body: string): Promise<Answer> => {
    const answer = await platform.send(method, addressOf(document, path), { body, headers });
    // A tenant can be added only once.
    if (operation.operationId === 'addTenant' && answer.status === 201) platform = new PlatformUnderTest();
    return answer;
  };
  /** Sends a body and returns whether it is accepted; undefined if the sandbox's state decides. */
  const isAccepted = async (body: string): Promise<boolean | undefined> => {
    const answer = await send(body);
    return OF_ITS_STATE.test(JSON.stringify(answer.body)) ? undefined : !REFUSING.includes(answer.status);
  };
  const right = () => [example, ...(FURTHER[operation.operationId] ?? [])].map(known);

  it('is refused exactly when the schema refuses it: with one field changed', async () => {
    const seen = { accepted: 0, refused: 0 };
    const wrong: string[] = [];

    for (const body of bodiesWithOneChange(schemaOf(document, name), right())) {
      const wasAccepted = await isAccepted(body);
      if (wasAccepted === undefined) continue;
      seen[wasAccepted ? 'accepted' : 'refused'] += 1;
      if (validate(JSON.parse(body)) !== wasAccepted) wrong.push(body.slice(0, 200));
    }

    expect(wrong).toEqual([]);
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(0);
  }, 60_000);

  it('is refused exactly when the schema refuses it: with random changes', async () => {
    await fc.assert(
      fc.asyncProperty(changedBody(schemaOf(document, name), right()), async (body) => {
        const wasAccepted = await isAccepted(body);
        fc.pre(wasAccepted !== undefined);

        const isAllowed = validate(JSON.parse(body));
        expect({ wasAccepted, because: findings('body', validate) }).toMatchObject({
          wasAccepted: isAllowed,
        });
      }),
      { numRuns: RUNS, maxSkipsPerRun: 20, seed: SEED },
    );
  }, 120_000);

  it.each([example, ...(FURTHER[operation.operationId] ?? [])])('can be %j', async (body) => {
    const answer = await send(JSON.stringify(known(body)));

    expect(REFUSING).not.toContain(answer.status);
  });
});

function schemaOf(document: string, name: string): JsonSchema {
  return DOCUMENTS[document as keyof typeof DOCUMENTS].components.schemas[name]!;
}

/** The path with example values for its parameters. */
function addressOf(document: string, path: string): string {
  if (document === 'control') return `/_sandbox${path}`;
  if (path === '/tenants') return `/tenant-service/staging${path}`;
  const base = deploymentPaths(TENANT).content.replace('/rest/v1', '');
  return base + path.replace('{tenantId}', TENANT.tenantId).replace('{id}', '0'.repeat(24));
}
