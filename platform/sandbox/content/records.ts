import { randomBytes } from 'node:crypto';
import { type ItemSchedule, itemStatus } from './item-schedule';

/** Lifecycle of a content. @see platform specification, "States and transitions" */
export const LIFECYCLE_STATUSES = ['draft', 'published', 'archived', 'ready'] as const;
export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number];
/** Kinds of items. The specification shows none; these are assumed. */
export const ITEM_TYPES = ['file', 'video', 'link', 'article', 'quiz'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

/** One item of a content. */
export interface Item {
  readonly id: string;
  readonly type: ItemType;
  /** Position within the content, lowest first. */
  readonly rank: number;
  readonly summary: string;
  readonly schedule: ItemSchedule;
}

/** A content as the platform stores it: never changed, only replaced by what a write makes of it. Items are in no order. */
export interface Content {
  readonly id: string;
  /** What writes made of it. That a draft has become ready is not stored: {@link lifecycleStatus} tells. */
  readonly status: Exclude<LifecycleStatus, 'ready'>;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly type: string;
  readonly author: string;
  /** The author, or the collaboration, that owns the content. */
  readonly owner: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deleted: boolean;
  readonly items: readonly Item[];
}

/**
 * Where a content is in its lifecycle at a time: a draft is ready once it has items and each of them is `ok`.
 * @see platform specification, "States and transitions", rule 3
 */
export function lifecycleStatus({ status, items }: Content, nowMs: number): LifecycleStatus {
  const isProcessed = items.length > 0 && items.every(({ schedule }) => itemStatus(schedule, nowMs) === 'ok');
  return status === 'draft' && isProcessed ? 'ready' : status;
}

/** What create starts from: an author's draft that holds nothing yet. */
export function blankContent(authorRef: string, at: string): Content {
  return {
    id: newId(),
    status: 'draft',
    title: '',
    description: '',
    tags: [],
    type: '',
    author: authorRef,
    owner: authorRef,
    createdAt: at,
    updatedAt: at,
    deleted: false,
    items: [],
  };
}

/** An id that nothing has yet: 24 hexadecimal digits, as it is assumed. */
export function newId(): string {
  return randomBytes(12).toString('hex');
}
