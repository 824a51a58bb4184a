import { sandboxApp } from '../../../src/sandbox/sandbox';
import { createState } from '../../../src/sandbox/sandbox-state';
import { PlatformUnderTest, SEED } from '../platform-under-test';
import { DOCUMENTED } from './documented-operations';
import { DOCUMENTS, type OpenApiDocument } from '../../support/documents';

/** Objects with arbitrary fields: a GraphQL result, and an OpenAPI document. */
const OPEN = ['/components/schemas/GraphqlAnswer/properties/data'];

/** Answers with `GET /_sandbox/addresses`, for who has only the origin. */
const SHORTCUT = 'GET /';

describe.each(Object.entries(DOCUMENTS))('the OpenAPI document of %s', (name, document) => {
  it('equals what control serves', async () => {
    const { status, body } = await new PlatformUnderTest().control('GET', `openapi/${name}.json`);

    expect({ status, body }).toEqual({ status: 200, body: document });
  });

  it('refers to every component, and only to existing ones', () => {
    const text = JSON.stringify(document);
    const refs = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, each]) => each!);

    expect(new Set(refs)).toEqual(new Set(Object.keys(document.components.schemas)));
    expect(text).not.toContain('undefined');
  });

  it('allows no additional fields in answers, so that an undocumented field is an error', () => {
    const open = answerSchemas(document).flatMap(([at, schema]) => openObjects(schema, at));

    expect(open.filter((at) => !OPEN.includes(at))).toEqual([]);
  });

  it('has an example for every request body', () => {
    const missing = DOCUMENTED.filter(({ operation: { requestBody } }) =>
      requestBody ? requestBody.content['application/json'].example === undefined : false,
    );

    expect(missing).toEqual([]);
  });
});

it('the documents have exactly the operations that the sandbox serves', () => {
  const deploymentKey = SEED.deployments[0]!;
  const served = sandboxApp(
    createState({ deployments: [{ ...deploymentKey, environment: 'staging', platformRegion: 'mea' }] }),
  )
    .routes.filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    .filter((route) => route !== SHORTCUT);

  const undocumented = served.filter((route) => {
    const [method, path = ''] = route.split(' ');
    return !DOCUMENTED.some((each) => each.method === method && each.serves(path));
  });
  const unserved = DOCUMENTED.filter(
    ({ method, serves }) =>
      !served.some((route) => route.startsWith(`${method} `) && serves(route.split(' ')[1]!)),
  );
  expect({ undocumented, unserved: unserved.map(({ path }) => path) }).toEqual({
    undocumented: [],
    unserved: [],
  });
});

/** The schemas of all answers, and of components by name. */
function answerSchemas({ paths, components }: OpenApiDocument): [at: string, schema: unknown][] {
  const answers = JSON.stringify(
    Object.values(paths).flatMap((path) => Object.values(path).map(({ responses }) => responses)),
  );
  return Object.entries(components.schemas)
    .filter(([name]) => answers.includes(`"#/components/schemas/${name}"`))
    .map(([name, schema]) => [`/components/schemas/${name}`, schema]);
}

/** Places where objects can have undescribed fields. Rules that narrow a closed object do not count. */
function openObjects(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, additionalProperties } = value as Record<string, unknown>;
  const isClosed = additionalProperties === false || typeof additionalProperties === 'object';
  const isOpen = type === 'object' && (!isClosed || JSON.stringify(additionalProperties) === '{}');
  return [
    ...(isOpen ? [at] : []),
    ...Object.entries(value).flatMap(([key, part]) => openObjects(part, `${at}/${key}`)),
  ];
}
