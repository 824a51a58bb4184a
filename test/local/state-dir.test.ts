import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeStateDir } from '../../local/state-dir';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'state-dir-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('takeStateDir', () => {
  test('refuses a directory with files of somebody else, and leaves them alone', () => {
    writeFileSync(join(dir, 'config.json'), 'mine');

    expect(() => takeStateDir(dir)).toThrow(
      'found config.json in it; allowed: a folder that is empty or new',
    );
    expect(readdirSync(dir)).toEqual(['config.json']);
    expect(readFileSync(join(dir, 'config.json'), 'utf8')).toBe('mine');
  });

  test('removes what a run that was killed left there', () => {
    // No process has this id: it is above the largest that the kernel gives.
    writeFileSync(join(dir, 'lock'), '99999999\n');
    writeFileSync(join(dir, 'local.json'), 'old');

    takeStateDir(dir);

    expect(readdirSync(dir)).toEqual(['lock']);
  });
});
