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

/**
 * Wrong input, in the words that the whole project uses: {@link foundText}.
 * @param place such as a flag, or a field of the configuration
 */
export function usageError(place: string, found: string, allowed: string, advice?: string): CommandError {
  return new CommandError(EXIT.usage, 'usage', foundText(place, found, allowed), { advice });
}

/** What is wrong with an input. `found` is shown as it is, so it must not be a secret: `showArgument`. */
export function foundText(place: string, found: string, allowed: string): string {
  return `${place}: found ${found}; allowed: ${allowed}`;
}

/** The person interrupted before anything was sent whose outcome matters. */
export function interruption(): CommandError {
  return new CommandError(EXIT.failed, 'interrupted', 'interrupted');
}

/** What `--json` prints of an error. */
export function errorDocument({ code, message, advice, details }: CommandError): object {
  return { code, message, ...details, ...(advice !== undefined && { advice }) };
}
