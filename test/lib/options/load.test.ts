import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ConfigurationError } from '../../../lib/options/configuration-error';
import { loadConfiguration, parseConfiguration } from '../../../lib/options/load';
import { tenant, written } from '../../support/lib/configuration';
import { faultsOf } from '../../support/lib/faults';
import { temporaryFolder } from '../../support/lib/synthesis';

const folder = temporaryFolder();

function file(text: string | Buffer): string {
  const path = join(folder, 'latchkey.json');
  writeFileSync(path, text);
  return path;
}

function refusal(act: () => unknown): ConfigurationError {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

it('lists the first faults of hundreds', () => {
  const tenants = Array.from({ length: 300 }, (_, n) => ({ ...tenant(`tenant-${n}`), tokens: 'none' }));
  const [deployment] = written().deployments;
  const faulty = { ...written(), deployments: [{ ...deployment, tenants }] };

  const { message, issues } = refusal(() => parseConfiguration(faulty, 'my.json'));

  expect(issues).toHaveLength(300);
  expect(message.split('\n')).toHaveLength(52);
  expect(message).toMatch(/\n {2}and 250 more$/);
});

describe('loadConfiguration', () => {
  it('reads a file and fills in the defaults', () => {
    const { deployments } = loadConfiguration(file(JSON.stringify(written())));

    expect(deployments[0]).toMatchObject({
      platformRegion: 'global',
      restore: { available: false, method: 'POST', successStatus: 200, actingUserIn: 'body' },
      readerCacheSec: 300,
      logRetentionDays: 90,
      tags: {},
      tenants: [{ tokens: [{ readerAccounts: [] }], adopt: {} }],
    });
  });

  it.each([folder, '/dev/zero'])('does not read %s, which is no regular file', (path) => {
    const error = refusal(() => loadConfiguration(path));

    expect(error.message).toBe(`${path} cannot be used:\n  found no regular file`);
  });

  it('says why a file cannot be read', () => {
    const path = join(folder, 'missing.json');
    const error = refusal(() => loadConfiguration(path));

    expect(error.message).toBe(`${path} cannot be used:\n  the file cannot be read (ENOENT)`);
    expect(error.code).toBe('invalid_configuration');
  });

  it.each([
    ['a comma too few', '{\n  "a": 1\n  "b": 2\n}\n\n', 3, 3],
    ['a line break in a text', '{\n  "a": "x\n"}\n', 2, 10],
    ['an end that is missing', '{\n  "a": [1,\n', 3, 1],
    // For these, the engine reports no position.
    ['a text without quotes', '{\n  "a": x\n}\n\n', 2, 8],
    ['a half-written word', '{\n  "a": tru,\n  "b": 1\n}\n\n', 2, 11],
  ])('points at line and column of %s', (_, text, line, column) => {
    const { issues } = refusal(() => loadConfiguration(file(text)));

    expect(issues).toEqual([`not valid JSON: syntax error in line ${line}, column ${column}`]);
  });

  it('quotes nothing of an invalid JSON file, which may contain a secret', () => {
    const error = refusal(() => loadConfiguration(file('{\n  "clientSecret": hunter2hunter2,\n}\n')));

    expect(JSON.stringify([error.message, error.issues, error.cause])).not.toContain('hunter');
  });
});

describe('parseConfiguration', () => {
  it.each([null, [], 'text'])('refuses %j as a whole', (value) => {
    expect(faultsOf(value)).toEqual([expect.stringMatching(/^\(whole file\): found .+; allowed: /)]);
  });

  it('lists every fault with its path, the value found and the allowed values', () => {
    const tenants = [{ tenantId: '../b', tokens: [{ interface: 'content', scope: 'api/webhooks' }] }];
    const value = {
      ...written({ tenants, readerCacheSec: 900 }),
      prefix: 'UPPER',
      secret: 'hunter2',
      endpoints: { staging: { global: { contentBaseUrl: 'http://api.platform.example' } } },
    };

    const faults = faultsOf(value);

    expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual([
      'deployments[0].readerCacheSec',
      'deployments[0].tenants[0].tenantId',
      'deployments[0].tenants[0].tokens[0].scope',
      'endpoints.staging.global.contentBaseUrl',
      'endpoints.staging.global.contentTokenBaseUrl',
      'prefix',
      'secret',
    ]);
    faults.forEach((fault) => expect(fault).toMatch(/^\S+: found .+; allowed: .+$/));
    expect(refusal(() => parseConfiguration(value, 'my.json')).message).toBe(
      ['my.json cannot be used:', ...faults.map((fault) => `  ${fault}`)].join('\n'),
    );
  });

  it('checks the rest of a deployment even if its environment is invalid', () => {
    const twice = tenant('a', [
      { interface: 'content', scope: 'api/read' },
      { interface: 'content', scope: 'api/read' },
    ]);
    const value = written({ environment: 'live', readerCacheSec: 900, tenants: [twice] });

    expect(faultsOf(value).map((fault) => fault.split(':')[0])).toEqual([
      'deployments[0].environment',
      'deployments[0].readerCacheSec',
      'deployments[0].tenants[0].tokens[1]',
    ]);
  });

  it.each([
    ['in another case', 'usageplan', 'usagePlan'],
    ['with two swapped letters', 'ratelmiit', 'rateLimit'],
    ['with separated words', 'web_acl_arn', 'webAclArn'],
  ])('suggests the closest field first for a name %s', (_, found, meant) => {
    const faults = faultsOf(written({ restoreApi: { [found]: {} } }));

    expect(faults).toEqual([
      expect.stringContaining(`${found}: found a field of this name; allowed: ${meant}, or else enabled, `),
    ]);
    expect(faults[0]!.match(new RegExp(`\\b${meant}\\b`, 'g'))).toHaveLength(1);
  });

  it('truncates a long value', () => {
    const [fault] = faultsOf({ ...written(), prefix: 'x'.repeat(100_000) });

    expect(fault!.length).toBeLessThan(300);
  });

  it('names an unknown field and the allowed fields, without its value', () => {
    const value: unknown = JSON.parse(JSON.stringify(written()).replace('{', '{"__proto__":"hunter2",'));

    expect(faultsOf(value)).toEqual([
      '__proto__: found a field of this name; allowed: ' +
        '$schema, local, prefix, apiGatewayAccount, requiredTags, quotas, endpoints, deployments',
    ]);
  });
});
