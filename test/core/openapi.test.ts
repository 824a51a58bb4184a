import * as fc from 'fast-check';

import { CONTENT_ID } from '../../core/restore/content-id';
import { MAX_BODY_BYTES, RESTORE_PATH, type RestoreAuth } from '../../core/restore/restore-operation';
import { parseRestoreRequest } from '../../lambdas/restore/restore-request';
import { parseRestoredRecord } from '../../lambdas/restore/restored-record';
import { TENANT_ID } from '../../core/deployment/platform';
import { undocumented } from '../support/openapi/documented-answers';
import { type RestoreDocument, restoreDocument } from '../support/openapi/restore-document';

const MODES = ['platform', 'iam'] as const;
const operationOf = (auth: RestoreAuth) => restoreDocument(auth).paths[RESTORE_PATH].post;

describe.each(MODES)('the OpenAPI document of %s mode', (mode) => {
  const document = restoreDocument(mode);

  it('closes every object, so that an undocumented field is an error', () => {
    const open = objectSchemas(document).filter(({ schema }) => schema.additionalProperties !== false);

    // Narrows another schema, which is closed itself.
    expect(open.filter(({ schema }) => schema.allOf === undefined).map(({ at }) => at)).toEqual([]);
  });
});

describe('the modes', () => {
  it('differ in who may call', () => {
    expect(restoreDocument('platform').security).toEqual([{ basic: [] }, { bearer: [] }]);
    expect(restoreDocument('iam').security).toEqual([{ sigv4: [] }]);
  });

  it('say the same of everything else', () => {
    const [platform, iam] = MODES.map((mode) => structuredClone(restoreDocument(mode)) as object as Shared);
    for (const { security, paths, components } of [platform!, iam!] as Shared[]) {
      security.length = 0;
      for (const status of ['401', '403', '500']) delete paths[RESTORE_PATH].post.responses[status];
      delete components.securitySchemes;
    }

    expect(iam).toEqual(platform);
  });
});

const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

describe('the schema of a request', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('a', 'author-1', ' a', 'a ', 'a b', 'é', '\u007f', '\n', ''),
  );
  const long = fc.integer({ min: 254, max: 258 }).map((length) => 'a'.repeat(length));
  const value = fc.oneof({ weight: 4, arbitrary: text }, long, fc.jsonValue());
  const name = fc.constantFrom('authorRef', 'collaborationId', 'role', '__proto__');
  const body = fc.oneof(
    { weight: 4, arbitrary: fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true }) },
    fc.jsonValue(),
  );
  it('accepts exactly what the function accepts', () => {
    fc.assert(
      fc.property(body, (given) => {
        const json = JSON.stringify(given);
        const request = { contentId: 'a', contentTypes: ['application/json'], body: Buffer.from(json) };
        const answer = { status: 200, headers: HEADERS, body: { id: 'a', status: 'published', items: [] } };
        const findings = undocumented(answer, JSON.parse(json));

        expect(findings.length === 0).toBe('actingUser' in parseRestoreRequest(request));
      }),
      { numRuns: 500 },
    );
  });

  it('has the patterns of both ids and the limit of the body', () => {
    const { parameters, requestBody } = operationOf('platform');

    expect(parameters.map(({ name: each, schema }) => [each, schema.pattern])).toEqual([
      ['tenantId', TENANT_ID.source],
      ['contentId', CONTENT_ID.source],
    ]);
    expect(requestBody.description).toContain(`at most ${MAX_BODY_BYTES} bytes`);
  });
});

test('the schema of a record matches what the function returns', () => {
  const item = { id: 'i', type: 't', rank: 1.5, summary: 's', status: 'error', why: 'w', url: 'https://a' };
  const platforms = { id: 'A', status: 'published', items: [item, { rank: 'x' }, 7], owner: 'o', extra: {} };

  const record = parseRestoredRecord(JSON.stringify(platforms), 'a', 'why');

  const body = JSON.parse(JSON.stringify(record)) as { items: object[] };
  const { schemas } = restoreDocument('platform').components;
  expect(Object.keys(body).sort()).toEqual(Object.keys(schemas.RestoredRecord!.properties as object).sort());
  expect(Object.keys(body.items[0]!).sort()).toEqual(
    Object.keys(schemas.RestoredItem!.properties as object).sort(),
  );
  expect(undocumented({ status: 200, headers: HEADERS, body })).toEqual([]);
});

type Shared = RestoreDocument & { components: { securitySchemes?: object } };

/** Every object schema in a document, with its path. */
function objectSchemas(value: unknown, at = ''): { at: string; schema: Record<string, unknown> }[] {
  if (typeof value !== 'object' || value === null) return [];
  const schema = value as Record<string, unknown>;
  const isObject = schema.type === 'object' || typeof schema.properties === 'object';
  return [
    ...(isObject && !at.includes('/example') ? [{ at, schema }] : []),
    ...Object.entries(schema).flatMap(([key, part]) => objectSchemas(part, `${at}/${key}`)),
  ];
}
