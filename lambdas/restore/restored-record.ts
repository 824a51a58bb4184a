import { isSameContent } from '../../core/restore/content-id';
import { isJsonObject, parseJsonObject } from '../../core/json/json-object';
import { type RestoredItem, type RestoredRecord } from '../../core/restore/restore-operation';
import { hasDuplicateMembers, isWithin, type JsonShape, shapeOfJson } from '../../core/json/json-shape';

/**
 * Far more than any record needs (3 levels, about 7 members per item), and few enough to parse 1 MiB in tens of
 * milliseconds.
 */
const MAX_STRUCTURE: JsonShape = { depth: 64, members: 50_000 };

/**
 * Parses the platform's restored record; undefined if it is not a valid record of this content.
 * Accepts unknown statuses, item types and further fields, which the platform may add.
 * @param failureReasonField name of the item field that holds the reason of a failure
 * @see the platform's specification, "Content record as returned by restore" and "Item"
 */
export function parseRestoredRecord(
  body: string,
  contentId: string,
  failureReasonField: string,
): RestoredRecord | undefined {
  if (!isWithin(shapeOfJson(body), MAX_STRUCTURE)) return undefined;
  const value = parseJsonObject(body);
  if (value === undefined || typeof value.id !== 'string' || typeof value.status !== 'string')
    return undefined;
  // Two statuses may contradict each other.
  if (hasDuplicateMembers(body, value)) return undefined;
  if (!isSameContent(value.id, contentId) || !Array.isArray(value.items)) return undefined;
  const items: RestoredItem[] = [];
  for (const item of value.items as unknown[]) {
    if (isJsonObject(item)) items.push(readItem(item, failureReasonField));
  }
  return { id: value.id, status: value.status, items: items.sort(byRank) };
}

function readItem(item: Record<string, unknown>, failureReasonField: string): RestoredItem {
  return {
    id: text(item.id),
    type: text(item.type),
    rank: Number.isFinite(item.rank) ? Number(item.rank) : undefined,
    summary: text(item.summary),
    status: text(item.status),
    failureReason: text(item[failureReasonField]),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function byRank(a: RestoredItem, b: RestoredItem): number {
  return (a.rank ?? Number.MAX_SAFE_INTEGER) - (b.rank ?? Number.MAX_SAFE_INTEGER);
}
