/** A map with a fixed capacity that drops its oldest entry when full. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #capacity: number;

  constructor(capacity: number) {
    super();
    this.#capacity = capacity;
  }

  /** Setting an existing key does not make it newer. */
  override set(key: Key, value: Value): this {
    super.set(key, value);
    const [oldest] = this.size > this.#capacity ? this.keys() : [];
    if (oldest !== undefined) this.delete(oldest);
    return this;
  }

  /** Replaces all entries. The first is the oldest. */
  replaceAll(entries: readonly (readonly [Key, Value])[]): void {
    this.clear();
    for (const [key, value] of entries) this.set(key, value);
  }
}

/** A list with a fixed capacity that drops its oldest entry when full. */
export class BoundedList<Entry> {
  readonly #capacity: number;
  #entries: Entry[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length > this.#capacity) this.#entries.shift();
  }

  /** Oldest first. */
  all(): readonly Entry[] {
    return this.#entries;
  }

  reset(): void {
    this.#entries = [];
  }

  snapshot(): Entry[] {
    return this.#entries;
  }

  restore(entries: Entry[]): void {
    this.#entries = entries;
  }
}
