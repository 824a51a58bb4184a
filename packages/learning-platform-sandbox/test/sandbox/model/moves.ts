import * as fc from 'fast-check';
import { type Caller, type Request } from './model-records';

/** Selects a content or reference: by number, of the tenant or the other tenant, or an unknown one. */
export type Whose = { readonly of: 'own' | 'other' | 'nobody'; readonly n: number };

/** One step of a sequence. */
export type Move =
  | {
      readonly kind: 'request';
      readonly operation: Request['operation'];
      readonly tenant: 0 | 1;
      readonly caller: Caller;
      readonly content: Whose;
      readonly author?: Whose;
      readonly collaboration?: Whose;
      readonly contentType: string;
      readonly isMalformed: boolean;
      readonly fields: Readonly<Record<string, unknown>>;
      readonly statuses?: readonly string[];
    }
  | { readonly kind: 'time passes'; readonly sec: number }
  | { readonly kind: 'new tokens' }
  | {
      readonly kind: 'item failure';
      readonly match?: { readonly type?: string; readonly tenant?: 0 | 1 };
      readonly times: number;
    }
  | {
      readonly kind: 'dependency fails';
      readonly dependency: 'directory' | 'store' | 'audit';
      readonly operation?: string;
      readonly times: number;
    }
  | {
      readonly kind: 'timing';
      readonly change: { readonly startsAfterSec?: number; readonly takesSec?: number };
    }
  | {
      readonly kind: 'restore settings';
      readonly change: { readonly available?: boolean; readonly actingUserIn?: 'body' | 'header' };
    };

const OPERATIONS = ['create', 'update', 'delete', 'publish', 'list', 'get', 'archive', 'restore'] as const;
const WORD = fc.constantFrom('Safety', 'at', 'work', 'Überblick');

/** Nearly always the first value, so that most moves have an effect. */
function mostly<Value>(usual: fc.Arbitrary<Value>, unusual: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: unusual });
}
/** Undefined values are not sent. */
function perhaps<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(value, { nil: undefined });
}

const tenant = mostly<0 | 1>(fc.constant(0), fc.constant(1));
const n = fc.nat({ max: 4 });
const own = fc.record({ of: fc.constant('own' as const), n });
const whose = mostly<Whose>(own, fc.record({ of: fc.constantFrom('other' as const, 'nobody' as const), n }));
const item = fc.record({ type: fc.constantFrom('file', 'video', 'link', 'article', 'quiz'), summary: WORD });
const WRONG_FIELDS: readonly Record<string, unknown>[] = [
  { title: undefined },
  { title: '' },
  { title: null },
  { title: 'x'.repeat(257) },
  { description: 'x'.repeat(4097) },
  { tags: [''] },
  { tags: 'one' },
  { type: 7 },
  { items: [{ type: 'song', summary: 'x' }] },
  { items: [null] },
  { items: [{ type: 'quiz' }] },
  { authorRef: '' },
  { authorRef: 7 },
  { collaborationId: null },
];
const fields = mostly<Record<string, unknown>>(
  fc.record(
    {
      title: WORD,
      description: fc.constantFrom('', 'About work'),
      tags: fc.array(WORD, { maxLength: 2 }),
      type: fc.constantFrom('course', 'path'),
      items: fc.array(item, { maxLength: 3 }),
      unknownField: WORD,
    },
    { requiredKeys: [] },
  ),
  fc.constantFrom(...WRONG_FIELDS),
);

const request = fc.record({
  kind: fc.constant('request' as const),
  operation: fc.constantFrom(...OPERATIONS),
  tenant,
  caller: mostly<Caller>(
    fc.constantFrom('api/all', 'basic'),
    fc.constantFrom('api/read', 'api/write', 'webhooks token', 'nobody'),
  ),
  content: whose,
  author: mostly<Whose | undefined>(whose, fc.constant(undefined)),
  collaboration: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: whose }),
  contentType: mostly(fc.constant('application/json'), fc.constant('text/plain')),
  isMalformed: mostly(fc.constant(false), fc.constant(true)),
  fields,
  statuses: perhaps(
    mostly<string[]>(
      fc.uniqueArray(fc.constantFrom('created', 'published', 'archived', 'deleted'), { minLength: 1 }),
      fc.constant<string[]>(['ready']),
    ),
  ),
});
const operation = perhaps(fc.constantFrom(...OPERATIONS));
const times = fc.integer({ min: 1, max: 3 });

/** One move: mostly requests, and enough time for items to be processed. */
export const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 40, arbitrary: request },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('time passes' as const),
      sec: mostly(fc.constantFrom(0.001, 4.999, 5, 30, 35), fc.constantFrom(3599, 3600)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('new tokens' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('item failure' as const),
      match: perhaps(fc.record({ type: fc.constantFrom('video', 'quiz'), tenant }, { requiredKeys: [] })),
      times,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('dependency fails' as const),
      dependency: fc.constantFrom('directory' as const, 'store' as const, 'audit' as const),
      operation,
      times,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('timing' as const),
      change: fc.record(
        { startsAfterSec: fc.constantFrom(0, 5), takesSec: fc.constantFrom(0, 30) },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('restore settings' as const),
      change: fc.record(
        { available: fc.boolean(), actingUserIn: fc.constantFrom('body' as const, 'header' as const) },
        { requiredKeys: [] },
      ),
    }),
  },
);
