import { type DeploymentKey } from '../deployment-key';
import { type ItemSchedule } from './item-schedule';
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

const DEFAULT_TIMING: ProcessingTiming = { startsAfterSec: 5, takesSec: 30 };

/** How new items are processed. Changes do not affect items that are already scheduled. */
export class Processing {
  readonly #seeded: ProcessingTiming;
  #timing: ProcessingTiming;
  #failures: ItemFailureRule[] = [];

  /** @param seeded default: 5 s pending, then 30 s processing */
  constructor(seeded: Partial<ProcessingTiming> = {}) {
    this.#seeded = { ...DEFAULT_TIMING, ...seeded };
    this.#timing = this.#seeded;
  }

  get timing(): ProcessingTiming {
    return this.#timing;
  }

  /** Sets the given times, for new items only. */
  setTiming({ startsAfterSec, takesSec }: Partial<ProcessingTiming>): void {
    this.#timing = {
      startsAfterSec: startsAfterSec ?? this.#timing.startsAfterSec,
      takesSec: takesSec ?? this.#timing.takesSec,
    };
  }

  addFailure(rule: ItemFailureRule): void {
    this.#failures.push(rule);
  }

  /** The active rules with their remaining times, oldest first. */
  failures(): readonly ItemFailureRule[] {
    return this.#failures;
  }

  clearFailures(): void {
    this.#failures = [];
  }

  /** Restores the seeded timing and deletes all failures. */
  reset(): void {
    this.#timing = this.#seeded;
    this.clearFailures();
  }

  snapshot() {
    return { timing: this.#timing, failures: this.#failures };
  }

  restore({ timing, failures }: ReturnType<Processing['snapshot']>): void {
    this.#timing = timing;
    this.#failures = failures;
  }

  /** Schedules a new item and uses up the oldest matching failure rule, so call it only after all checks. */
  schedule(
    type: ItemType,
    tenant: DeploymentKey & { readonly tenantId: string },
    nowMs: number,
  ): ItemSchedule {
    const { environment, platformRegion, tenantId } = tenant;
    const failureReason = this.#takeFailure({ environment, platformRegion, tenantId, type });
    const startsAtMs = nowMs + this.#timing.startsAfterSec * 1000;
    const endsAtMs = startsAtMs + this.#timing.takesSec * 1000;
    return { startsAtMs, endsAtMs, ...(failureReason !== undefined && { failureReason }) };
  }

  #takeFailure(item: Required<NonNullable<ItemFailureRule['match']>>): string | undefined {
    const taken = this.#failures.find((rule) => matches(rule, item));
    this.#failures = this.#failures
      .map((rule) => (rule === taken ? { ...rule, times: rule.times - 1 } : rule))
      .filter(({ times }) => times > 0);
    return taken?.reason;
  }
}

function matches({ match = {} }: ItemFailureRule, item: Required<NonNullable<ItemFailureRule['match']>>) {
  return (Object.keys(match) as (keyof typeof match)[]).every((field) => match[field] === item[field]);
}
