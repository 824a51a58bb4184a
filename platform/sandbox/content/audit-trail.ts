import { type DeploymentKey } from '../deployment-key';
import { type WriteOperation } from './lifecycle';

/** How many changes are kept; older ones are dropped. */
const KEPT_CHANGES = 10_000;

/** One change of a content. */
export interface Change extends DeploymentKey {
  /** By the sandbox's clock; ISO 8601. */
  readonly at: string;
  readonly tenantId: string;
  readonly contentId: string;
  readonly operation: WriteOperation;
  /** The author reference, or {@link SYSTEM_ACCOUNT}. */
  readonly actingUser: string;
  /** Who owns the content after the change. */
  readonly owner: string;
}

/**
 * Who a change is recorded against when only a collaboration was named.
 * @see platform specification, "Acting-user object", rule 2
 */
export const SYSTEM_ACCOUNT = 'system account';

/** The changes of all contents, oldest first. */
export class AuditTrail {
  #changes: Change[] = [];

  record(change: Change): void {
    this.#changes.push(change);
    if (this.#changes.length > KEPT_CHANGES) this.#changes.shift();
  }

  all(): readonly Change[] {
    return this.#changes;
  }

  reset(): void {
    this.#changes = [];
  }
}
