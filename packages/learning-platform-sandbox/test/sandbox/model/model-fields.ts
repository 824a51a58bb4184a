import { type Body } from './model-records';

const ITEM_TYPES = ['file', 'video', 'link', 'article', 'quiz'];

/** A request that the modelled platform refuses with this status. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(String(status));
    this.status = status;
  }
}

/** Fields of create and update. */
export function requireFields(operation: 'create' | 'update', body: Body): void {
  const { title, description, tags, type, items } = body;
  const given = [title, description, tags, type, items].filter((value) => value !== undefined);
  const isRight =
    (operation === 'create' ? title !== undefined : given.length > 0) &&
    (title === undefined || isText(title, 1, 256)) &&
    (description === undefined || isText(description, 0, 4096)) &&
    (type === undefined || isText(type, 1, 64)) &&
    (tags === undefined || isListOf(tags, 50, (tag) => isText(tag, 1, 64))) &&
    (items === undefined || isListOf(items, 100, isItem));
  if (!isRight) throw new Refusal(422);
}

function isItem(value: unknown): boolean {
  const { type, summary } = Object(value) as { type?: string; summary?: unknown };
  return ITEM_TYPES.includes(type ?? '') && isText(summary, 1, 256);
}

/** Lengths are in code points. */
export function isText(value: unknown, min: number, max: number): boolean {
  return typeof value === 'string' && value.length >= min && value.length <= max;
}

function isListOf(value: unknown, max: number, isRight: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= max && value.every(isRight);
}
