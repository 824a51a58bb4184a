import { z } from '@hono/zod-openapi';
import { timeSchema } from '../openapi/parts';
import { ITEM_STATUSES, itemStatus } from './item-schedule';
import { type Content, type Item, ITEM_TYPES, LIFECYCLE_STATUSES, lifecycleStatus } from './records';

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

const itemSchema = z.strictObject({
  id: z.string(),
  type: z.enum(ITEM_TYPES).describe('Kind of item. The values are assumed.'),
  rank: z.int().describe('Position within the content, lowest first.'),
  summary: z.string().describe('Short label shown to learners.'),
  status: z.enum(ITEM_STATUSES).describe('Processing state; pending and processing are assumed.'),
  failureReason: z
    .string()
    .optional()
    .describe('Why processing failed. Present if status is error. The field name is assumed.'),
});
const recordFields = z.strictObject({
  id: z.string(),
  status: z.enum(LIFECYCLE_STATUSES),
  items: z.array(itemSchema),
});
const descriptiveFields = {
  title: z.string(),
  description: z.string(),
  tags: z.array(z.string()).readonly(),
  type: z.string(),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  author: z.string().describe('The author reference.'),
};
/** @see contentRecord */
export const recordSchema = recordFields.openapi('ContentRecord');
/** @see catalogueView */
export const catalogueSchema = z
  .strictObject({ id: z.string(), ...descriptiveFields, isOfficial: z.boolean() })
  .openapi('CatalogueView');
/** @see storedView */
export const storedSchema = recordFields
  .extend({
    ...descriptiveFields,
    owner: z.string().describe('The author or collaboration that owns the content.'),
    deleted: z.boolean(),
  })
  .openapi('Content');

/**
 * The record that restore and archive return, with items sorted by rank.
 * @see platform specification, "Content record as returned by restore (and archive)" and "Item"
 */
export function contentRecord(content: Content, nowMs: number): z.output<typeof recordSchema> {
  return {
    id: content.id,
    status: lifecycleStatus(content, nowMs),
    items: content.items.toSorted((a, b) => a.rank - b.rank).map((item) => itemRecord(item, nowMs)),
  };
}

/** The catalogue view. Unlike {@link contentRecord} it has no lifecycle status and no items. */
export function catalogueView(content: Content): z.output<typeof catalogueSchema> {
  const { id, title, description, tags, type, createdAt, updatedAt, author } = content;
  return { id, title, description, tags, type, createdAt, updatedAt, author, isOfficial: false };
}

/** A stored content as control returns it: both views, the owner, and whether it is deleted. */
export function storedView(content: Content, nowMs: number): z.output<typeof storedSchema> {
  const { title, description, tags, type, author, owner, createdAt, updatedAt, deleted } = content;
  const { id, status, items } = contentRecord(content, nowMs);
  return { id, status, title, description, tags, type, author, owner, createdAt, updatedAt, deleted, items };
}

function itemRecord({ id, type, rank, summary, schedule }: Item, nowMs: number) {
  const status = itemStatus(schedule, nowMs);
  const { failureReason } = schedule;
  return { id, type, rank, summary, status, ...(status === 'error' && { failureReason }) };
}
