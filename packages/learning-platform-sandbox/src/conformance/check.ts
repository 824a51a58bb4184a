import { type ExaminedTenant, type WritableTenant } from './tenant';

interface Described {
  /** What a conforming platform does, as a sentence: `a token expires after 3600 s`. */
  readonly name: string;
  /** The ids of the clauses that the check covers. */
  readonly clauses: readonly string[];
}

/**
 * A check of one behavior. `needs` says what it does to the tenant: `read` only requests tokens and sends reads, `write` changes
 * contents or generates keys. `run` throws a {@link ViolationError} if the platform violates the specification.
 */
export type Check = Described &
  (
    | { readonly needs: 'read'; run(tenant: ExaminedTenant): Promise<void> }
    | { readonly needs: 'write'; run(tenant: WritableTenant): Promise<void> }
  );

/** The platform violates the specification. The message holds no secrets and quotes no bodies. */
export class ViolationError extends Error {
  readonly code = 'violation';

  constructor(message: string) {
    super(message);
    this.name = 'ViolationError';
  }
}

/** The platform or the input lacks something that the check needs. The check is reported as not examined. */
export class NotExaminableError extends Error {
  readonly code = 'not_examinable';

  constructor(missing: string) {
    super(missing);
    this.name = 'NotExaminableError';
  }
}

/** @throws {ViolationError} with the message if the condition is false */
export function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ViolationError(message);
}
