import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TEST_RUN_VARIABLE } from './test-run';

/** More than any file that is compiled each time. */
const LARGE = `// ${'x'.repeat(300_000)}\n`;

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'latchkey-once-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a program as tests do. The folder has nothing but it and what is kept of it. */
function run(code: string): { status: number | null; stdout: string; stderr: string } {
  const program = join(folder, 'program.cjs');
  writeFileSync(program, `${code}\n${LARGE}`);
  const env = { ...process.env, [TEST_RUN_VARIABLE]: folder };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

it('keeps what it compiled of a large program, for as long as the program is the same', () => {
  const outputs = ['first', 'first', 'second'].map((text) => run(`console.log('${text}');`).stdout);

  expect(outputs).toEqual(['first\n', 'first\n', 'second\n']);
  expect(readdirSync(folder).filter((name) => name !== 'program.cjs')).toHaveLength(2);
});

it('runs a program as Node does, also from what is kept', async () => {
  const code = `
    const seen = [require.main === module, require('node:path').basename(__filename), __dirname, typeof exports];
    import('node:os').then(({ EOL }) => console.log(JSON.stringify([...seen, EOL])));
    process.exitCode = 3;`;

  const runs = [run(code), run(code)];

  for (const { status, stdout, stderr } of runs) {
    expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
    expect(JSON.parse(stdout)).toEqual([true, 'program.cjs', folder, 'object', '\n']);
  }
});
