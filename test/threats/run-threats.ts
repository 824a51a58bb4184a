import { spawnSync } from 'node:child_process';

import { readThreats } from './threat-model';

/** `npm run test:threats [-- T1 …]` runs the test files that docs/threat-model.md names. */
const threats = readThreats();
const ids = process.argv.slice(2);
const unknown = ids.find((id) => threats.every((threat) => threat.id !== id));
if (unknown === undefined) {
  const chosen = threats.filter(({ id }) => ids.length === 0 || ids.includes(id));
  const files = new Set(chosen.flatMap(({ proofs, holes }) => [...proofs, ...holes]));
  const jest = [require.resolve('jest/bin/jest'), '--runTestsByPath', ...files];
  process.exitCode = spawnSync(process.execPath, jest, { stdio: 'inherit' }).status ?? 1;
} else {
  process.stderr.write(`threat: found ${unknown}; allowed: ${threats.map(({ id }) => id).join(', ')}\n`);
  process.exitCode = 2;
}
