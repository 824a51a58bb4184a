/** A setting that requests change, and a reset restores to the seed. */
export class Setting<Value> {
  readonly #seeded: Value;
  value: Value;

  constructor(seeded: Value) {
    this.#seeded = seeded;
    this.value = seeded;
  }

  reset(): void {
    this.value = this.#seeded;
  }

  snapshot(): Value {
    return this.value;
  }

  restore(value: Value): void {
    this.value = value;
  }
}

/** {@link Setting} with several fields, some of which a request changes. */
export function changeFields<Value extends object>(setting: Setting<Value>, change: Partial<Value>): Value {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return (setting.value = { ...setting.value, ...Object.fromEntries(given) });
}
