import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';

import { createTestTokenSource, type TokenKey } from 'latchkey/client';
import { createSandbox } from 'latchkey/sandbox';

import { titlesOf } from './titles.js';

const deployment = { environment: 'staging', platformRegion: 'global' } as const;
const tenantId = 'eu-west-2_StagingAb';
const contents = [
  { status: 'published', title: 'First aid' },
  { status: 'archived', title: 'Bandages' },
] as const;
const sandbox = await createSandbox({ deployments: [{ ...deployment, tenants: [{ tenantId, contents }] }] });
after(() => sandbox.stop());
beforeEach(() => sandbox.reset());

const key: TokenKey = { ...deployment, tenantId, interface: 'content', scope: 'api/read' };
const source = createTestTokenSource((key) => sandbox.issueToken(key), { fetch: sandbox.fetch });
const titles = () => titlesOf(source, key, sandbox.addresses(key).contentBaseUrl);

test('returns the titles of all contents', async () => {
  assert.deepEqual((await titles()).sort(), ['Bandages', 'First aid']);
});

test('asks once more if the platform is unavailable', async () => {
  sandbox.faults.add({ target: 'content', match: { operation: 'list' }, status: 503, times: 1 });

  assert.equal((await titles()).length, 2);
});

test('gives up if it stays unavailable', async () => {
  sandbox.faults.add({ target: 'content', match: { operation: 'list' }, status: 503 });

  await assert.rejects(titles(), { message: 'the platform answered 503' });
  assert.equal(sandbox.requests().length, 2);
});

test('gets another token when the platform no longer accepts the one in memory', async () => {
  await titles();
  sandbox.clock.advance(3600);

  assert.equal((await titles()).length, 2);
});
