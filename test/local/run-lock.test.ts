import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeRunLock } from '../../local/run-lock';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lock-'));
  file = join(dir, 'lock');
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('takeRunLock', () => {
  test('holds the lock until it is released', () => {
    const release = takeRunLock(file);

    expect(() => takeRunLock(file)).toThrow(`process ${process.pid} holds ${file}`);
    release();

    expect(existsSync(file)).toBe(false);
  });

  test('replaces the lock of a process that is gone, and one that names no process', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    for (const content of [`${pid}\n`, 'x']) {
      writeFileSync(file, content);

      takeRunLock(file)();
    }

    expect(existsSync(file)).toBe(false);
  });

  test('takes a lock that is just being written for held', () => {
    writeFileSync(file, '');

    expect(() => takeRunLock(file)).toThrow(/already/);
    expect(readFileSync(file, 'utf8')).toBe('');
  });
});
