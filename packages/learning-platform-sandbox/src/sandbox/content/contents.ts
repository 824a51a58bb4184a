import { type Content } from './records';

/** Maximum contents of a tenant. Assumed, to bound memory. */
export const MAX_CONTENTS = 10_000;
/** Maximum deleted contents of a tenant that are kept for lists. */
const MAX_DELETED = 1000;

/** The contents of one tenant. */
export class Contents {
  readonly #existing = new Map<string, Content>();
  readonly #deleted = new Map<string, Content>();
  #added = 0;

  constructor(contents: readonly Content[] = []) {
    for (const content of contents) this.put(content);
  }

  snapshot() {
    return { added: this.#added, existing: this.existing(), deleted: [...this.#deleted.values()] };
  }

  static restored({ added, existing, deleted }: ReturnType<Contents['snapshot']>): Contents {
    const contents = new Contents([...existing, ...deleted]);
    contents.#added = added;
    return contents;
  }

  /** Returns the content unless it is deleted. */
  find(id: string): Content | undefined {
    return this.#existing.get(id);
  }

  /** Like {@link find}, but also returns deleted contents. */
  findStored(id: string): Content | undefined {
    return this.#existing.get(id) ?? this.#deleted.get(id);
  }

  /** All contents that are not deleted, in order of creation. */
  existing(): readonly Content[] {
    return [...this.#existing.values()];
  }

  /** The existing contents, then the deleted ones in order of deletion. */
  all(): readonly Content[] {
    return [...this.#existing.values(), ...this.#deleted.values()];
  }

  isFull(): boolean {
    return this.#existing.size >= MAX_CONTENTS;
  }

  /** How many contents were ever added. Serves as the number of the next one. */
  get added(): number {
    return this.#added;
  }

  put(content: Content): void {
    if (content.deleted) {
      this.#existing.delete(content.id);
      this.#deleted.set(content.id, content);
      this.#forgetOldest();
      return;
    }
    if (!this.#existing.has(content.id)) this.#added += 1;
    this.#existing.set(content.id, content);
  }

  #forgetOldest(): void {
    const [oldest] = this.#deleted.keys();
    if (this.#deleted.size > MAX_DELETED && oldest !== undefined) this.#deleted.delete(oldest);
  }
}
