/** Lifecycle of a content. @see platform specification, "States and transitions" */
export const LIFECYCLE_STATUSES = ['draft', 'published', 'archived', 'ready'] as const;
export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number];
/** The older vocabulary of the `statuses` filter. */
export const LEGACY_STATUSES = ['created', 'published', 'archived', 'deleted'] as const;
export type LegacyStatus = (typeof LEGACY_STATUSES)[number];

/** One item of a content, as it is answered. */
export interface Item {
  readonly id: string;
  readonly type: 'file' | 'video' | 'link' | 'article' | 'quiz';
  /** Position within the content, lowest first. */
  readonly rank: number;
  readonly summary: string;
  readonly status: 'pending' | 'processing' | 'ok' | 'error';
  /** Present when status is `error`. */
  readonly failureReason?: string;
}

/** A content as the platform stores it: items in no order. */
export interface Content {
  readonly id: string;
  status: LifecycleStatus;
  readonly title: string;
  readonly createdAt: string;
  updatedAt: string;
  readonly author: string;
  /** The author, or the collaboration, that owns the content. */
  owner: string;
  readonly items: readonly Item[];
}

const LEGACY_STATUS: Readonly<Record<LifecycleStatus, LegacyStatus>> = {
  draft: 'created',
  ready: 'created',
  published: 'published',
  archived: 'archived',
};

/** The status of a content in the older vocabulary. No content here is ever `deleted`. */
export function legacyStatus({ status }: Content): LegacyStatus {
  return LEGACY_STATUS[status];
}

/**
 * The record that restore and archive answer: items by rank, lowest first.
 * @see platform specification, "Content record as returned by restore (and archive)"
 */
export function contentRecord({ id, status, items }: Content) {
  return { id, status, items: items.toSorted((a, b) => a.rank - b.rank) };
}

/** The catalogue view, which is another shape than {@link contentRecord}: no lifecycle status, no items. */
export function catalogueView({ id, title, createdAt, updatedAt, author }: Content) {
  return {
    id,
    title,
    description: `${title}, made by the sandbox`,
    tags: ['sandbox'],
    type: 'course',
    createdAt,
    updatedAt,
    author,
    isOfficial: false,
  };
}
