/** The provisional parts of the interface. @see platform specification, "Versioning" */
export interface RestoreSettingsValues {
  /** Whether restore, and archive with it, exists: neither is among the operations that exist today. */
  readonly available: boolean;
  /** Where archive and restore take the acting user from. */
  readonly actingUserIn: 'body' | 'header';
}

/** The provisional parts of the interface as they are in force. */
export class RestoreSettings {
  readonly #seeded: RestoreSettingsValues;
  #values: RestoreSettingsValues;

  constructor({
    restoreAvailable,
    actingUserIn,
  }: {
    restoreAvailable: boolean;
    actingUserIn: 'body' | 'header';
  }) {
    this.#seeded = { available: restoreAvailable, actingUserIn };
    this.#values = this.#seeded;
  }

  get values(): RestoreSettingsValues {
    return this.#values;
  }

  /** Changes what is given. */
  set({ available, actingUserIn }: Partial<RestoreSettingsValues>): void {
    this.#values = {
      available: available ?? this.#values.available,
      actingUserIn: actingUserIn ?? this.#values.actingUserIn,
    };
  }

  /** Back to the values of the seed. */
  reset(): void {
    this.#values = this.#seeded;
  }
}
