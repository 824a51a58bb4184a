/** A map that forgets the oldest entry when it is full, so that no number of requests fills the memory. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #capacity: number;

  constructor(capacity: number) {
    super();
    this.#capacity = capacity;
  }

  /** An entry that is set again keeps its age. */
  override set(key: Key, value: Value): this {
    super.set(key, value);
    const [oldest] = this.size > this.#capacity ? this.keys() : [];
    if (oldest !== undefined) this.delete(oldest);
    return this;
  }
}
