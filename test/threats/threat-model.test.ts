import { existsSync, readFileSync } from 'node:fs';

import { readThreats } from './threat-model';

/** Jest runs CommonJS, so the list of planted faults is read as text. */
const PLANTED = readFileSync('test/mutation/planted-faults.mjs', 'utf8');

describe('the threat model', () => {
  const threats = readThreats();

  test('has T1 to T32, each once and in order', () => {
    expect(threats.map(({ id }) => id)).toEqual(Array.from({ length: 32 }, (_, index) => `T${index + 1}`));
  });

  test.each(threats)('names tests of $id, $name, and what turns one red', ({ proofs, holes, planted }) => {
    expect(proofs.length).toBeGreaterThan(0);
    expect([...holes, ...planted].length).toBeGreaterThan(0);
    expect([...proofs, ...holes].filter((file) => !existsSync(file))).toEqual([]);
    expect(planted.filter((fault) => !PLANTED.includes(`name: '${fault}'`))).toEqual([]);
  });
});
