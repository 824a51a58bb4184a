import { type ControlledTenant, type ExaminedTenant, type WritableTenant } from './tenant';

interface Described {
  /** What the platform does, as a sentence: `a token lives for 3600 s`. */
  readonly name: string;
  /** The clauses of the specification that it shows, by id. */
  readonly clauses: readonly string[];
}

/**
 * An examination of one behaviour. `needs` says what it does to the tenant: `read` asks for tokens and sends reads and
 * nothing else, `write` changes contents or generates keys, `control` needs a sandbox.
 * `run` throws a {@link ViolationError} where the platform does not behave as the specification says.
 */
export type Check = Described &
  (
    | { readonly needs: 'read'; run(tenant: ExaminedTenant): Promise<void> }
    | { readonly needs: 'write'; run(tenant: WritableTenant): Promise<void> }
    | { readonly needs: 'control'; run(tenant: ControlledTenant): Promise<void> }
  );

/** The platform does not behave as the specification says. The message names no secret, and quotes no body. */
export class ViolationError extends Error {
  readonly code = 'violation';

  constructor(message: string) {
    super(message);
    this.name = 'ViolationError';
  }
}

/** @throws {ViolationError} with the message unless the condition holds */
export function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ViolationError(message);
}
