import { RefusedRequestError } from '../errors';
import { type ContentOperation } from '../operations';
import { type Content, LIFECYCLE_STATUSES, lifecycleStatus, type LifecycleStatus } from './records';

export type WriteOperation = Exclude<ContentOperation, 'list' | 'get'>;

interface Transition {
  readonly from: readonly LifecycleStatus[];
  readonly to: Partial<Pick<Content, 'status' | 'deleted'>>;
}

/**
 * The transition of each operation. Restore always publishes, whatever the status before archiving. All transitions except that
 * of restore are assumed.
 * @see platform specification, "States and transitions", rules 1 and 2
 */
const TRANSITIONS: Readonly<Record<WriteOperation, Transition>> = {
  create: { from: ['draft'], to: {} },
  update: { from: ['draft', 'ready', 'published'], to: {} },
  publish: { from: ['ready'], to: { status: 'published' } },
  delete: { from: LIFECYCLE_STATUSES, to: { deleted: true } },
  archive: { from: ['draft', 'ready', 'published'], to: { status: 'archived' } },
  restore: { from: ['archived'], to: { status: 'published' } },
};

/**
 * Checks that the content's status allows the operation.
 * @throws {RefusedRequestError} 409
 */
export function requireTransition(operation: WriteOperation, content: Content, nowMs: number): void {
  const status = lifecycleStatus(content, nowMs);
  const { from } = TRANSITIONS[operation];
  if (from.includes(status)) return;
  throw new RefusedRequestError(
    409,
    `the content is ${status}; ${operation} needs it to be ${from.join(' or ')}`,
  );
}

export function afterTransition(operation: WriteOperation, content: Content): Content {
  return { ...content, ...TRANSITIONS[operation].to };
}
