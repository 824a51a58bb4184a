import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HostError } from '../../local/host-error';
import { takeStateDir } from '../../local/state-dir';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'state-dir-'))));
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
});

describe('takeStateDir', () => {
  test('refuses a directory with files of somebody else, and leaves them alone', () => {
    writeFileSync(join(dir, 'config.json'), 'mine');

    expect(() => takeStateDir(dir)).toThrow('found config.json in it; allowed: an empty or new folder');
    expect(readdirSync(dir)).toEqual(['config.json']);
    expect(readFileSync(join(dir, 'config.json'), 'utf8')).toBe('mine');
  });

  // No process has this id: it is above the largest that the kernel gives.
  test.each([
    ['on this machine', '99999999\n'],
    ['when this machine had another name', '99999999 earlier-name\n'],
    ['before its lock was whole', '9999'],
  ])('removes what a run left that was killed %s', (_, lock) => {
    writeFileSync(join(dir, 'lock'), lock);
    writeFileSync(join(dir, 'local.json'), 'old');

    takeStateDir(dir);

    expect(readdirSync(dir)).toEqual(['lock']);
  });

  test('gives the directory to one, where two find the lock of a process that is gone', () => {
    writeFileSync(join(dir, 'lock'), '99999999\n');
    const outcomes: string[] = [];
    const take = () => {
      try {
        takeStateDir(dir);
        outcomes.push('taken');
      } catch (error) {
        outcomes.push((error as HostError).code);
      }
    };
    const { kill } = process;
    // The other one takes it while this one is asking whether that process runs.
    jest.spyOn(process, 'kill').mockImplementationOnce((pid, signal) => {
      take();
      return kill(pid, signal);
    });

    take();

    expect(outcomes).toEqual(['taken', 'already_running']);
  });
});
