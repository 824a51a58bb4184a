import * as fc from 'fast-check';

import { isJsonObject } from '../../../core/json/json-object';

/** Names that a program could take for something else than a field. */
const RISKY_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', ''];
/** Texts that a program could take for something else than text. */
const RISKY_TEXTS = [
  ...['', ' ', '.', '..', '../..', '/', '\\', '%2e%2e', '{contentId}', '*', '?'],
  ...['\0', '\n', '\u202e', '\ud800'],
  ...['null', 'true', '0', '-1', '1e999', 'NaN', '[]', '{}', 'https://', 'arn:aws:', '${x}', '`x`', '$(x)'],
];

/** Any JSON value; also deep ones, long texts and risky names. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, 0, -1, 0.5, 1e308, 2 ** 53, [], {}) },
  { weight: 3, arbitrary: fc.constantFrom(...RISKY_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom(...RISKY_NAMES).map((name) => JSON.parse(`{${JSON.stringify(name)}:{}}`) as unknown),
  fc.integer({ min: 1, max: 3_000 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 1, max: 200 }).map((depth) => nested(depth)),
);

function nested(depth: number): unknown {
  return JSON.parse('[{"a":'.repeat(depth) + '1' + '}]'.repeat(depth));
}

type Place = { parent: Record<string, unknown> | unknown[]; key: string };

/** Every place in a JSON value that can be changed. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Place['parent'];
  return Object.entries(parent).flatMap(([key, child]) => [{ parent, key }, ...placesIn(child)]);
}

interface Change {
  at: number;
  from: number;
  kind: 'replace' | 'remove' | 'copy' | 'repeat' | 'add' | 'edit';
  name: string;
  value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(10_000),
  from: fc.nat(10_000),
  kind: fc.constantFrom('replace', 'remove', 'copy', 'repeat', 'add', 'edit'),
  name: fc.oneof(fc.constantFrom(...RISKY_NAMES), fc.string({ maxLength: 8 })),
  value: anyJson,
});

/**
 * Valid values with a few changes anywhere inside: replaced, removed, repeated, added, moved or edited parts.
 * @param values what parts are replaced with, besides any JSON
 */
export function changed<Value>(
  bases: readonly Value[],
  values: fc.Arbitrary<unknown> = anyJson,
): fc.Arbitrary<unknown> {
  const drawn = fc.tuple(change, fc.oneof(values, anyJson)).map(([each, value]) => ({ ...each, value }));
  return fc
    .tuple(fc.constantFrom(...bases), fc.array(drawn, { maxLength: 4 }))
    .map(([base, changes]) => changes.reduce<unknown>(applied, structuredClone(base)));
}

function applied(root: unknown, { at, from, kind, name, value: drawn }: Change): unknown {
  // Another change may change it, and it may be drawn again.
  const value = structuredClone(drawn);
  const places = placesIn(root);
  if (places.length === 0) return value;
  const { parent, key } = places[at % places.length]! as { parent: Record<string, unknown>; key: string };
  const other = places[from % places.length]! as { parent: Record<string, unknown>; key: string };
  if (kind === 'replace') set(parent, key, value);
  else if (kind === 'remove' && Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (kind === 'remove') delete parent[key];
  else if (kind === 'copy') set(parent, key, structuredClone(other.parent[other.key]));
  else if (kind === 'repeat' && Array.isArray(parent)) parent.push(structuredClone(parent[Number(key)]));
  else if (kind === 'edit' && typeof parent[key] === 'string')
    set(parent, key, edited(parent[key], from, value));
  else if (kind === 'edit' && typeof parent[key] === 'number') set(parent, key, parent[key] + (from % 7) - 3);
  else if (isJsonObject(parent[key])) set(parent[key], name, value);
  else set(parent, key, value);
  return root;
}

/** Also a field named `__proto__` becomes the object's own, as in JSON. */
function set(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function edited(text: string, at: number, value: unknown): string {
  const place = at % (text.length + 1);
  const piece = typeof value === 'string' ? value.slice(0, 3) : '';
  return text.slice(0, place) + piece + text.slice(place + (at % 3));
}
