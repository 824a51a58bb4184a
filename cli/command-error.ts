import { EXIT, type ExitCode } from './exit-codes';

/** Why a command ends without having done its work. Message and advice are for people, and never hold a secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;
  /** Stable, for programs. */
  readonly code: string;
  /** What to do now: full sentences, or a command on a line of its own. */
  readonly advice: string | undefined;
  /** What programs are told besides, such as the id of a request. */
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

/** Wrong input: `place: found VALUE; allowed: …`, as everywhere in this project. */
export function usageError(message: string, advice?: string): CommandError {
  return new CommandError(EXIT.usage, 'usage', message, { advice });
}

/** What programs are told of an error. */
export function errorDocument({ code, message, advice, details }: CommandError): object {
  return { code, message, ...details, ...(advice !== undefined && { advice }) };
}
