import { answered, type Given, restored } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';
import { broken, unknownStatus } from './product';

const OTHER_STATUS = broken('restoredRecord', 'status: value.status,', "status: 'draft',");
const NOT_ARCHIVED = unknownStatus(409, 'notArchived');

/** The items of a content that the platform made in that state, as its restore answers them. */
function itemsOf(statuses: readonly string[]): unknown[] {
  return statuses.map((status, rank) => ({
    id: expect.stringMatching(/^[0-9a-f]{24}$/) as unknown,
    type: expect.stringMatching(/^\w+$/) as unknown,
    rank,
    summary: `Part ${rank + 1}`,
    status,
  }));
}

/** An attempt before, whose answer the caller never had. */
const LOST_ATTEMPT: Given['arrange'] = async ({ api, contentId }) => {
  await api.fault({ reset: 'after', times: 1 });
  await api.call({ contentId });
};

/** "States and transitions". */
export const CASES: readonly ClauseCase[] = [
  {
    id: 'C250',
    clause: 'States, archived',
    title: 'becomes published; the answer is the record with its items',
    expected: restored({
      record: ({ contentId }) => ({
        id: contentId,
        status: 'published',
        items: itemsOf(['ok', 'ok', 'ok']),
      }),
    }),
    brokenBy: broken(
      'restoredRecord',
      'rank: Number.isFinite(item.rank) ? Number(item.rank) : undefined,',
      '',
    ),
  },
  ...(['draft', 'published', 'ready'] as const).map((content, n): ClauseCase => ({
    id: `C${251 + n}`,
    clause: 'States, any other state',
    title: `${content} stays as it is`,
    given: { content },
    expected: answered(409, 409, 'not_archived'),
    brokenBy: NOT_ARCHIVED,
  })),
  {
    id: 'C254',
    clause: 'States, any other state',
    title: 'restored by an earlier attempt whose answer was lost: 409, and no second change',
    given: { arrange: LOST_ATTEMPT },
    expected: {
      ...answered(409, 409, 'not_archived', { detail: /earlier attempt may have restored/ }),
      change: {},
    },
    brokenBy: NOT_ARCHIVED,
  },
  ...(['draft', 'ready', 'published'] as const).map((archivedFrom, n): ClauseCase => ({
    id: `C${255 + n}`,
    clause: archivedFrom === 'draft' ? 'States, rule 2' : 'States, rule 1',
    title: `what was ${archivedFrom} before it was archived comes back as published`,
    given: { archivedFrom },
    expected: restored(),
    brokenBy: OTHER_STATUS,
  })),
  {
    id: 'C258',
    clause: 'States, rule 3',
    title: 'an item that is not ok is no obstacle to published, and is told as it is',
    given: { archivedFrom: 'draft' },
    expected: restored({
      record: ({ contentId }) => ({
        id: contentId,
        status: 'published',
        items: itemsOf(['ok', 'ok', 'processing']),
      }),
    }),
    brokenBy: broken('restoredRecord', 'status: text(item.status),', "status: 'ok',"),
  },
];
