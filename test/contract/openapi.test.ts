import * as fc from 'fast-check';

import { documentedAnswers } from '../../contract/openapi/answers';
import { restoreOpenApi } from '../../contract/openapi/restore-openapi';
import { RECORD_EXAMPLE } from '../../contract/openapi/examples';
import { outcomeTable } from '../../contract/openapi/outcome-table';
import { gatewayProblems } from '../../contract/gateway-problems';
import { CHALLENGES, INSUFFICIENT_SCOPE, PROBLEM_CODES, RESTORE_STATUSES } from '../../contract/problem';
import { CONTENT_ID } from '../../contract/content-id';
import { RESTORE_PATH, type RestoreAuth } from '../../contract/restore-operation';
import { OUTCOMES } from '../../contract/restore-outcomes';
import { parseRestoreRequest } from '../../lambdas/restore/restore-request';
import { parseRestoredRecord } from '../../lambdas/restore/restored-record';
import { undocumented } from '../support/openapi/documented-answers';

const MODES = ['platform', 'iam'] as const;
const operationOf = (auth: RestoreAuth) => restoreOpenApi(auth).paths[RESTORE_PATH].post;

describe.each(MODES)('the OpenAPI document of %s mode', (mode) => {
  const document = restoreOpenApi(mode);
  const { responses } = operationOf(mode);

  it('has every status of the contract that the mode can answer with, and no other', () => {
    const expected = RESTORE_STATUSES.filter((status) => mode === 'platform' || status !== 401);

    expect(Object.keys(responses)).toEqual([...expected.map(String), 'default']);
  });

  it('has every answer of the function and of API Gateway under its status', () => {
    for (const { status, code } of [...Object.values(OUTCOMES), ...gatewayProblems(mode)]) {
      if (code === undefined) continue;
      // Responses of the authorizer, which iam mode does not have.
      if (mode === 'iam' && (code === 'unauthorized' || code === 'internal_error')) continue;
      expect(JSON.stringify(responses[String(status)]!.content)).toContain(`"${code}"`);
    }
  });

  it('closes every object, so that an undocumented field is an error', () => {
    const open = objectSchemas(document).filter(({ schema }) => schema.additionalProperties !== false);

    // Narrows another schema, which is closed itself.
    expect(open.filter(({ schema }) => schema.allOf === undefined).map(({ at }) => at)).toEqual([]);
  });

  it('says of every error what the caller should do, and of every 502 that nothing was modified', () => {
    for (const { status, advice, mayHaveChanged } of documentedAnswers(mode)) {
      expect(responses[String(status)]!.description).toContain(advice);
      expect(status === 502 && mayHaveChanged).toBe(false);
    }
  });

  it('references every schema that exists, and no other', () => {
    const text = JSON.stringify(document);
    const refs = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!);

    expect(new Set(refs)).toEqual(new Set(Object.keys(document.components.schemas)));
    expect(text).not.toContain('undefined');
  });
});

describe('the modes', () => {
  it('differ in who may call', () => {
    expect(restoreOpenApi('platform').security).toEqual([{ basic: [] }, { bearer: [] }]);
    expect(restoreOpenApi('iam').security).toEqual([{ sigv4: [] }]);
  });

  it('have challenges only with HTTP authentication schemes', () => {
    expect(operationOf('platform').responses['401']!.headers['WWW-Authenticate']).toMatchObject({
      required: true,
      schema: { enum: [CHALLENGES] },
    });
    expect(operationOf('platform').responses['403']!.headers['WWW-Authenticate']).toMatchObject({
      required: false,
      schema: { enum: [INSUFFICIENT_SCOPE] },
    });
    expect(JSON.stringify(restoreOpenApi('iam'))).not.toContain('WWW-Authenticate');
  });

  it('together have all codes of the contract', () => {
    const codes = MODES.flatMap((mode) => documentedAnswers(mode).flatMap(({ code }) => code ?? []));

    expect([...new Set(codes)].sort()).toEqual([...PROBLEM_CODES].sort());
  });
});

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
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };

  it('accepts exactly what the function accepts', () => {
    fc.assert(
      fc.property(body, (given) => {
        const json = JSON.stringify(given);
        const request = { contentId: 'a', contentTypes: ['application/json'], body: Buffer.from(json) };
        const findings = undocumented({ status: 200, headers, body: RECORD_EXAMPLE }, 'platform', {
          body: JSON.parse(json),
        });

        expect(findings.length === 0).toBe('actingUser' in parseRestoreRequest(request));
      }),
      { numRuns: 500 },
    );
  });

  it('has the pattern of a content id', () => {
    const { schema } = operationOf('platform').parameters.find(({ name: each }) => each === 'contentId')!;

    expect(new RegExp(String(schema.pattern), 'u').source).toBe(CONTENT_ID.source);
  });
});

test('the schema of a record matches what the function returns', () => {
  const item = { id: 'i', type: 't', rank: 1.5, summary: 's', status: 'error', why: 'w', url: 'https://a' };
  const platforms = { id: 'A', status: 'published', items: [item, { rank: 'x' }, 7], owner: 'o', extra: {} };

  const record = parseRestoredRecord(JSON.stringify(platforms), 'a', 'why');

  const body = JSON.parse(JSON.stringify(record)) as { items: object[] };
  const { schemas } = restoreOpenApi('platform').components;
  expect(Object.keys(body).sort()).toEqual(Object.keys(schemas.RestoredRecord!.properties as object).sort());
  expect(Object.keys(body.items[0]!).sort()).toEqual(
    Object.keys(schemas.RestoredItem!.properties as object).sort(),
  );
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  expect(undocumented({ status: 200, headers, body }, 'platform')).toEqual([]);
});

describe('the table of all answers', () => {
  it('has a row for each outcome and for each answer of API Gateway', () => {
    const table = outcomeTable();
    const names = [
      ...Object.keys(OUTCOMES),
      ...MODES.flatMap((mode) => gatewayProblems(mode).map(({ type }) => type)),
    ];

    expect(names.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  });
});

interface ObjectSchema {
  at: string;
  schema: Record<string, unknown>;
}

/** Every object schema in a document, with its path. */
function objectSchemas(value: unknown, at = ''): ObjectSchema[] {
  if (typeof value !== 'object' || value === null) return [];
  const schema = value as Record<string, unknown>;
  const isObject = schema.type === 'object' || typeof schema.properties === 'object';
  return [
    ...(isObject && !at.includes('/example') ? [{ at, schema }] : []),
    ...Object.entries(schema).flatMap(([key, part]) => objectSchemas(part, `${at}/${key}`)),
  ];
}
