import { EXIT, type ExitCode } from './exit-codes';

/** Why a command failed. Message and advice never hold a secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;
  /** Stable, for programs. */
  readonly code: string;
  /** What to do next: sentences, or commands. */
  readonly advice: string | undefined;
  /** Further fields for programs, such as a request id. */
  readonly details: Readonly<Record<string, string | number>>;

  constructor(
    exitCode: ExitCode,
    code: string,
    message: string,
    options: ErrorOptions & {
      advice?: string | undefined;
      details?: Readonly<Record<string, string | number>>;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.exitCode = exitCode;
    this.code = code;
    this.advice = options.advice;
    this.details = options.details ?? {};
  }
}

/**
 * Wrong input, in the form of {@link foundText}.
 * @param place such as a flag, or a field of the configuration
 */
export function usageError(place: string, found: string, allowed: string, advice?: string): CommandError {
  return new CommandError(EXIT.usage, 'usage', foundText(place, found, allowed), { advice });
}

/** What is wrong with an input. Shows `found` as is; use `showArgument` for what may be a secret. */
export function foundText(place: string, found: string, allowed: string): string {
  return `${place}: found ${found}; allowed: ${allowed}`;
}

/** The user interrupted before a request with side effects was sent. */
export function interruption(): CommandError {
  return new CommandError(EXIT.interrupted, 'interrupted', 'interrupted');
}

/** Whether a part of the work failed, so that the rest can go on. Neither a bug nor an interruption is such a failure. */
export function isFailure(error: unknown): error is CommandError {
  return error instanceof CommandError && error.code !== 'interrupted';
}

/** The result of a part of the work, or why it failed. */
export async function orFailure<T>(work: Promise<T>): Promise<T | CommandError> {
  try {
    return await work;
  } catch (error) {
    if (isFailure(error)) return error;
    throw error;
  }
}

/** What `--json` prints of an error. */
export function errorDocument({ code, message, advice, details }: CommandError): object {
  return { code, message, ...details, ...(advice !== undefined && { advice }) };
}
