import { randomBytes } from 'node:crypto';
import { type ItemSchedule, itemStatus } from './item-schedule';

/** Lifecycle of a content. @see platform specification, "States and transitions" */
export const LIFECYCLE_STATUSES = ['draft', 'published', 'archived', 'ready'] as const;
export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number];
/** Kinds of items. The specification shows none; these are assumed. */
export const ITEM_TYPES = ['file', 'video', 'link', 'article', 'quiz'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

export interface Item {
  readonly id: string;
  readonly type: ItemType;
  /** Position within the content, lowest first. */
  readonly rank: number;
  readonly summary: string;
  readonly schedule: ItemSchedule;
}

/** A content as the platform stores it. Immutable: writes replace it. Items are in no particular order. */
export interface Content {
  readonly id: string;
  /** The stored status. {@link lifecycleStatus} computes whether a draft is ready. */
  readonly status: Exclude<LifecycleStatus, 'ready'>;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly type: string;
  readonly author: string;
  /** The author or collaboration that owns the content. */
  readonly owner: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deleted: boolean;
  readonly items: readonly Item[];
}

/**
 * The lifecycle status of a content: a draft is ready once it has items and all of them are `ok`.
 * @see platform specification, "States and transitions", rule 3
 */
export function lifecycleStatus({ status, items }: Content, nowMs: number): LifecycleStatus {
  const isProcessed = items.length > 0 && items.every(({ schedule }) => itemStatus(schedule, nowMs) === 'ok');
  return status === 'draft' && isProcessed ? 'ready' : status;
}

/** An empty draft of an author, which create fills in. */
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

/** A new random id: 24 hexadecimal digits (assumed). */
export function newId(): string {
  return randomBytes(12).toString('hex');
}
