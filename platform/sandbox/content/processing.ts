import { type DeploymentKey } from '../deployment-key';
import { type ItemSchedule } from './item-schedule';
import { type ItemType } from './records';

/** How long a new item waits, and how long its processing then takes. */
export interface ProcessingTiming {
  readonly startsAfterSec: number;
  readonly takesSec: number;
}

/** The processing of the next `times` new items that match is going to fail. Without `match` that is any item. */
interface ItemFailureRule {
  readonly match?: Partial<DeploymentKey> & { readonly tenantId?: string; readonly type?: ItemType };
  readonly reason: string;
  readonly times: number;
}

const DEFAULT_TIMING: ProcessingTiming = { startsAfterSec: 5, takesSec: 30 };

/** How new items are going to be processed. Items that are scheduled already are not touched by any change here. */
export class Processing {
  readonly #seeded: ProcessingTiming;
  #timing: ProcessingTiming;
  #failures: ItemFailureRule[] = [];

  /** @param seeded what is left out is 5 seconds of waiting, and 30 of processing */
  constructor(seeded: Partial<ProcessingTiming> = {}) {
    this.#seeded = { ...DEFAULT_TIMING, ...seeded };
    this.#timing = this.#seeded;
  }

  get timing(): ProcessingTiming {
    return this.#timing;
  }

  /** Changes what is given; applies to the items that come from now on. */
  setTiming({ startsAfterSec, takesSec }: Partial<ProcessingTiming>): void {
    this.#timing = {
      startsAfterSec: startsAfterSec ?? this.#timing.startsAfterSec,
      takesSec: takesSec ?? this.#timing.takesSec,
    };
  }

  addFailure(rule: ItemFailureRule): void {
    this.#failures.push(rule);
  }

  /** The rules that are in force, the oldest first, with the times that are left. */
  failures(): readonly ItemFailureRule[] {
    return this.#failures;
  }

  clearFailures(): void {
    this.#failures = [];
  }

  /** Back to the timing of the seed, and no failures. */
  reset(): void {
    this.#timing = this.#seeded;
    this.clearFailures();
  }

  /** Schedules a new item, and uses up the oldest failure rule that matches it: called when nothing can refuse the item any more. */
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
