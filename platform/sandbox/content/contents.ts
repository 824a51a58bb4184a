import { type Content } from './records';

/** How many contents a tenant can have; assumed, so that memory stays bounded. */
export const MAX_CONTENTS = 10_000;
/** How many deleted contents of a tenant can still be listed; older ones are forgotten. */
const REMEMBERED_DELETED = 1000;

/** The contents of one tenant. */
export class Contents {
  readonly #existing = new Map<string, Content>();
  readonly #deleted = new Map<string, Content>();
  #added = 0;

  constructor(contents: readonly Content[] = []) {
    for (const content of contents) this.put(content);
  }

  /** The content of that id; a deleted one does not exist any more. */
  find(id: string): Content | undefined {
    return this.#existing.get(id);
  }

  /** Like {@link find}, for control: a deleted content is found as long as it is remembered. */
  findStored(id: string): Content | undefined {
    return this.#existing.get(id) ?? this.#deleted.get(id);
  }

  /** In the order of creation. */
  existing(): readonly Content[] {
    return [...this.#existing.values()];
  }

  /** The existing contents, then the deleted ones in the order of deletion. */
  all(): readonly Content[] {
    return [...this.#existing.values(), ...this.#deleted.values()];
  }

  isFull(): boolean {
    return this.#existing.size >= MAX_CONTENTS;
  }

  /** How many were ever added: a number that no content has had yet. */
  get added(): number {
    return this.#added;
  }

  /** Adds a content, or puts it in the place of what it was before. */
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
    if (this.#deleted.size > REMEMBERED_DELETED && oldest !== undefined) this.#deleted.delete(oldest);
  }
}
