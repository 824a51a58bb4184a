import { type DeploymentKey } from '../deployment-key';
import { matchesAll } from '../faults';
import { type ItemType } from './records';

/** How long a new item is pending, and how long its processing then takes. */
export interface ProcessingTiming {
  readonly startsAfterSec: number;
  readonly takesSec: number;
}

/** Makes processing of the next `times` matching items fail. Without `match`, of any items. */
interface ItemFailureRule {
  readonly match?: Partial<DeploymentKey> & { readonly tenantId?: string; readonly type?: ItemType };
  readonly reason: string;
  readonly times: number;
}

/** {@link ProcessingTiming} of a seed that leaves it open. */
export const DEFAULT_TIMING: ProcessingTiming = { startsAfterSec: 5, takesSec: 30 };

/** The rules that make processing fail, oldest first, with their remaining times. */
export class ItemFailures {
  #rules: readonly ItemFailureRule[] = [];

  add(rule: ItemFailureRule): void {
    this.#rules = [...this.#rules, rule];
  }

  all(): readonly ItemFailureRule[] {
    return this.#rules;
  }

  reset(): void {
    this.#rules = [];
  }

  snapshot(): readonly ItemFailureRule[] {
    return this.#rules;
  }

  restore(rules: readonly ItemFailureRule[]): void {
    this.#rules = rules;
  }

  /** Uses up the oldest rule that matches a new item. @returns its reason */
  take(item: Required<NonNullable<ItemFailureRule['match']>>): string | undefined {
    const taken = this.#rules.find(({ match }) => matchesAll(match, item));
    this.#rules = this.#rules
      .map((rule) => (rule === taken ? { ...rule, times: rule.times - 1 } : rule))
      .filter(({ times }) => times > 0);
    return taken?.reason;
  }
}
