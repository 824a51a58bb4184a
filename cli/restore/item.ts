import { type ActingUser, REFERENCE, REFERENCE_RULE } from '../../core/restore/restore-operation';
import { usageError } from '../command-error';
import { showArgument } from '../safe-text';

/** A content to restore, and who acts. */
export interface RestoreItem {
  readonly contentId: string;
  readonly actingUser: Readonly<ActingUser>;
}

/** Whether a value is a valid author reference or collaboration id. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && REFERENCE.test(value);
}

/** The value of a flag that names an acting user. @throws {CommandError} usage, if it is not a valid reference */
export function checkedReference(flag: string, value: string): string {
  if (isReference(value)) return value;
  throw usageError(flag, showArgument(value), REFERENCE_RULE);
}
