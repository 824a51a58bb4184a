import { type Seed } from '../seed';

/** Settings of the provisional parts of the interface. @see platform specification, "Versioning" */
export interface RestoreSettingsValues {
  /** Whether restore and archive exist. The specification announces them as coming soon. */
  readonly available: boolean;
  /** Where archive and restore take the acting user from. */
  readonly actingUserIn: Seed['actingUserIn'];
  /** Names of the headers if `actingUserIn` is `header`. */
  readonly actingUserHeaders: Seed['actingUserHeaders'];
}

/** The current {@link RestoreSettingsValues}. */
export class RestoreSettings {
  readonly #seeded: RestoreSettingsValues;
  #values: RestoreSettingsValues;

  constructor({
    restoreAvailable,
    actingUserIn,
    actingUserHeaders,
  }: Pick<Seed, 'restoreAvailable' | 'actingUserIn' | 'actingUserHeaders'>) {
    this.#seeded = { available: restoreAvailable, actingUserIn, actingUserHeaders };
    this.#values = this.#seeded;
  }

  get values(): RestoreSettingsValues {
    return this.#values;
  }

  /** Sets the given values. */
  set({ available, actingUserIn, actingUserHeaders }: Partial<RestoreSettingsValues>): void {
    this.#values = {
      available: available ?? this.#values.available,
      actingUserIn: actingUserIn ?? this.#values.actingUserIn,
      actingUserHeaders: actingUserHeaders ?? this.#values.actingUserHeaders,
    };
  }

  /** Restores the seeded values. */
  reset(): void {
    this.#values = this.#seeded;
  }

  snapshot() {
    return this.#values;
  }

  restore(values: RestoreSettingsValues): void {
    this.#values = values;
  }
}
