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

/** The faults in force, in the order in which they were added. Each is for requests, for a dependency, or for connections. */
export class Faults {
  readonly #onCertificateFault: (fault: Fault) => void;
  #entries: Entry[] = [];

  /** @param onCertificateFault told of every fault for connections when it is added: those that are open escape it */
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

  /** What is still in force, with the times that are left. */
  all(): Fault[] {
    return this.#entries.map(({ fault, timesLeft }) =>
      timesLeft === Infinity ? fault : { ...fault, times: timesLeft },
    );
  }

  /** The oldest fault for requests that applies to this one and is due, used up by one. */
  take(attributes: RequestAttributes): Fault | undefined {
    return this.#take(attributes, ({ dependency, certificate }) => !dependency && !certificate);
  }

  /** Like {@link take}, for an operation that comes to a service it depends on: whether that service fails. */
  takeAtDependency(attributes: RequestAttributes, reached: Dependency): boolean {
    return this.#take(attributes, ({ dependency }) => dependency === reached) !== undefined;
  }

  /** Like {@link take}, for a new connection to an address: what is to be wrong with the certificate. */
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

/** Whether the fault is for such requests, or connections. */
export function applies({ target, match = {} }: Fault, attributes: RequestAttributes): boolean {
  if (target !== attributes.faultPoint) return false;
  return (Object.keys(match) as (keyof typeof match)[]).every((field) => match[field] === attributes[field]);
}

/** Numbers from 0 to 1 (excluded), the same for the same seed: the generator known as mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
