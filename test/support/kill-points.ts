/** The methods of a port, which leave the process and are kill points. */
type Outside<Port> = {
  [Name in keyof Port]: Port[Name] extends (...args: never[]) => Promise<unknown> ? Name : never;
}[keyof Port];

/**
 * The points at which a process can be killed: before and after each call of a port. Killed before, the call
 * never happens; killed after, it happened but its result is lost.
 */
export class KillPoints {
  passed = 0;
  /** Resolves with true once the process is killed. */
  readonly killed: Promise<true>;
  readonly #killAt: number;
  #kill: (killed: true) => void = () => undefined;

  /** @param killAt the number of the point, from 1; 0 never kills */
  constructor(killAt = 0) {
    this.#killAt = killAt;
    this.killed = new Promise((resolve) => (this.#kill = resolve));
  }

  /** Wraps a port, with these methods as kill points. After the kill, no call of any port returns. */
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
