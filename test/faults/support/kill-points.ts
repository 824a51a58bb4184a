/** The methods of a port that leave the process: where it can be killed. */
type Outside<Port> = {
  [Name in keyof Port]: Port[Name] extends (...args: never[]) => Promise<unknown> ? Name : never;
}[keyof Port];

/**
 * The moments at which a process can be killed: before and after each call of a port. Killed before, the call was never
 * made; killed after, it was, and nobody learned of it.
 */
export class KillPoints {
  /** Moments that were come to. */
  passed = 0;
  /** Becomes true once the process is killed. */
  readonly killed: Promise<true>;
  readonly #killAt: number;
  #kill: (killed: true) => void = () => undefined;

  /** @param killAt the number of the moment, from 1; 0 for a process that nobody kills */
  constructor(killAt = 0) {
    this.#killAt = killAt;
    this.killed = new Promise((resolve) => (this.#kill = resolve));
  }

  /** The port, with these methods as moments. From the moment of the kill on no call of any port comes back. */
  watch<Port extends object>(port: Port, ...names: Outside<Port>[]): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (!names.includes(name as Outside<Port>)) return value.bind(target) as unknown;
        return async (...args: unknown[]) => {
          await this.#pass();
          const result: unknown = await (value.apply(target, args) as Promise<unknown>);
          await this.#pass();
          return result;
        };
      },
    });
  }

  #pass(): Promise<void> {
    this.passed += 1;
    if (this.#killAt === 0 || this.passed < this.#killAt) return Promise.resolve();
    this.#kill(true);
    return new Promise(() => undefined);
  }
}
