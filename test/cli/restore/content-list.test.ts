import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readContentList } from '../../../cli/restore/content-list';
import { type ActingUser } from '../../../core/restore/restore-operation';
import { failureOf } from '../support/operated-system';

const TEAM = { collaborationId: 'team-1' };

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'latchkey-list-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function read(text: string | Buffer, usual: ActingUser = TEAM) {
  const file = join(folder, 'ids.txt');
  writeFileSync(file, text);
  return readContentList(file, usual);
}

/** What is wrong with a list, one fault per line. */
async function faultsOf(text: string, usual?: ActingUser): Promise<string[]> {
  const { exitCode, message } = await failureOf(() => read(text, usual));
  expect(exitCode).toBe(2);
  return message.split('\n').slice(1);
}

describe('a list of contents', () => {
  it('has an id or an object per line, and allows a byte order mark, empty lines and comments', () => {
    const text = '\ufeff# of May\r\nid-1\r\n\r\n  {"contentId":"id-2","authorRef":"jo"}  \n#id-3\nid-4';

    expect(read(text).items).toEqual([
      { contentId: 'id-1', actingUser: TEAM },
      { contentId: 'id-2', actingUser: { authorRef: 'jo' } },
      { contentId: 'id-4', actingUser: TEAM },
    ]);
  });

  it('counts duplicates, and sends each content once', () => {
    const { items, duplicates } = read('a\nb\na\n{"contentId":"a","collaborationId":"team-1"}');

    expect(items.map(({ contentId }) => contentId)).toEqual(['a', 'b']);
    expect(duplicates).toBe(2);
  });

  it('reports every fault with its line, and quotes nothing', async () => {
    const long = `canary${'x'.repeat(123)}`;
    const lines = [
      'good',
      'canary/id',
      '..',
      long,
      '{"contentId":"canary',
      '{"contentId":"a","canary":1}',
      '{"contentId":7}',
      '{"contentId":"a","authorRef":" canary"}',
      '{"contentId":"good","authorRef":"jo"}',
    ];

    const faults = await faultsOf(lines.join('\n'));

    expect(faults).toEqual([
      expect.stringMatching(/^line 2: found no content id; allowed: 1–128 letters/),
      expect.stringMatching(/^line 3: found no content id/),
      expect.stringMatching(/^line 4: found no content id/),
      expect.stringMatching(/^line 5: found no JSON/),
      expect.stringMatching(
        /^line 6: found an unknown field; allowed: contentId, authorRef, collaborationId/,
      ),
      expect.stringMatching(/^line 7: found no content id/),
      expect.stringMatching(/^line 8: authorRef: found something else/),
      expect.stringMatching(
        /^line 9: found the content of line 1 in a different case, or with a different author/,
      ),
    ]);
    expect(faults.join()).not.toContain('canary');
  });

  it('refuses a content in two spellings, which would be sent twice', async () => {
    expect(await faultsOf('abcDEF\nABCdef')).toEqual([
      expect.stringMatching(/^line 2: found the content of line 1 in a different case/),
    ]);
  });

  it('reports at most 20 faults', async () => {
    const faults = await faultsOf(`id-1\n${'no/id\n'.repeat(25)}`);

    expect(faults).toHaveLength(21);
    expect(faults.at(-1)).toBe('and 5 more');
  });

  it.each([
    ['is not there', () => readContentList(join(folder, 'none'), TEAM), 'cannot be read (ENOENT)'],
    ['names nothing', () => read('# none\n\n'), 'found no content id'],
    ['is no UTF-8', () => read(Buffer.from([0x61, 0xff, 0x0a])), 'allowed: a readable UTF-8 file'],
    ['is a device, whose end may never come', () => readContentList('/dev/null', TEAM), 'pipe or device'],
  ])('is refused if it %s', async (_, reading, says) => {
    expect(await failureOf(reading)).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(says) as string,
    });
  });

  it('reports lines without an acting user', async () => {
    const faults = await faultsOf('a\n{"contentId":"b","authorRef":"jo"}', {});

    expect(faults).toEqual([expect.stringMatching(/^line 1: found neither authorRef nor collaborationId/)]);
  });

  it('refuses a list that is too long, and accepts the longest allowed', async () => {
    const lines = (count: number) => Array.from({ length: count }, (_, n) => `id-${n}\n`).join('');

    expect(read(lines(100_000)).items).toHaveLength(100_000);
    expect(await faultsOf(lines(100_001))).toEqual(['found 100001 contents; allowed: at most 100000']);
  });
});
