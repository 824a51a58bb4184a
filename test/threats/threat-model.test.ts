import { existsSync } from 'node:fs';

import { readThreats } from './threat-model';

describe('the threat model', () => {
  const threats = readThreats();

  test('has T1 to T29, each once and in order', () => {
    expect(threats.map(({ id }) => id)).toEqual(Array.from({ length: 29 }, (_, index) => `T${index + 1}`));
  });

  test.each(threats)('names tests of $id, $name, and one that turns red', ({ proofs, holes }) => {
    expect([proofs.length > 0, holes.length > 0]).toEqual([true, true]);
    expect([...proofs, ...holes].filter((file) => !existsSync(file))).toEqual([]);
  });
});
