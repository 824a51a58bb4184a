import * as fc from 'fast-check';

import { type JsonSchema } from '../../../src/testing/documents';
import { type Json, nearValues } from './near-values';

type Holder = Json[] | { [name: string]: Json };

/** One change of a body, at the nth place (modulo the number of places). */
interface Change {
  readonly place: number;
  readonly kind: 'set' | 'remove' | 'add';
  /** The name of an added field. */
  readonly name: string;
  /** Selects a value near the limits for a field of that name. */
  readonly near: number;
  /** Used instead of those. */
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

/** Every valid body with one field changed: removed, or set to a value near the limits of its schema. */
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
 * Nearly valid bodies: one of these with up to three changes, to values near the limits of the schema or
 * arbitrary ones. As JSON text, so that `__proto__` can be a field.
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

/** The body and all nested objects. */
function objectsIn(body: Json): Holder[] {
  if (typeof body !== 'object' || body === null) return [];
  const inside = Object.values(body).flatMap(objectsIn);
  return Array.isArray(body) ? inside : [body, ...inside];
}

/** All places in a body. Elements of a list have the name of the list. */
function placesIn(body: Json, of = ''): { holder: Holder; key: string; field: string }[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, part]) => {
    const field = Array.isArray(body) ? of : key;
    return [{ holder: body, key, field }, ...placesIn(part, field)];
  });
}
