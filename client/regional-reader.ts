import { type TokenKey } from '../core/tokens/published-keys';
import { after, type Clock, LONG_AGO, type Moment, now, timeLeftMs } from './clock';
import { type CachedToken } from './token-cache';
import {
  READ_TIMEOUT_MS,
  type SecretReader,
  type StoredVersion,
  type TokenSecretReader,
} from './token-secret-reader';
import { TokenUnavailableError } from './token-unavailable-error';

/** How long a region may take while another one is left to ask. */
const BUDGET_MS = 2_000;
/** How long a region that failed is asked last. */
const AVOIDED_MS = 60_000;

interface Region {
  readonly name: string;
  readonly reader: Pick<TokenSecretReader, 'readWithin'>;
  avoidedUntil: Moment;
}

/** Called when another region answers from now on. `reason` says why the former one does not; absent on its return. */
export type RegionChange = (change: { from: string; to: string; reason?: string }) => void;

/**
 * Reads tokens in the first region that answers. Asks the next one after an outage (a broken connection, a timeout, throttling or
 * an error of the service), and if the token is not good enough, because a replica may lag behind. A denial and a missing secret
 * are final, unless a region that just failed is left to ask.
 */
export class RegionalReader implements SecretReader {
  readonly #regions: readonly Region[];
  readonly #clock: Clock;
  readonly #onChange: RegionChange;
  #answering: string;

  /** @param readers in the order in which to ask the regions; at least one */
  constructor(readers: ReadonlyMap<string, Region['reader']>, clock: Clock, onChange: RegionChange) {
    this.#regions = [...readers].map(([name, reader]) => ({ name, reader, avoidedUntil: LONG_AGO }));
    this.#answering = this.#regions[0]!.name;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  async read(
    key: TokenKey,
    isEnough: (token: CachedToken) => boolean = () => true,
  ): Promise<StoredVersion | undefined> {
    const failures: TokenUnavailableError[] = [];
    let best: StoredVersion | undefined;
    let hasAnswer = false;
    const regions = this.#inOrder();
    // After an outage, the region that failed may have what another one lacks.
    const mayBeElsewhere = regions.some(({ name }) => this.isAvoided(name));
    for (const [index, region] of regions.entries()) {
      try {
        const stored = await region.reader.readWithin(
          key,
          index < regions.length - 1 ? BUDGET_MS : READ_TIMEOUT_MS,
        );
        region.avoidedUntil = LONG_AGO;
        if (!hasAnswer) this.#reportChange(region, failures[0]);
        if (stored === undefined && index === 0 && !mayBeElsewhere) return undefined;
        hasAnswer = true;
        if (stored?.cached !== undefined && isEnough(stored.cached)) return stored;
        best = laterOf(best, stored);
      } catch (error) {
        if (!(error instanceof TokenUnavailableError)) throw error;
        const isOutage = error.code === 'store_unavailable';
        if (isOutage) region.avoidedUntil = after(now(this.#clock), AVOIDED_MS);
        else if (failures.length === 0 && !hasAnswer && !mayBeElsewhere) throw error;
        failures.push(error);
      }
    }
    if (best !== undefined) return best;
    const reasons = failures.map(({ reason }) => reason).join('; ');
    throw new TokenUnavailableError('store_unavailable', key, reasons);
  }

  /** Whether the region just failed. */
  isAvoided(name: string): boolean {
    const region = this.#regions.find((each) => each.name === name);
    return region !== undefined && timeLeftMs(region.avoidedUntil, this.#clock) > 0;
  }

  /** Those that just failed come last: they may be the only ones. */
  #inOrder(): Region[] {
    const avoided = this.#regions.filter(({ name }) => this.isAvoided(name));
    return [...this.#regions.filter((region) => !avoided.includes(region)), ...avoided];
  }

  #reportChange({ name }: Region, failure: TokenUnavailableError | undefined): void {
    if (name === this.#answering) return;
    const from = this.#answering;
    this.#answering = name;
    this.#onChange({ from, to: name, ...(failure !== undefined && { reason: failure.reason }) });
  }
}

/** The one whose token expires later. */
function laterOf(
  one: StoredVersion | undefined,
  other: StoredVersion | undefined,
): StoredVersion | undefined {
  const expiryOf = (stored: StoredVersion | undefined) => stored?.cached?.expiry.monotonicMs ?? -Infinity;
  return one !== undefined && expiryOf(one) >= expiryOf(other) ? one : other;
}
