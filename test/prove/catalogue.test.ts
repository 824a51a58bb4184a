import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { PROBES } from '../../probes/catalogue';
import { GROUPS } from '../../probes/probe';

const FOLDER = join(__dirname, '../../probes');

it.each(GROUPS)('every file of the group %s is a probe of the catalogue, and is named by its id', (group) => {
  const files = readdirSync(join(FOLDER, group)).filter((name) => name !== 'probes.ts');
  const ids = PROBES.filter((probe) => probe.group === group).map(({ id }) => `${id}.ts`);

  expect(files.sort()).toEqual(ids.sort());
});

it('has each id once', () => {
  const ids = PROBES.map(({ id }) => id);

  expect([...new Set(ids)]).toEqual(ids);
});

it.each(PROBES.map((probe) => [probe.id, probe] as const))('%s can be a row of a table', (_id, probe) => {
  const { id, subject, reliedOn, otherwise, sources = [] } = probe;

  expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  for (const text of [subject, reliedOn, otherwise]) expect(text).toMatch(/^[^\n|]*[^\n|\s.]$/);
  for (const address of sources) expect(address).toMatch(/^https:\/\/[^\s()]+$/);
});
