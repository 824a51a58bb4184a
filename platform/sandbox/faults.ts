import {
  type CertificateFault,
  type ConnectionAttributes,
  type Dependency,
  type Fault,
  type RequestAttributes,
} from './fault';

interface Entry {
  readonly fault: Fault;
  timesLeft: number;
  readonly isDue: () => boolean;
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
    const { times = Infinity, probability = 1, seed = 0 } = fault;
    const random = randomFrom(seed);
    this.#entries.push({ fault, timesLeft: times, isDue: () => probability === 1 || random() < probability });
    if (fault.certificate) this.#onCertificateFault(fault);
  }

  clear(): void {
    this.#entries = [];
  }

  /** All active faults with their remaining `times`. */
  all(): Fault[] {
    return this.#entries.map(({ fault, timesLeft }) =>
      timesLeft === Infinity ? fault : { ...fault, times: timesLeft },
    );
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

  #take(attributes: RequestAttributes, isMeant: (fault: Fault) => boolean): Fault | undefined {
    const entry = this.#entries.find(
      ({ fault, isDue }) => isMeant(fault) && applies(fault, attributes) && isDue(),
    );
    if (!entry) return undefined;
    entry.timesLeft -= 1;
    if (entry.timesLeft === 0) this.#entries = this.#entries.filter((other) => other !== entry);
    return entry.fault;
  }
}

/** Whether the fault affects a request or connection with these attributes. */
export function applies({ target, match = {} }: Fault, attributes: RequestAttributes): boolean {
  if (target !== attributes.faultPoint) return false;
  return (Object.keys(match) as (keyof typeof match)[]).every((field) => match[field] === attributes[field]);
}

/** A seeded generator of numbers from 0 (inclusive) to 1 (exclusive): mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
