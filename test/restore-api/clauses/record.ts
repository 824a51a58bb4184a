import { type ClauseCase as AnyCase, type Expected } from '../../support/restore-api/clause-case';
import { type Break } from '../../support/breaks/break';
import { type ClauseCase } from './clause';
import { broken } from './product';

/** What the platform answers with 200 instead of restoring, and what of it the caller gets. */
interface AnsweredRecord {
  id: AnyCase['id'];
  clause: ClauseCase['clause'];
  title: string;
  /** Members beside or instead of id, status and items. */
  platform: object;
  caller: object;
  brokenBy: Break;
}

/** An answer of which nothing in particular is wrong. */
const PLAIN = { status: 'published', items: [] as object[] };
const ITEM = { id: 'i1', type: 'video', rank: 1, summary: 'One', status: 'ok' };

const RECORDS: readonly AnsweredRecord[] = [
  {
    id: 'C300',
    clause: 'Content record',
    title: 'items come by rank, lowest first, however the platform orders them',
    platform: { items: [3, -1, 10, 0].map((rank) => ({ ...ITEM, rank })) },
    caller: { items: [-1, 0, 3, 10].map((rank) => ({ ...ITEM, rank })) },
    brokenBy: broken('restoredRecord', 'items.sort(byRank)', 'items'),
  },
  {
    id: 'C301',
    clause: 'Item',
    title: 'without a usable rank come last',
    platform: { items: [{ id: 'none' }, { id: 'text', rank: '0' }, { id: 'first', rank: 7 }] },
    caller: { items: [{ id: 'first', rank: 7 }, { id: 'none' }, { id: 'text' }] },
    brokenBy: broken('restoredRecord', '(a.rank ?? Number.MAX_SAFE_INTEGER) -', '(a.rank ?? 0) -'),
  },
  {
    id: 'C302',
    clause: 'Content record',
    title: 'further fields of record and items are left out',
    platform: { title: 'Course', owner: 'somebody', items: [{ ...ITEM, url: 'https://files.example/1' }] },
    caller: { items: [ITEM] },
    brokenBy: broken('restoredRecord', 'return { id: value.id,', 'return { ...value, id: value.id,'),
  },
  {
    id: 'C303',
    clause: 'Status vocabularies, gaps',
    title: 'a lifecycle status that is not shown is passed on as it came',
    platform: { status: 'scheduled' },
    caller: { status: 'scheduled' },
    brokenBy: broken('restoredRecord', 'status: value.status,', "status: 'published',"),
  },
  {
    id: 'C304',
    clause: 'Status vocabularies, gaps',
    title: 'item types and statuses that are not shown are passed on as they came',
    platform: { items: [{ ...ITEM, type: 'hologram', status: 'queued' }] },
    caller: { items: [{ ...ITEM, type: 'hologram', status: 'queued' }] },
    brokenBy: broken(
      'restoredRecord',
      'type: text(item.type),',
      "type: item.type === 'video' ? 'video' : undefined,",
    ),
  },
  {
    id: 'C305',
    clause: 'Item, failure reason',
    title: 'of an item whose status is error',
    platform: { items: [{ ...ITEM, status: 'error', failureReason: 'the file could not be converted' }] },
    caller: { items: [{ ...ITEM, status: 'error', failureReason: 'the file could not be converted' }] },
    brokenBy: broken('restoredRecord', 'failureReason: text(item[failureReasonField]),', ''),
  },
  {
    id: 'C306',
    clause: 'Item',
    title: 'fields of another type count as absent',
    platform: {
      items: [{ id: 5, type: null, rank: 2, summary: ['a'], status: { is: 'ok' }, failureReason: 1 }],
    },
    caller: { items: [{ rank: 2 }] },
    brokenBy: broken('restoredRecord', "typeof value === 'string' ? value : undefined", 'value as string'),
  },
  {
    id: 'C307',
    clause: 'Content record',
    title: 'what is no object among the items is left out',
    platform: { items: ['i0', null, [ITEM], ITEM] },
    caller: { items: [ITEM] },
    brokenBy: broken(
      'restoredRecord',
      'value.items.filter(isObject)',
      '(value.items as Record<string, unknown>[])',
    ),
  },
  {
    id: 'C308',
    clause: 'Content record',
    title: 'a content without items has an empty list of them',
    platform: { items: [] },
    caller: { items: [] },
    brokenBy: broken('restoredRecord', '!Array.isArray(value.items)', '!(value.items as unknown[])?.[0]'),
  },
  {
    id: 'C309',
    clause: 'Item',
    title: 'a summary in any script arrives as it was',
    platform: { items: [{ ...ITEM, summary: 'مقدمة – ‘Überblick’ 🎓' }] },
    caller: { items: [{ ...ITEM, summary: 'مقدمة – ‘Überblick’ 🎓' }] },
    brokenBy: broken('httpsClient', "toString('utf8')", "toString('latin1')"),
  },
  {
    id: 'C310',
    clause: 'Content record',
    title: 'a record of several hundred KiB is one all the same',
    platform: {
      items: Array.from({ length: 4000 }, (_, rank) => ({ ...ITEM, rank, summary: 'x'.repeat(50) })),
    },
    caller: {
      items: Array.from({ length: 4000 }, (_, rank) => ({ ...ITEM, rank, summary: 'x'.repeat(50) })),
    },
    brokenBy: broken('platformContent', 'MAX_ANSWER_BYTES = 1024 * 1024', 'MAX_ANSWER_BYTES = 64 * 1024'),
  },
];

/** The record that a restore answers. */
export const CASES: readonly ClauseCase[] = [
  ...RECORDS.map(({ id, clause, title, platform, caller, brokenBy }): ClauseCase => ({
    id,
    clause,
    title,
    given: { faults: ({ contentId }) => [{ status: 200, body: { ...PLAIN, id: contentId, ...platform } }] },
    expected: unchanged({ record: ({ contentId }) => ({ ...PLAIN, id: contentId, ...caller }) }),
    brokenBy,
  })),
  {
    id: 'C334',
    clause: 'Endpoints 3, response',
    title: 'the id may come in the other case: it is hexadecimal',
    given: {
      faults: ({ contentId }) => [{ status: 200, body: { ...PLAIN, id: contentId.toUpperCase() } }],
    },
    expected: unchanged({ record: ({ contentId }) => ({ ...PLAIN, id: contentId.toUpperCase() }) }),
    brokenBy: broken(
      'restoredRecord',
      'value.id.toLowerCase() !== contentId.toLowerCase()',
      'value.id !== contentId',
    ),
  },
  {
    id: 'C335',
    clause: 'Endpoints 3, response',
    title: 'is JSON that nobody may store, whatever the platform says of its own',
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
    brokenBy: broken('restoreHandler', "'Cache-Control': 'no-store', ", ''),
  },
];

/** A success of which the platform only says that it is one. */
function unchanged(more: Pick<Expected, 'record'>): Expected {
  return { status: 200, platform: [200], ...more };
}
