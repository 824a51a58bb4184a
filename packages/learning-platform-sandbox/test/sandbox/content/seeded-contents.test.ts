import { contentFrom } from '../../../src/sandbox/content/seeded-contents';
import { Contents } from '../../../src/sandbox/content/contents';
import { storedView } from '../../../src/sandbox/content/views';
import { NOON_MS, TENANT } from '../platform-under-test';

const OWNER = { ...TENANT, authorRefs: ['ann', 'ben'], collaborationIds: ['team'], contents: new Contents() };

test('generates omitted fields, the same every time', () => {
  const [first, second] = [1, 1].map((n) =>
    storedView(contentFrom({ status: 'archived' }, OWNER, n), NOON_MS),
  );

  expect(first).toEqual(second);
  expect(first).toMatchObject({
    status: 'archived',
    title: 'Course 2',
    author: 'ann',
    owner: 'ann',
    deleted: false,
  });
  expect(first?.items.map(({ rank, status }) => [rank, status])).toEqual([
    [0, 'ok'],
    [1, 'ok'],
    [2, 'ok'],
  ]);
});

test('uses the values of the seed', () => {
  const content = contentFrom(
    {
      id: 'a'.repeat(24),
      status: 'draft',
      title: 'Safety at work',
      authorRef: 'ben',
      collaborationId: 'team',
      items: [
        { type: 'quiz', summary: 'Questions', status: 'pending' },
        { status: 'error', failureReason: 'broken' },
      ],
    },
    OWNER,
    0,
  );

  expect(storedView(content, NOON_MS)).toMatchObject({
    id: 'a'.repeat(24),
    status: 'draft',
    title: 'Safety at work',
    author: 'ben',
    owner: 'team',
    items: [
      { rank: 0, type: 'quiz', summary: 'Questions', status: 'pending' },
      { rank: 1, status: 'error', failureReason: 'broken' },
    ],
  });
});

test.each(['draft', 'ready', 'published', 'archived'] as const)(
  'the first content stays %s at any time',
  (status) => {
    const content = contentFrom({ status }, OWNER, 0);

    expect([0, NOON_MS, 2 * NOON_MS].map((nowMs) => storedView(content, nowMs).status)).toEqual([
      status,
      status,
      status,
    ]);
  },
);

test('items of different contents have different ids', () => {
  const items = [{ status: 'ok' as const }];

  const ids = [0, 1].map((n) => contentFrom({ status: 'ready', items }, OWNER, n).items[0]?.id);

  expect(new Set(ids).size).toBe(2);
});
