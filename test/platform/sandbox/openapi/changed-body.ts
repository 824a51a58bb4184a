import * as fc from 'fast-check';

import { type JsonSchema } from '../../../../platform/sandbox/openapi/zod-json-schema';
import { type Json, nearValues } from './near-values';

type Holder = Json[] | { [name: string]: Json };

/** One thing done to a body: to the place of that number, of as many as there are. */
interface Change {
  readonly place: number;
  readonly kind: 'set' | 'remove' | 'add';
  /** Of what is added to an object. */
  readonly name: string;
  /** Of the values that are right, or just not right, for a field of that name. */
  readonly near: number;
  /** Instead of those. */
  readonly far: Json | undefined;
}

const HEADERS = [
  'Content-Length',
  'TRANSFER-encoding',
  'traileR',
  'X-A',
  'x a',
  'é',
  '',
  '__proto__',
].flatMap((name) => ['v', 'a\nb', 'é', '\u{100}', '\u0001', '', 1].map((value) => ({ [name]: value })));
const ODD_NAMES = ['__proto__', 'constructor', 'toString', 'x', ''];

/** Every body that is one of the right ones but for one field: left out, or with a value from around the limits of the schema. */
export function bodiesWithOneChange(schema: JsonSchema, right: readonly unknown[]): string[] {
  const near = nearValues(schema);
  near.get('headers')?.push(...HEADERS);
  const bodies = (right as Json[]).flatMap((body) => [
    ...placesIn(body).map((_, place) =>
      changedCopy(body, (copy) => {
        const { holder, key } = placesIn(copy)[place]!;
        remove(holder, key);
      }),
    ),
    ...objectsIn(body).flatMap((_, n) =>
      [...near].flatMap(([name, values]) =>
        values.map((value) => changedCopy(body, (copy) => define(objectsIn(copy)[n]!, name, value))),
      ),
    ),
  ]);
  return [...new Set(bodies)];
}

/**
 * Bodies near right ones: each is one of these with up to three changes, by values from around the limits of the schema or
 * by any. As text of JSON, since that is how `__proto__` can be a field.
 */
export function changedBody(schema: JsonSchema, right: readonly unknown[]): fc.Arbitrary<string> {
  const near = nearValues(schema);
  const change = fc.record({
    place: fc.nat(),
    kind: fc.constantFrom('set' as const, 'add' as const, 'remove' as const),
    name: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...near.keys()) }, fc.constantFrom(...ODD_NAMES)),
    near: fc.nat(),
    far: fc.option(fc.oneof(fc.constantFrom<Json>(null, ...HEADERS), fc.jsonValue() as fc.Arbitrary<Json>), {
      freq: 2,
      nil: undefined,
    }),
  });
  const changed = fc
    .tuple(fc.constantFrom(...(right as Json[])), fc.array(change, { maxLength: 3 }))
    .map(([body, changes]) =>
      JSON.stringify(changes.reduce((last, each) => applied(each, last, near), structuredClone(body))),
    );
  return fc.oneof({ weight: 20, arbitrary: changed }, { weight: 1, arbitrary: fc.json() });
}

function applied(
  { place, kind, name, near: number, far }: Change,
  body: Json,
  near: ReadonlyMap<string, readonly Json[]>,
): Json {
  const valueFor = (field: string): Json => {
    const values = near.get(field);
    return structuredClone(
      far === undefined && values?.length ? values[number % values.length]! : (far ?? null),
    );
  };
  const places = placesIn(body);
  if (places.length === 0) return valueFor('');
  const { holder, key, field } = places[place % places.length]!;
  if (kind === 'remove') remove(holder, key);
  else if (kind === 'set') define(holder, key, valueFor(field));
  else if (Array.isArray(holder)) holder.push(valueFor(field));
  else define(holder, name, valueFor(name));
  return body;
}

function changedCopy(body: Json, change: (copy: Json) => void): string {
  const copy = structuredClone(body);
  change(copy);
  return JSON.stringify(copy);
}

function remove(holder: Holder, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

function define(holder: Holder, key: string, value: Json): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The body and all objects in it. */
function objectsIn(body: Json): Holder[] {
  if (typeof body !== 'object' || body === null) return [];
  const inside = Object.values(body).flatMap(objectsIn);
  return Array.isArray(body) ? inside : [body, ...inside];
}

/** All places in a body. Elements of a list are known by the name of the list. */
function placesIn(body: Json, of = ''): { holder: Holder; key: string; field: string }[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, part]) => {
    const field = Array.isArray(body) ? of : key;
    return [{ holder: body, key, field }, ...placesIn(part, field)];
  });
}
