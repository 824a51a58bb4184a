import { answered } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';
import { OVER_1_MIB } from './error-bodies';

/** An ordinary answer. */
const PLAIN = { status: 'published', items: [] as object[] };
const ITEM = { id: 'i1', type: 'video', rank: 1, summary: 'One', status: 'ok' };

/** Answers with 200, but without a record of the content, so the outcome is unknown. */
const UNREADABLE: readonly [ClauseCase['id'], string, string | ((contentId: string) => unknown)][] = [
  ['C320', 'no JSON', '<html>done</html>'],
  ['C321', 'nothing', ''],
  ['C322', 'a record that is cut off', '{"id":"'],
  ['C323', 'null', () => null],
  ['C324', 'a list of records', (id) => [{ ...PLAIN, id }]],
  ['C325', 'an empty object', () => ({})],
  ['C326', 'the record in an envelope', (id) => ({ data: { ...PLAIN, id } })],
  ['C327', 'the record of another content', () => ({ ...PLAIN, id: 'f'.repeat(24) })],
  ['C328', 'an id that is a number', () => ({ ...PLAIN, id: 7 })],
  ['C329', 'a record without a status', (id) => ({ id, items: [] })],
  [
    'C330',
    'a record without items, as in the catalog view',
    (id) => ({ id, status: 'published', title: 'Course', type: 'course' }),
  ],
  ['C331', 'items that are no list', (id) => ({ ...PLAIN, id, items: { 0: ITEM } })],
  [
    'C332',
    'a record of absurd depth',
    (id) => ({ ...PLAIN, id, further: JSON.parse('['.repeat(100) + ']'.repeat(100)) as unknown }),
  ],
];

/** Answers that are no record, although their status reports success. */
export const CASES: readonly ClauseCase[] = [
  ...UNREADABLE.map(([id, title, body]): ClauseCase => ({
    id,
    clause: 'Endpoints 3, response',
    title: `200 with ${title}`,
    given: {
      faults: ({ contentId }) => [{ status: 200, body: typeof body === 'string' ? body : body(contentId) }],
    },
    expected: answered(200, 500, 'outcome_unknown'),
  })),
  ...(
    [
      ['C336', 'archived', 'States, rule 1'],
      ['C337', 'draft', 'States, rule 2'],
      ['C338', 'ARCHIVED', 'States, rule 1'],
    ] as const
  ).map(([id, status, clause]): ClauseCase => ({
    id,
    clause,
    title: `200 with a record that is ${status}, so it contradicts itself`,
    given: { faults: ({ contentId }) => [{ status: 200, body: { ...PLAIN, id: contentId, status } }] },
    expected: answered(200, 500, 'outcome_unknown', { detail: /still archived or a draft/ }),
  })),
  {
    id: 'C333',
    clause: 'Endpoints 3, response',
    title: '200 with more than 1 MiB, which is not read completely',
    given: { faults: [`{"target":"content","times":1,"status":200,"body":${OVER_1_MIB}}`] },
    expected: answered(200, 500, 'outcome_unknown'),
  },
];
