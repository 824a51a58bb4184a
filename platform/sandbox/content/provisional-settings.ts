/** Settings of the provisional parts of the interface. @see platform specification, "Versioning" */
export interface RestoreSettingsValues {
  /** Whether restore and archive exist. The specification announces them as coming soon. */
  readonly available: boolean;
  /** Where archive and restore take the acting user from. */
  readonly actingUserIn: 'body' | 'header';
}

/** The current {@link RestoreSettingsValues}. */
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

  /** Sets the given values. */
  set({ available, actingUserIn }: Partial<RestoreSettingsValues>): void {
    this.#values = {
      available: available ?? this.#values.available,
      actingUserIn: actingUserIn ?? this.#values.actingUserIn,
    };
  }

  /** Restores the seeded values. */
  reset(): void {
    this.#values = this.#seeded;
  }
}
