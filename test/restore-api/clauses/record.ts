import { answered, type Case, type Expected } from '../../support/restore-api/clause-case';
import { casesOf, type Clauses } from './clause';

/** Numbers that take more than 1 MiB in the answer, but less in the fault, whose size is limited to that. */
const OVER_1_MIB = `[${Array(60_000).fill('1e20').join()}]`;
/** An ordinary answer, but for its id. */
const PLAIN = { status: 'published', items: [] as object[] };
const ITEM = { id: 'i1', type: 'video', rank: 1, summary: 'One', status: 'ok' };

/** A 200 of the platform with this record, which the caller gets unchanged unless told otherwise. */
const forwarded = (platform: object, caller = platform, headers = {}): Case => ({
  given: {
    faults: ({ contentId }) => [{ status: 200, headers, body: { ...PLAIN, id: contentId, ...platform } }],
  },
  expected: {
    status: 200,
    platform: [200],
    record: ({ contentId }) => ({ ...PLAIN, id: contentId, ...caller }),
  },
});

/** A 200 of the platform that is no record of a restored content. */
const unknown = (
  body: string | ((contentId: string) => unknown),
  more: Pick<Expected, 'detail'> = {},
): Case => ({
  given: {
    faults: ({ contentId }) => [{ status: 200, body: typeof body === 'string' ? body : body(contentId) }],
  },
  expected: answered(200, 500, 'outcome_unknown', more),
});
const contradictory = (status: string) =>
  unknown((id) => ({ ...PLAIN, id, status }), { detail: /still archived or a draft/ });

/** The record in the answer of a restore. */
export const RECORD: Clauses = {
  'Endpoints 3, response': {
    ...casesOf<Parameters<typeof unknown>>(
      [
        ['200 with no JSON', '<html>done</html>'],
        ['200 with a list of records', (id) => [{ ...PLAIN, id }]],
        ['200 with the record in an envelope', (id) => ({ data: { ...PLAIN, id } })],
        ['200 with the record of another content', () => ({ ...PLAIN, id: 'f'.repeat(24) })],
        ['200 with a record without a status', (id) => ({ id, items: [] })],
        ['200 with items that are no list', (id) => ({ ...PLAIN, id, items: { 0: ITEM } })],
      ],
      unknown,
    ),
    '200 with more than 1 MiB, which is not read completely': {
      given: { faults: [`{"target":"content","times":1,"status":200,"body":${OVER_1_MIB}}`] },
      expected: answered(200, 500, 'outcome_unknown'),
    },
    'the id is hexadecimal, so its case may differ': {
      given: {
        faults: ({ contentId }) => [{ status: 200, body: { ...PLAIN, id: contentId.toUpperCase() } }],
      },
      expected: {
        status: 200,
        platform: [200],
        record: ({ contentId }) => ({ ...PLAIN, id: contentId.toUpperCase() }),
      },
    },
    'is uncacheable JSON, whatever headers the platform sends': forwarded({}, undefined, {
      'content-type': 'text/plain',
      'cache-control': 'public, max-age=600',
    }),
  },
  'States, rule 1': {
    '200 with a record that is archived, so it contradicts itself': contradictory('archived'),
    '200 with a record that is ARCHIVED, so it contradicts itself': contradictory('ARCHIVED'),
  },
  'States, rule 2': {
    '200 with a record that is draft, so it contradicts itself': contradictory('draft'),
  },
  'Content record': {
    'items are sorted by rank, lowest first, whatever the platform’s order': forwarded(
      { items: [3, -1, 10, 0].map((rank) => ({ ...ITEM, rank })) },
      { items: [-1, 0, 3, 10].map((rank) => ({ ...ITEM, rank })) },
    ),
    'other fields of the record and its items are dropped': forwarded(
      { title: 'Course', owner: 'somebody', items: [{ ...ITEM, url: 'https://files.example/1' }] },
      { items: [ITEM] },
    ),
    'items that are not objects are dropped': forwarded(
      { items: ['i0', null, [ITEM], ITEM] },
      { items: [ITEM] },
    ),
  },
  Item: {
    'items without a usable rank come last': forwarded(
      { items: [{ id: 'none' }, { id: 'text', rank: '0' }, { id: 'first', rank: 7 }] },
      { items: [{ id: 'first', rank: 7 }, { id: 'none' }, { id: 'text' }] },
    ),
    'fields of a wrong type count as absent': forwarded(
      {
        items: [{ id: 5, type: null, rank: 2, summary: ['a'], status: { is: 'ok' }, failureReason: 1 }],
      },
      { items: [{ rank: 2 }] },
    ),
  },
  'Item, failure reason': {
    'present for an item with status error': forwarded({
      items: [{ ...ITEM, status: 'error', failureReason: 'the file could not be converted' }],
    }),
  },
  'Status vocabularies, gaps': {
    'an undocumented lifecycle status is forwarded unchanged': forwarded({ status: 'scheduled' }),
    'undocumented item types and statuses are forwarded unchanged': forwarded({
      items: [{ ...ITEM, type: 'hologram', status: 'queued' }],
    }),
  },
};
