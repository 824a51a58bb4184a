import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readContentList } from '../../../cli/restore/content-list';
import { type ActingUser } from '../../../core/restore/restore-operation';
import { failureOf } from '../support/operated-system';
import { newFolder } from '../../support/new-folder';

const TEAM = { collaborationId: 'team-1' };

const folder = newFolder();

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

    expect([items.map(({ contentId }) => contentId), duplicates]).toEqual([['a', 'b'], 2]);
  });

  it('reports every fault with its line, up to 20, and quotes nothing', async () => {
    const lines = [
      ['good'],
      ['canary/id', 'found no content id; allowed: 1–128 letters'],
      ['..', 'found no content id'],
      [`canary${'x'.repeat(123)}`, 'found no content id'],
      ['{"contentId":"canary', 'found no JSON'],
      [
        '{"contentId":"a","canary":1}',
        'found an unknown field; allowed: contentId, authorRef, collaborationId',
      ],
      ['{"contentId":7}', 'found no content id'],
      ['{"contentId":"a","authorRef":" canary"}', 'authorRef: found something else'],
      // They would be sent twice.
      ['{"contentId":"good","authorRef":"jo"}', 'found the content of line 1 in a different case, or with a'],
      ['GOOD', 'found the content of line 1 in a different case, or with a different author'],
    ];

    const faults = await faultsOf(
      [...lines.map(([line]) => line), ...Array<string>(16).fill('a/b')].join('\n'),
    );

    expect(faults).toHaveLength(21);
    for (const [index, [, fault]] of lines.slice(1).entries())
      expect(faults[index]).toMatch(new RegExp(`^line ${index + 2}: ${fault}`));
    expect(faults.at(-1)).toBe('and 5 more');
    expect(faults.join()).not.toContain('canary');
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
