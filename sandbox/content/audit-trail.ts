/** How many changes are kept; older ones are dropped. */
const KEPT_CHANGES = 10_000;

/** One change of a content. */
export interface Change {
  readonly at: string;
  readonly tenantId: string;
  readonly contentId: string;
  readonly operation: 'restore' | 'archive';
  /** The author reference, or {@link SYSTEM_ACCOUNT}. */
  readonly actingUser: string;
  /** Who owns the content after the change. */
  readonly owner: string;
}

/** Who a change is recorded against when only a collaboration was named. */
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
