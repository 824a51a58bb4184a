import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';

import { CHALLENGES, INSUFFICIENT_SCOPE, PROBLEM_CODES, RESTORE_STATUSES } from '../../core/restore/problem';
import { CONTENT_ID } from '../../core/restore/content-id';
import { MAX_BODY_BYTES, RESTORE_PATH, type RestoreAuth } from '../../core/restore/restore-operation';
import { parseRestoreRequest } from '../../lambdas/restore/restore-request';
import { parseRestoredRecord } from '../../lambdas/restore/restored-record';
import { TENANT_ID } from '../../core/deployment/platform';
import { undocumented } from '../support/openapi/documented-answers';
import { type DocumentedAnswer, documentedAnswers } from '../support/openapi/restore-answers';
import { type RestoreDocument, restoreDocument } from '../support/openapi/restore-document';

const MODES = ['platform', 'iam'] as const;
const operationOf = (auth: RestoreAuth) => restoreDocument(auth).paths[RESTORE_PATH].post;

describe.each(MODES)('the OpenAPI document of %s mode', (mode) => {
  const document = restoreDocument(mode);
  const { responses } = operationOf(mode);
  const detailsOf = (status: number, code: string) =>
    documentedAnswers(mode)
      .filter((each) => each.status === status && each.code === code)
      .map(({ detail }) => detail);

  it('has every status of the contract that the mode can answer with, and no other', () => {
    const expected = RESTORE_STATUSES.filter((status) => mode === 'platform' || status !== 401);

    expect(Object.keys(responses)).toEqual([...expected.map(String), 'default']);
  });

  it('has each answer of the function and of API Gateway under its status: cause, advice, headers, example', () => {
    for (const answer of documentedAnswers(mode)) {
      const { status, code, title, by, advice, mediaType, mayHaveChanged } = answer;
      const { description, headers, content } = responses[String(status)]!;
      const changed = `This request ${mayHaveChanged ? 'may have modified' : 'did not modify'} the content.`;
      const what = code === undefined ? by : `${code} (${by})`;
      const { cause } = rowsOf(mode).find(({ facts }) => facts === factsOf(answer))!;
      expect(description.split('\n')).toContain(
        `- ${[`${what}: ${cause}`, ...(status === 200 ? [] : [changed]), advice].join(' ')}`,
      );
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(Object.keys(answer.headers)));
      const { schema, examples } = content[mediaType]!;
      if (code === undefined) continue;
      const narrowed = schema.properties as Record<string, { enum?: unknown[]; const?: unknown }>;
      expect(narrowed.title!.enum).toContain(title);
      expect(narrowed.code!.enum).toContain(code);
      expect(narrowed.status).toEqual({ const: status });
      expect(examples[code]!.value).toMatchObject({ type: 'about:blank', title, status, code });
      expect(detailsOf(status, code)).toContain((examples[code]!.value as { detail: string }).detail);
    }
  });

  it('has no answer besides', () => {
    for (const [status, { content, description }] of Object.entries(responses)) {
      const answers = documentedAnswers(mode).filter((each) => String(each.status) === status);
      const { examples = {} } = content['application/problem+json'] ?? {};
      expect(Object.keys(examples).sort()).toEqual(
        [...new Set(answers.flatMap(({ code }) => code ?? []))].sort(),
      );
      if (status !== 'default') expect(description.split('\n').length).toBeLessThanOrEqual(answers.length);
    }
  });

  it('closes every object, so that an undocumented field is an error', () => {
    const open = objectSchemas(document).filter(({ schema }) => schema.additionalProperties !== false);

    // Narrows another schema, which is closed itself.
    expect(open.filter(({ schema }) => schema.allOf === undefined).map(({ at }) => at)).toEqual([]);
  });

  it('promises of every 502 that nothing was modified', () => {
    const changed = documentedAnswers(mode).filter(
      ({ status, mayHaveChanged }) => status === 502 && mayHaveChanged,
    );

    expect(changed).toEqual([]);
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

  it('have challenges only with HTTP authentication schemes', () => {
    expect(operationOf('platform').responses['401']!.headers['WWW-Authenticate']).toMatchObject({
      required: true,
      schema: { enum: [CHALLENGES] },
    });
    expect(operationOf('platform').responses['403']!.headers['WWW-Authenticate']).toMatchObject({
      required: false,
      schema: { enum: [INSUFFICIENT_SCOPE] },
    });
    expect(JSON.stringify(restoreDocument('iam'))).not.toContain('WWW-Authenticate');
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
        const findings = undocumented(
          { status: 200, headers, body: { id: 'a', status: 'published', items: [] } },
          'platform',
          {
            body: JSON.parse(json),
          },
        );

        expect(findings.length === 0).toBe('actingUser' in parseRestoreRequest(request));
      }),
      { numRuns: 500 },
    );
  });

  it('has the patterns of both ids and the limit of the body', () => {
    const { parameters, requestBody } = operationOf('platform');
    const patterns = parameters.map(({ name: each, schema }) => [
      each,
      new RegExp(String(schema.pattern), 'u').source,
    ]);

    expect(patterns).toEqual([
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
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  expect(undocumented({ status: 200, headers, body }, 'platform')).toEqual([]);
});

test.each(MODES)('the table of the page has a row for each answer of %s mode, and no other', (mode) => {
  const facts = rowsOf(mode).map((row) => row.facts);

  expect(facts.sort()).toEqual(documentedAnswers(mode).map(factsOf).sort());
});

const PAGE = readFileSync(join(__dirname, '../../docs/restore-api.md'), 'utf8');
/** The table's word for each advice, which the list before it explains. */
const WORDS = new Map(
  [...PAGE.matchAll(/^- \*\*(\w+)\*\*: (.+)$/gm)].map(([, word, advice]) => [advice, word]),
);

/** The rows of the table in docs/restore-api.md that apply to a mode: the cause, and the other cells. */
function rowsOf(mode: RestoreAuth): { cause: string; facts: string }[] {
  return [...PAGE.matchAll(/^\| (\d{3} \| .+) \|$/gm)]
    .map(([, cells]) => cells!.split(' | '))
    .map(([status, code, giver, cause, ...others]) => ({
      cause: cause!,
      giver: giver!,
      facts: [status, code, giver!.replace(/, \w+ mode only$/, ''), ...others].join(' | '),
    }))
    .filter(({ giver }) => !giver.endsWith(' mode only') || giver.endsWith(`, ${mode} mode only`));
}

/** All cells of an answer's row but its cause. */
function factsOf({
  status,
  code,
  by,
  name,
  mayHaveChanged,
  advice,
  headers,
  retryAfterSec,
}: DocumentedAnswer) {
  const atMost = 'if the platform sends one, at most 60 s';
  const retryAfter = headers['Retry-After'] === undefined ? '–' : atMost;
  return [
    status,
    code === undefined ? '–' : `\`${code}\``,
    `${by}, \`${name}\``,
    status === 200 ? 'yes' : mayHaveChanged ? '**not known**' : 'no',
    WORDS.get(advice) ?? '–',
    retryAfterSec === undefined ? retryAfter : `${retryAfterSec} s`,
  ].join(' | ');
}

type Shared = RestoreDocument & { components: { securitySchemes?: object } };

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
