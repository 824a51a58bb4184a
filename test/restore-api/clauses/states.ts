import { answered, type Given, restored } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';

/** The items of a content that the platform created in that state, as in the answer of its restore. */
function itemsOf(statuses: readonly string[]): unknown[] {
  return statuses.map((status, rank) => ({
    id: expect.stringMatching(/^[0-9a-f]{24}$/) as unknown,
    type: expect.stringMatching(/^\w+$/) as unknown,
    rank,
    summary: `Part ${rank + 1}`,
    status,
  }));
}

/** An earlier attempt whose answer got lost. */
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
  },
  {
    id: 'C251',
    clause: 'States, any other state',
    title: 'draft stays as it is',
    given: { content: 'draft' },
    expected: answered(409, 409, 'not_archived'),
  },
  {
    id: 'C254',
    clause: 'States, any other state',
    title: 'restored by an earlier attempt whose answer got lost: 409, and no second change',
    given: { arrange: LOST_ATTEMPT },
    expected: {
      ...answered(409, 409, 'not_archived', { detail: /earlier attempt may have restored/ }),
      change: {},
    },
  },
  {
    id: 'C257',
    clause: 'States, rule 1',
    title: 'published before it was archived: becomes published again',
    given: { archivedFrom: 'published' },
    expected: restored(),
  },
  {
    id: 'C258',
    clause: 'States, rule 3',
    title: 'an item with another status than ok does not prevent published, and is reported as it is',
    given: { archivedFrom: 'draft' },
    expected: restored({
      record: ({ contentId }) => ({
        id: contentId,
        status: 'published',
        items: itemsOf(['ok', 'ok', 'processing']),
      }),
    }),
  },
];
