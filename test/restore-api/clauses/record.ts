import { answered, type ClauseCase as AnyCase, type Expected } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';

/** A 200 answer of the platform instead of a restore, and the caller's answer. */
interface AnsweredRecord {
  id: AnyCase['id'];
  clause: ClauseCase['clause'];
  title: string;
  /** Fields in addition to id, status and items, or replacing them. */
  platform: object;
  /** @default forwarded unchanged */
  caller?: object;
}

/** Numbers that take more than 1 MiB in the answer, but less in the fault, whose size is limited to that. */
const OVER_1_MIB = `[${Array(60_000).fill('1e20').join()}]`;
/** An ordinary answer. */
const PLAIN = { status: 'published', items: [] as object[] };
const ITEM = { id: 'i1', type: 'video', rank: 1, summary: 'One', status: 'ok' };

const RECORDS: readonly AnsweredRecord[] = [
  {
    id: 'C300',
    clause: 'Content record',
    title: 'items are sorted by rank, lowest first, whatever the platform’s order',
    platform: { items: [3, -1, 10, 0].map((rank) => ({ ...ITEM, rank })) },
    caller: { items: [-1, 0, 3, 10].map((rank) => ({ ...ITEM, rank })) },
  },
  {
    id: 'C301',
    clause: 'Item',
    title: 'items without a usable rank come last',
    platform: { items: [{ id: 'none' }, { id: 'text', rank: '0' }, { id: 'first', rank: 7 }] },
    caller: { items: [{ id: 'first', rank: 7 }, { id: 'none' }, { id: 'text' }] },
  },
  {
    id: 'C302',
    clause: 'Content record',
    title: 'other fields of the record and its items are dropped',
    platform: { title: 'Course', owner: 'somebody', items: [{ ...ITEM, url: 'https://files.example/1' }] },
    caller: { items: [ITEM] },
  },
  {
    id: 'C303',
    clause: 'Status vocabularies, gaps',
    title: 'an undocumented lifecycle status is forwarded unchanged',
    platform: { status: 'scheduled' },
  },
  {
    id: 'C304',
    clause: 'Status vocabularies, gaps',
    title: 'undocumented item types and statuses are forwarded unchanged',
    platform: { items: [{ ...ITEM, type: 'hologram', status: 'queued' }] },
  },
  {
    id: 'C305',
    clause: 'Item, failure reason',
    title: 'present for an item with status error',
    platform: { items: [{ ...ITEM, status: 'error', failureReason: 'the file could not be converted' }] },
  },
  {
    id: 'C306',
    clause: 'Item',
    title: 'fields of a wrong type count as absent',
    platform: {
      items: [{ id: 5, type: null, rank: 2, summary: ['a'], status: { is: 'ok' }, failureReason: 1 }],
    },
    caller: { items: [{ rank: 2 }] },
  },
  {
    id: 'C307',
    clause: 'Content record',
    title: 'items that are not objects are dropped',
    platform: { items: ['i0', null, [ITEM], ITEM] },
    caller: { items: [ITEM] },
  },
];

/** Answers with 200, but without a record of the content, so the outcome is unknown. */
const UNREADABLE: readonly [ClauseCase['id'], string, string | ((contentId: string) => unknown)][] = [
  ['C320', 'no JSON', '<html>done</html>'],
  ['C324', 'a list of records', (id) => [{ ...PLAIN, id }]],
  ['C326', 'the record in an envelope', (id) => ({ data: { ...PLAIN, id } })],
  ['C327', 'the record of another content', () => ({ ...PLAIN, id: 'f'.repeat(24) })],
  ['C329', 'a record without a status', (id) => ({ id, items: [] })],
  ['C331', 'items that are no list', (id) => ({ ...PLAIN, id, items: { 0: ITEM } })],
];

/** Answers that are no record, although their status reports success. */
const NO_RECORDS: readonly ClauseCase[] = [
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

/** The record in the answer of a restore. */
export const CASES: readonly ClauseCase[] = [
  ...NO_RECORDS,
  ...RECORDS.map(({ id, clause, title, platform, caller = platform }): ClauseCase => ({
    id,
    clause,
    title,
    given: { faults: ({ contentId }) => [{ status: 200, body: { ...PLAIN, id: contentId, ...platform } }] },
    expected: unchanged({ record: ({ contentId }) => ({ ...PLAIN, id: contentId, ...caller }) }),
  })),
  {
    id: 'C334',
    clause: 'Endpoints 3, response',
    title: 'the id is hexadecimal, so its case may differ',
    given: {
      faults: ({ contentId }) => [{ status: 200, body: { ...PLAIN, id: contentId.toUpperCase() } }],
    },
    expected: unchanged({ record: ({ contentId }) => ({ ...PLAIN, id: contentId.toUpperCase() }) }),
  },
  {
    id: 'C335',
    clause: 'Endpoints 3, response',
    title: 'is uncacheable JSON, whatever headers the platform sends',
    given: {
      faults: ({ contentId }) => [
        {
          status: 200,
          headers: { 'content-type': 'text/plain', 'cache-control': 'public, max-age=600' },
          body: { ...PLAIN, id: contentId },
        },
      ],
    },
    expected: unchanged({ record: ({ contentId }) => ({ ...PLAIN, id: contentId }) }),
  },
];

/** A success that the platform only claims, without a change. */
function unchanged(more: Pick<Expected, 'record'>): Expected {
  return { status: 200, platform: [200], ...more };
}
