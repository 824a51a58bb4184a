import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = join(__dirname, '../../../tools/docs/check-words.cjs');

let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'latchkey-words-'));
  execFileSync('git', ['init', '--quiet'], { cwd: project });
});
afterEach(() => rmSync(project, { recursive: true }));

function check(text: string) {
  writeFileSync(join(project, 'page.md'), text);
  execFileSync('git', ['add', '.'], { cwd: project });
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM], { cwd: project, encoding: 'utf8' });
  return { status, stderr };
}

it('names the line, the word found and the word to use', () => {
  expect(check('# Title\n\nThe colour of an alarm that rings.\n')).toEqual({
    status: 1,
    stderr:
      'page.md:3: found "colour"; use: color\npage.md:3: found "rings"; use: goes into alarm, notifies\n',
  });
});

it('accepts words that only contain one', () => {
  expect(check('Recent requests, strings, a drawing, blessed.\n')).toEqual({ status: 0, stderr: '' });
});
