import { itemStatus } from './item-schedule';
import { type Content, type Item, lifecycleStatus } from './records';

/** The older vocabulary of the `statuses` filter. @see platform specification, "Status vocabularies" */
export const LEGACY_STATUSES = ['created', 'published', 'archived', 'deleted'] as const;
export type LegacyStatus = (typeof LEGACY_STATUSES)[number];

const LEGACY_STATUS: Readonly<Record<Content['status'], LegacyStatus>> = {
  draft: 'created',
  published: 'published',
  archived: 'archived',
};

/** The status in the older vocabulary, where `created` covers draft and ready. */
export function legacyStatus({ status, deleted }: Content): LegacyStatus {
  return deleted ? 'deleted' : LEGACY_STATUS[status];
}

/**
 * The record that restore and archive return, with items sorted by rank.
 * @see platform specification, "Content record as returned by restore (and archive)" and "Item"
 */
export function contentRecord(content: Content, nowMs: number) {
  return {
    id: content.id,
    status: lifecycleStatus(content, nowMs),
    items: content.items.toSorted((a, b) => a.rank - b.rank).map((item) => itemRecord(item, nowMs)),
  };
}

/** The catalogue view. Unlike {@link contentRecord} it has no lifecycle status and no items. */
export function catalogueView(content: Content) {
  const { id, title, description, tags, type, createdAt, updatedAt, author } = content;
  return { id, title, description, tags, type, createdAt, updatedAt, author, isOfficial: false };
}

/** A stored content as control returns it: both views, the owner, and whether it is deleted. */
export function storedView(content: Content, nowMs: number) {
  const { title, description, tags, type, author, owner, createdAt, updatedAt, deleted } = content;
  const { id, status, items } = contentRecord(content, nowMs);
  return { id, status, title, description, tags, type, author, owner, createdAt, updatedAt, deleted, items };
}

function itemRecord({ id, type, rank, summary, schedule }: Item, nowMs: number) {
  const status = itemStatus(schedule, nowMs);
  const { failureReason } = schedule;
  return { id, type, rank, summary, status, ...(status === 'error' && { failureReason }) };
}
