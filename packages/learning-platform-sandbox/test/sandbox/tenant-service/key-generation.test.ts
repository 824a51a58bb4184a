import { executeDocument } from '../../../src/sandbox/tenant-service/key-generation';
import { MUTATION, PlatformUnderTest } from '../platform-under-test';
import { expectProcessorMsBelow } from '../../../../../test/support/processor-time';

const KEY = { validUntil: '2027-01-31T12:00:00.000Z', apiKey: 'key' };
const ANY_ERROR = { message: expect.any(String) as string };

/** The serialized answer, and how many keys were generated. */
function run(query: string) {
  let generated = 0;
  const result = executeDocument(query, () => {
    generated += 1;
    return { ...KEY, apiKey: `key ${generated}` };
  });
  return { answer: JSON.parse(JSON.stringify(result)) as unknown, generated };
}

describe('a valid GraphQL document', () => {
  test.each([
    ['as specified', MUTATION, { generateApiKey: { ...KEY, apiKey: 'key 1' } }],
    [
      'named, with an alias, a fragment, __typename, a comment and free layout',
      `# new key
       mutation New { mine: generateApiKey(tokenType: """permanent""" services: ["api-service"]) { ...K, __typename } }
       fragment K on GeneratedApiKey { apiKey }`,
      { mine: { apiKey: 'key 1', __typename: 'GeneratedApiKey' } },
    ],
  ])('%s', (_how, query, data) => {
    const { answer, generated } = run(query);

    expect(answer).toEqual({ data });
    expect(generated).toBe(1);
  });

  test('a subscription generates no key, because there are none', () => {
    const { answer, generated } = run(`subscription { ${mutationOf()} }`);

    expect(answer).toMatchObject({ errors: [ANY_ERROR] });
    expect(generated).toBe(0);
  });

  test('a query generates no key', () => {
    expect(run('{ apiKeyServices }')).toEqual({
      answer: { data: { apiKeyServices: ['api-service'] } },
      generated: 0,
    });
  });

  test('two aliases generate two keys', () => {
    const { answer, generated } = run(`mutation { a: ${mutationOf()} b: ${mutationOf()} }`);

    expect(answer).toEqual({ data: { a: { apiKey: 'key 1' }, b: { apiKey: 'key 2' } } });
    expect(generated).toBe(2);
  });
});

describe('an invalid document generates no key, and the answer has no data (GraphQL, 7.1)', () => {
  test.each([
    ['a syntax error', 'mutation {'],
    ['the mutation as a query', MUTATION.replace('mutation', 'query')],
    ['an unknown field', MUTATION.replace('validUntil', 'validTo')],
    ['tokenType left out', MUTATION.replace('tokenType: "permanent", ', '')],
    ['services left out', MUTATION.replace(', services: ["api-service"]', '')],
    ['two operations without a name', `${MUTATION} ${MUTATION}`],
  ])('%s', (_what, query) => {
    const { answer, generated } = run(query);

    expect(answer).toEqual({
      errors: expect.arrayContaining([expect.objectContaining(ANY_ERROR)]) as unknown,
    });
    expect(generated).toBe(0);
  });
});

describe('unknown values make data null (GraphQL, 6.4.4), and the error says what is allowed', () => {
  test.each([
    ['tokenType', '"temporary"', 'tokenType: found "temporary"; allowed: permanent'],
    ['tokenType', '""', 'tokenType: found ""; allowed: permanent'],
    ['tokenType', '"Permanent"', 'tokenType: found "Permanent"; allowed: permanent'],
    ['services', '[]', 'services: found []; allowed: api-service'],
    ['services', '["other"]', 'services: found ["…"]; allowed: api-service'],
    ['services', '["api-service", "other"]', 'services: found ["…","…"]; allowed: api-service'],
  ])('%s: %s', (argument, value, message) => {
    const known = argument === 'tokenType' ? '"permanent"' : '["api-service"]';

    const { answer, generated } = run(MUTATION.replace(known, value));

    expect(answer).toMatchObject({ data: null, errors: [{ message, path: ['generateApiKey'] }] });
    expect(generated).toBe(0);
  });
});

describe('a hostile body gets an answer within a second, without a stack trace', () => {
  const MIB = 1024 * 1024;
  const filled = (text: string) => text.repeat((MIB - 200) / text.length);
  const aliases = Array.from({ length: 1000 }, (_, n) => `a${n}: ${mutationOf()}`);

  test.each([
    ['deep nesting of selections', filled('{a')],
    ['deep nesting of lists', `mutation { generateApiKey(services: ${filled('[')}`],
    ['deep nesting up to the limit of tokens', `${'{a'.repeat(333)}${'}'.repeat(333)}`],
    ['a type nested deeply', `query ($a: ${'['.repeat(450)}String${']'.repeat(450)}) { a }`],
    ['a thousand aliases', `mutation { ${aliases.join(' ')} }`],
    ['one field very often', `{${filled('a ')}}`],
    ['as many fields as there may be', `{${'a '.repeat(998)}}`],
    ['faults behind half a million lines', `${'\n'.repeat(MIB / 2 - 4000)}{${'a '.repeat(120)}}`],
    ['one very long name', `{ ${filled('a')} }`],
    ['one very long string', `mutation { generateApiKey(tokenType: "${filled('a')}") { apiKey } }`],
    ['one very long comment', `#${filled('a')}`],
    [
      'many short comments',
      filled('#')
        .replaceAll('##', '#\n')
        .slice(0, MIB / 2),
    ],
    ['a circle of fragments', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
    [
      'introspection in a circle',
      `{ __schema { types { ${'fields { type { '.repeat(100)} name ${'} } '.repeat(100)} } } }`,
    ],
    [
      'fragments that double',
      Array.from({ length: 60 }, (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`).join(
        ' ',
      ) + ' fragment F60 on Query { apiKeyServices } { ...F0 }',
    ],
  ])('%s', async (_what, query) => {
    const platform = new PlatformUnderTest();
    const session = await platform.logIn();

    await expectProcessorMsBelow(1000, async () => {
      const answer = await platform.graphql(session, query);

      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body)).not.toMatch(/\bat .*\.[jt]s:\d|node_modules|RangeError/);
    });
  });

  test.each([
    ['deep JSON', '['.repeat(MIB - 1)],
    ['deep JSON that is closed', `${'['.repeat(MIB / 2)}${']'.repeat(MIB / 2)}`],
    ['a large batch', `[${`{"query":"{a}"},`.repeat(60_000)}{}]`],
    ['a query that is deep JSON', `{"query":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}`],
  ])('%s gets 400', async (_what, body) => {
    const platform = new PlatformUnderTest();
    const { authorization, correlationId } = await platform.logIn();
    const headers = { authorization, 'correlation-id': correlationId, 'content-type': 'application/json' };

    await expectProcessorMsBelow(1000, async () => {
      const answer = await platform.send('POST', '/tenant-service/staging/tenants', { body, headers });

      expect(answer.status).toBe(400);
    });
  });
});

function mutationOf(): string {
  return 'generateApiKey(tokenType: "permanent", services: ["api-service"]) { apiKey }';
}
