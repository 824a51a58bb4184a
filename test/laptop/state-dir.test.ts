import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { takeStateDir } from '../../laptop/state-dir';
import { newFolder } from '../support/new-folder';

let dir: string;
beforeEach(() => (dir = newFolder()));

describe('takeStateDir', () => {
  test('rejects a directory with other files, and does not touch them', () => {
    writeFileSync(join(dir, 'config.json'), 'mine');

    expect(() => takeStateDir(dir)).toThrow('found config.json in it; allowed: an empty or new folder');
    expect(readdirSync(dir)).toEqual(['config.json']);
    expect(readFileSync(join(dir, 'config.json'), 'utf8')).toBe('mine');
  });

  test('does not take another program’s lock for its own', () => {
    writeFileSync(join(dir, 'lock'), '4711\n');
    writeFileSync(join(dir, 'config.json'), 'mine');

    expect(() => takeStateDir(dir)).toThrow('allowed: an empty or new folder');
    expect(readFileSync(join(dir, 'config.json'), 'utf8')).toBe('mine');
    expect(readFileSync(join(dir, 'lock'), 'utf8')).toBe('4711\n');
  });

  // No process has this id: it is above the largest that the kernel gives.
  test.each([
    ['on this machine', `latchkey 99999999 ${hostname()}\n`],
    ['when this machine had another name', 'latchkey 99999999 earlier-name\n'],
    ['before its lock was whole', 'latchkey 9999'],
  ])('removes the files of a run that was killed %s', (_, lock) => {
    writeFileSync(join(dir, 'lock'), lock);
    writeFileSync(join(dir, 'local.json'), 'old');

    takeStateDir(dir);

    expect(readdirSync(dir)).toEqual(['lock']);
  });
});
