import {
  type CertificateFault,
  type ConnectionAttributes,
  type Dependency,
  type Fault,
  type RequestAttributes,
} from './fault';

interface Entry {
  /** With its remaining `times`. */
  fault: Fault;
  readonly random: RandomSequence;
}

/** The active faults, oldest first. Each affects requests, a dependency, or connections. */
export class Faults {
  readonly #onCertificateFault: (fault: Fault) => void;
  #entries: Entry[] = [];

  /** @param onCertificateFault called for each added certificate fault, which does not affect open connections */
  constructor(onCertificateFault: (fault: Fault) => void = () => undefined) {
    this.#onCertificateFault = onCertificateFault;
  }

  add(fault: Fault): void {
    this.#entries.push({ fault, random: new RandomSequence(fault.seed ?? 0) });
    if (fault.certificate) this.#onCertificateFault(fault);
  }

  clear(): void {
    this.#entries = [];
  }

  /** All active faults with their remaining `times`. */
  all(): Fault[] {
    return this.#entries.map(({ fault }) => fault);
  }

  snapshot() {
    return this.#entries.map(({ fault, random }) => ({ fault, random: random.state }));
  }

  restore(entries: ReturnType<Faults['snapshot']>): void {
    this.#entries = entries.map(({ fault, random }) => ({ fault, random: new RandomSequence(random) }));
  }

  /** Returns the oldest fault that applies to the request and is due, and uses it once. */
  take(attributes: RequestAttributes): Fault | undefined {
    return this.#take(attributes, ({ dependency, certificate }) => !dependency && !certificate);
  }

  /** Like {@link take}, for a dependency: returns whether the dependency fails. */
  takeAtDependency(attributes: RequestAttributes, reached: Dependency): boolean {
    return this.#take(attributes, ({ dependency }) => dependency === reached) !== undefined;
  }

  /** Like {@link take}, for a new connection: returns what must be wrong with the certificate. */
  takeAtConnection(attributes: ConnectionAttributes): CertificateFault | undefined {
    return this.#take(attributes, ({ certificate }) => certificate !== undefined)?.certificate;
  }

  #take(attributes: RequestAttributes, matches: (fault: Fault) => boolean): Fault | undefined {
    const entry = this.#entries.find(
      ({ fault, random }) => matches(fault) && applies(fault, attributes) && isDue(fault, random),
    );
    if (!entry) return undefined;
    const { fault } = entry;
    if (fault.times === 1) this.#entries = this.#entries.filter((other) => other !== entry);
    else if (fault.times !== undefined) entry.fault = { ...fault, times: fault.times - 1 };
    return fault;
  }
}

/** Whether the fault affects a request or connection with these attributes. */
export function applies({ target, match }: Fault, attributes: RequestAttributes): boolean {
  if (target !== attributes.faultPoint) return false;
  return matchesAll(match, attributes);
}

/** Whether all values of a match are those of the item. */
export function matchesAll<Item extends object>(match: Partial<Item> = {}, item: Item): boolean {
  return (Object.keys(match) as (keyof Item)[]).every((field) => match[field] === item[field]);
}

function isDue({ probability }: Fault, random: RandomSequence): boolean {
  return probability === undefined || random.next() < probability;
}

/** Seeded numbers from 0 (inclusive) to 1 (exclusive): mulberry32. */
class RandomSequence {
  /** The seed of the rest of the sequence. */
  state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
