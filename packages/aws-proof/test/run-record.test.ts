import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  isOfRun,
  isRunPrefix,
  newPrefix,
  runPrefixIn,
  type RunRecord,
  runRecords,
} from '../src/clean-up/runs';

const PLACE = { accountId: '111111111111', region: 'eu-west-1' };
const record = (prefix: string, more: Partial<RunRecord> = {}): RunRecord => ({
  prefix,
  ...PLACE,
  createdAt: '2026-01-01T00:00:00.000Z',
  keyIds: [],
  ...more,
});

describe('the records of runs', () => {
  let dir: string;
  beforeEach(() => (dir = join(mkdtempSync(join(tmpdir(), 'records-')), 'prove')));
  afterEach(() => rmSync(join(dir, '..'), { recursive: true }));

  test('are files that only their owner reads, replaced as a whole, gone when the run is', () => {
    const records = runRecords(dir);
    records.save(record('prove-aaaa1111'));
    records.save(record('prove-aaaa1111', { keyIds: ['1234abcd'] }));

    expect(readdirSync(dir)).toEqual(['prove-aaaa1111.json']);
    expect(statSync(join(dir, 'prove-aaaa1111.json')).mode & 0o777).toBe(0o600);
    expect(records.list(PLACE)).toEqual([record('prove-aaaa1111', { keyIds: ['1234abcd'] })]);
    records.remove('prove-aaaa1111');
    expect(records.list(PLACE)).toEqual([]);
  });

  test('are listed by account and region, the latest last, and nothing else in the folder is', () => {
    const records = runRecords(dir);
    expect(records.list(PLACE)).toEqual([]);
    records.save(record('prove-bbbb2222', { createdAt: '2026-01-02T00:00:00.000Z' }));
    records.save(record('prove-aaaa1111'));
    records.save(record('prove-cccc3333', { region: 'eu-west-2' }));
    records.save(record('prove-dddd4444', { accountId: '222222222222' }));
    writeFileSync(join(dir, 'result.json'), '{"verdict":"as relied on"}');
    writeFileSync(join(dir, 'prove-eeee5555.json'), JSON.stringify(record('prove-ffff6666')));
    writeFileSync(join(dir, 'prove-aaaa9999.json'), '{"prefix":');

    expect(records.list(PLACE).map(({ prefix }) => prefix)).toEqual(['prove-aaaa1111', 'prove-bbbb2222']);
  });

  test.each([
    '',
    'prove-',
    'prove',
    'latchkey',
    'prove-a',
    'prove-AAAA1111',
    '../prove-aaaa1111',
    'prove-aaaa-1111',
  ])('never take %j for a prefix', (prefix) => {
    expect(isRunPrefix(prefix)).toBe(false);
  });

  test('take what a run makes for a prefix', () => {
    expect(isRunPrefix(newPrefix())).toBe(true);
  });
});

describe('a name', () => {
  const run = { prefix: 'prove-aaaa1111', keyIds: ['1234abcd'] };
  test.each([
    ['prove-aaaa1111', true],
    ['prove-aaaa1111-staging-global', true],
    ['prove-aaaa1111/staging/global/key', true],
    ['/prove-aaaa1111/staging/global/key-arn', true],
    ['/aws/lambda/prove-aaaa1111-restore', true],
    ['alias/prove-aaaa1111-key', true],
    ['1234abcd', true],
    ['1234abce', false],
    ['prove-aaaa11112', false],
    ['prove-aaaa1111x/secret', false],
    ['my-prove-aaaa1111', false],
    ['/other/prove-aaaa1111', false],
    ['/aws/lambda/other-prove-aaaa1111', false],
    ['latchkey/staging/global/key', false],
    ['', false],
  ])('%j is of the run: %j', (name, expected) => {
    expect(isOfRun(name, run)).toBe(expected);
  });

  test.each([
    ['/aws/lambda/prove-aaaa1111-restore', 'prove-aaaa1111'],
    ['prove-aaaa1111', 'prove-aaaa1111'],
    ['prove-everyone-wrong', undefined],
    ['approve-aaaa1111', undefined],
    ['prove-aaaa1111:x', undefined],
  ])('%j tells the prefix of its run: %j', (name, prefix) => {
    expect(runPrefixIn(name)).toBe(prefix);
  });
});
