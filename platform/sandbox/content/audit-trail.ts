import { type DeploymentKey } from '../deployment-key';
import { type WriteOperation } from './lifecycle';

/** Assumed, to bound memory. */
const KEPT_CHANGES = 10_000;

/** One change of a content. */
export interface Change extends DeploymentKey {
  /** Sandbox clock time, ISO 8601. */
  readonly at: string;
  readonly tenantId: string;
  readonly contentId: string;
  readonly operation: WriteOperation;
  /** The author reference, or {@link SYSTEM_ACCOUNT}. */
  readonly actingUser: string;
  /** The owner after the change. */
  readonly owner: string;
}

/**
 * The acting user of a change whose request names only a collaboration.
 * @see platform specification, "Acting-user object", rule 2
 */
export const SYSTEM_ACCOUNT = 'system account';

/** The last changes of all contents, oldest first. */
export class AuditTrail {
  readonly #kept: number;
  #changes: Change[] = [];

  /** @param kept how many changes are kept */
  constructor(kept = KEPT_CHANGES) {
    this.#kept = kept;
  }

  record(change: Change): void {
    this.#changes.push(change);
    if (this.#changes.length > this.#kept) this.#changes.shift();
  }

  all(): readonly Change[] {
    return this.#changes;
  }

  reset(): void {
    this.#changes = [];
  }

  snapshot() {
    return { changes: this.#changes };
  }

  restore({ changes }: ReturnType<AuditTrail['snapshot']>): void {
    this.#changes = changes;
  }
}
