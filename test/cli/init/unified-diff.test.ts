import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { unifiedDiff } from '../../../cli/init/unified-diff';

it('shows the changed lines with three lines around them', () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('');
  const after = before.replace('line 5\n', 'line five\nand more\n').replace('line 16\n', '');

  expect(unifiedDiff('file', before, after)).toEqual([
    '--- file',
    '+++ file',
    '@@ -2,7 +2,8 @@',
    ...[
      ' line 2',
      ' line 3',
      ' line 4',
      '-line 5',
      '+line five',
      '+and more',
      ' line 6',
      ' line 7',
      ' line 8',
    ],
    '@@ -13,7 +14,6 @@',
    ...[' line 13', ' line 14', ' line 15', '-line 16', ' line 17', ' line 18', ' line 19'],
  ]);
  expect(unifiedDiff('file', before, before)).toEqual([]);
});

it('can be applied by git', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-diff-'));
  const file = join(folder, 'file');
  const text = fc
    .tuple(fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }), fc.constantFrom('end', 'end\n'))
    .map(([lines, end]) => [...lines, end].join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff('file', before, after);
      writeFileSync(file, before);
      if (before === after) return diff.length === 0;
      const { status, stderr } = spawnSync('git', ['apply', '-p0', '--whitespace=nowarn', '-'], {
        cwd: folder,
        input: `${diff.join('\n')}\n`,
        encoding: 'utf8',
        env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
      });
      expect({ status, stderr, text: readFileSync(file, 'utf8') }).toEqual({
        status: 0,
        stderr: '',
        text: after,
      });
      return true;
    }),
    { numRuns: 30 },
  );
  rmSync(folder, { recursive: true });
});
