import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020';

import { GUARANTEED_LIFE_SEC, DEFAULT_READER_CACHE_SEC } from '../../../core/tokens/lifetimes';
import { loadConfiguration } from '../../../lib/options/load';

const CONFIG = join(__dirname, '../../../config');
const read = (name: string): unknown => JSON.parse(readFileSync(join(CONFIG, name), 'utf8'));

describe('config/latchkey.schema.json', () => {
  it('refuses unknown fields at every level, and describes every field', () => {
    const open: string[] = [];
    const silent: string[] = [];
    const walk = (node: unknown, path: string): void => {
      // What follows `if` is a condition.
      if (typeof node !== 'object' || node === null || path.endsWith('/if')) return;
      if ('properties' in node) {
        if (!('additionalProperties' in node)) open.push(path);
        for (const [name, field] of Object.entries(node.properties as Record<string, object>)) {
          if (!('description' in field)) silent.push(`${path}/${name}`);
        }
      }
      for (const [key, value] of Object.entries(node)) walk(value, `${path}/${key}`);
    };

    walk(read('latchkey.schema.json'), '#');

    expect({ open, silent }).toEqual({ open: [], silent: [] });
  });
});

describe('endpoints', () => {
  const isValid = new Ajv2020({ strict: false, formats: { uri: true } }).compile(
    read('latchkey.schema.json') as object,
  );
  const ofIssuer = (issuer?: string) => ({
    issuer,
    environment: 'staging',
    tenants: [{ tenantId: 'acme', tokens: [{ interface: 'content', scope: 'api/read' }] }],
  });

  it.each([
    ['are needed by the learning platform', [ofIssuer()], false],
    ['are needed by it beside another issuer', [ofIssuer('auth0'), ofIssuer('learning-platform')], false],
    ['are not needed by another issuer', [ofIssuer('auth0')], true],
  ])('%s', (_, deployments, expected) => {
    const configuration = JSON.parse(JSON.stringify({ deployments })) as object;

    expect([configuration, { ...configuration, endpoints: {} }].map((each) => isValid(each))).toEqual([
      expected,
      true,
    ]);
  });
});

it('config/local.json is local; every tenant has api/read and api/write, and one has webhooks', () => {
  const { deployments, local } = loadConfiguration(join(CONFIG, 'local.json'));
  const tokens = deployments.flatMap(({ tenants }) =>
    tenants.map((tenant) => tenant.tokens.map((token) => `${token.interface} ${token.scope}`)),
  );

  expect(local).toBe(true);
  for (const held of tokens)
    expect(held).toEqual(expect.arrayContaining(['content api/read', 'content api/write']));
  expect(tokens.filter((held) => held.includes('webhooks api/webhooks'))).toHaveLength(1);
});

it('the guaranteed validity of a token is at least twice the default cache time of readers', () => {
  expect(GUARANTEED_LIFE_SEC).toBeGreaterThanOrEqual(2 * DEFAULT_READER_CACHE_SEC);
});
