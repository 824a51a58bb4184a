import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

test('a token source does not keep the process alive', () => {
  const program = join(__dirname, 'support/short-process.ts');

  const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', 'tsx/cjs', program], {
    cwd: join(__dirname, '../..'),
    encoding: 'utf8',
    timeout: 8_000,
  });

  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '2 reads\n', stderr: '' });
});
