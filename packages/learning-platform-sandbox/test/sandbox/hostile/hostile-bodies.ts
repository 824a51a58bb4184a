import * as fc from 'fast-check';

const MIB = 1024 * 1024;
/** Too deep for recursive functions. */
const LEVELS = 50_000;
/** Names with a special meaning for JavaScript objects. */
export const PROTOTYPE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
];
/** Numbers that no field with limits accepts, so that none becomes a delay or a large count. */
const NUMBERS = [-1, -0, 0.5, 1e21, 1e308, 2 ** 53 + 2, 99_999_999, 5e-324];
/** Fault fields that accept anything, which control then returns. */
const GIVEN_BACK = ['body', 'headers'];
const NO_BODIES = ['null', '[]', '""', '0', '\uFEFF{}', '{}{}', '{"a":1,}', "{'a':1}", '[1e999]'];
/** GraphQL documents that are invalid, or expensive to parse, validate or execute. */
const DOCUMENTS = [
  '{'.repeat(10_000),
  `{${'a:apiKeyServices '.repeat(330)}}`,
  `mutation{${'generateApiKey '.repeat(900)}}`,
  `query($v:${'['.repeat(400)}String${']'.repeat(400)}){apiKeyServices}`,
  '{...A} fragment A on Query{...B} fragment B on Query{...A}',
  '{__schema{types{fields{type{fields{type{fields{type{name}}}}}}}}}',
  'query A{apiKeyServices} query B{apiKeyServices}',
  'subscription{apiKeyServices}',
  '{apiKeyServices @skip(if:"x") @include(if:[])}',
  `{apiKeyServices}#${'x'.repeat(100_000)}`,
  '"""',
  '\u0000\uFEFF{',
  `mutation{generateApiKey(tokenType:"${'\\u0000'.repeat(1000)}",services:[[[[]]]]){apiKey}}`,
];

/** A valid body with changes, or another body instead. @param secrets values that can occur in it */
export function hostileBody(body: object, secrets: readonly string[]): fc.Arbitrary<Buffer> {
  const text = JSON.stringify(body);
  const broken = fc.oneof(
    fc.nat(text.length).map((length) => text.slice(0, length)),
    fc.json({ maxDepth: 10 }),
    fc.constantFrom(...NO_BODIES),
  );
  return fc.oneof(
    { weight: 30, arbitrary: withSpoiltFields(body, secrets).map((spoilt) => Buffer.from(spoilt)) },
    { weight: 15, arbitrary: broken.map((spoilt) => Buffer.from(spoilt)) },
    { weight: 5, arbitrary: bytes.map((tail) => Buffer.concat([Buffer.from(text.slice(0, -1)), tail])) },
    { weight: 1, arbitrary: fc.constantFrom(...dearBodies(body)).map((make) => make()) },
    ...('query' in body ? [{ weight: 60, arbitrary: document }] : []),
  );
}

const bytes = fc.uint8Array({ maxLength: 60 });
const document = fc.constantFrom(...DOCUMENTS).map((query) => Buffer.from(JSON.stringify({ query })));

/** Large or deep bodies. The first two are valid except for a deep field. */
export function dearBodies(body: object): (() => Buffer)[] {
  const [first = 'extra'] = Object.keys(body);
  const withField = (value: string) => objectOf([...membersOf(body), [first, value]]);
  const texts = [
    () => withField(nested('[', ']')),
    () => withField(nested('{"a":', '}')),
    () => nested('[', ']'),
    () => objectOf(Array.from({ length: 20_000 }, (_, n) => [`key${n}`, '1'])),
    ...['[', '"', '\\', '-', '{"'].map((sign) => () => sign.repeat(200_000)),
    ...[MIB - 100, MIB + 1, 2 * MIB].map((chars) => () => withField(`"${'a'.repeat(chars)}"`)),
  ];
  return texts.map((text) => () => Buffer.from(text()));
}

/** Changes one to three fields: missing, of another type, duplicated or added. */
function withSpoiltFields(body: object, secrets: readonly string[]): fc.Arbitrary<string> {
  const own = Object.keys(body).filter((name) => !GIVEN_BACK.includes(name));
  const value = fc.option(wrongValue(secrets), { nil: undefined, freq: 5 });
  const field = fc.tuple(fc.constantFrom(...own, ...PROTOTYPE_KEYS, 'extra'), value);
  return fc.array(field, { minLength: 1, maxLength: 3 }).map((changes) => {
    const kept = membersOf(body).filter(([name]) => !changes.some(([changed]) => changed === name));
    const spoilt = changes.filter(([, wrong]) => wrong !== undefined);
    return objectOf([...kept, ...spoilt.map(([name, wrong]) => [name, JSON.stringify(wrong)] as const)]);
  });
}

/** Puts a secret where it is invalid, so that no answer may show it. */
function wrongValue(secrets: readonly string[]): fc.Arbitrary<unknown> {
  const secret = fc.constantFrom(...secrets);
  return fc.oneof(
    harmless,
    secret.map((value) => [[value]]),
    secret.map((value) => ({ value })),
  );
}

const harmless = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', [], {}, ...NUMBERS, ...PROTOTYPE_KEYS),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.jsonValue({ maxDepth: 4 }).filter((value) => typeof value !== 'number'),
);

/** Names and JSON values as text, so that a name can occur twice. */
function objectOf(members: readonly (readonly [name: string, json: string])[]): string {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;
}

function membersOf(body: object): (readonly [name: string, json: string])[] {
  return Object.entries(body).map(([name, value]) => [name, JSON.stringify(value)] as const);
}

function nested(open: string, close: string): string {
  return open.repeat(LEVELS) + close.repeat(LEVELS);
}
