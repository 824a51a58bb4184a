import { MAX_LINES, parseContentList } from '../../../cli/restore/content-list';

const TEAM = { collaborationId: 'team-1' };

describe('a list of contents', () => {
  it('has an id or an object per line, and allows empty lines and comments', () => {
    const text = '# of May\r\nid-1\r\n\r\n  {"contentId":"id-2","authorRef":"jo"}  \n#id-3\nid-4';

    const { items, faults } = parseContentList(text, TEAM);

    expect(faults).toEqual([]);
    expect(items).toEqual([
      { contentId: 'id-1', actingUser: TEAM },
      { contentId: 'id-2', actingUser: { authorRef: 'jo' } },
      { contentId: 'id-4', actingUser: TEAM },
    ]);
  });

  it('counts duplicates, and sends each content once', () => {
    const { items, duplicates } = parseContentList(
      'a\nb\na\n{"contentId":"a","collaborationId":"team-1"}',
      TEAM,
    );

    expect(items.map(({ contentId }) => contentId)).toEqual(['a', 'b']);
    expect(duplicates).toBe(2);
  });

  it('reports every fault with its line, and quotes nothing', () => {
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

    const { faults } = parseContentList(lines.join('\n'), TEAM);

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
      expect.stringMatching(/^line 9: found the content of line 1 with a different author/),
    ]);
    expect(faults.join()).not.toContain('canary');
  });

  it.each([
    [
      'the same content in a different case',
      'abcDEF\nABCdef',
      /^line 2: found the content of line 1 in a different case/,
    ],
    ['a field twice', '{"contentId":"a","contentId":"b"}', /^line 1: found a field twice/],
    [
      'a field twice in two spellings',
      '{"contentId":"a","content\\u0049d":"b"}',
      /^line 1: found a field twice/,
    ],
  ])('refuses %s, which would send a content twice or the wrong one', (_, text, says) => {
    expect(parseContentList(text, TEAM).faults).toEqual([expect.stringMatching(says)]);
  });

  it('reports lines without an acting user', () => {
    const { faults } = parseContentList('a\n{"contentId":"b","authorRef":"jo"}', {});

    expect(faults).toEqual([expect.stringMatching(/^line 1: found neither authorRef nor collaborationId/)]);
  });

  it('refuses a list that is too long, and accepts the longest allowed', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, n) => `id-${n}\n`).join('');

    expect(parseContentList(lines(MAX_LINES), TEAM).items).toHaveLength(MAX_LINES);
    for (const tooLong of [lines(MAX_LINES + 1), lines(MAX_LINES + 1).trimEnd()]) {
      expect(parseContentList(tooLong, TEAM).faults).toEqual([
        'found more than 100000 lines; allowed: at most 100000',
      ]);
    }
  });

  it('stops parsing at the first line too many', () => {
    const split = jest.spyOn(String.prototype, 'split');

    const { faults } = parseContentList('\n'.repeat(2 ** 20), TEAM);

    const lines = split.mock.results.map(({ value }) => (value as string[]).length);
    split.mockRestore();
    expect(faults).toHaveLength(1);
    expect(Math.max(...lines)).toBe(MAX_LINES + 2);
  });
});
