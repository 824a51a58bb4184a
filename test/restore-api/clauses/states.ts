import { answered, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type Clauses } from './clause';

/** The record of a content with items in these states, as the platform created them. */
const recordWith =
  (...statuses: string[]) =>
  ({ contentId }: ClauseWorld) => ({
    id: contentId,
    status: 'published',
    items: statuses.map((status, rank) => ({
      id: expect.stringMatching(/^[0-9a-f]{24}$/) as unknown,
      type: expect.stringMatching(/^\w+$/) as unknown,
      rank,
      summary: `Part ${rank + 1}`,
      status,
    })),
  });

/** "States and transitions". */
export const STATES: Clauses = {
  'States, archived': {
    'becomes published; the answer is the record with its items': {
      expected: restored({ record: recordWith('ok', 'ok', 'ok') }),
    },
  },
  'States, any other state': {
    'draft stays as it is': {
      given: { content: 'draft' },
      expected: answered(409, 409, 'not_archived'),
    },
    'restored by an earlier attempt whose answer got lost: 409, and no second change': {
      given: {
        arrange: async ({ api, contentId }) => {
          await api.fault({ reset: 'after', times: 1 });
          await api.call({ contentId });
        },
      },
      expected: {
        ...answered(409, 409, 'not_archived', { detail: /earlier attempt may have restored/ }),
        change: {},
      },
    },
  },
  'States, rule 1': {
    'published before it was archived: becomes published again': {
      given: { archivedFrom: 'published' },
      expected: restored(),
    },
  },
  'States, rule 3': {
    'an item with another status than ok does not prevent published, and is reported as it is': {
      given: { archivedFrom: 'draft' },
      expected: restored({ record: recordWith('ok', 'ok', 'processing') }),
    },
  },
};
