import { CommandError } from './command-error';
import { EXIT } from './exit-codes';

/**
 * What commands see of the terminal. Results go to standard output, everything else to standard error,
 * so that a program can read the one while a person reads the other.
 */
export interface Terminal {
  /** Whether a person can be asked: standard input and standard error are terminals. */
  readonly isInteractive: boolean;
  /** Whether standard output is a terminal, the only place where a token is ever shown. */
  readonly showsOutputToPerson: boolean;
  /** Aborted when the person interrupts (Ctrl-C), or the process is told to end. */
  readonly interrupted: AbortSignal;
  /** A line for people. */
  say(line: string): void;
  /** What the command found or did: with `--json` the document, on one line; otherwise what `render` makes of it. */
  result(document: object, render: (style: Style) => string): void;
  /** Draws anew in place, on a terminal; for `--watch`. */
  redraw(render: (style: Style) => string): void;
  /** Asks for something visible. @throws {CommandError} when interrupted, or when nobody can be asked */
  ask(
    question: string,
    options?: { initial?: string; check?: (answer: string) => string | undefined },
  ): Promise<string>;
  /** Asks for a choice. */
  choose<T extends string>(question: string, choices: readonly { value: T; label: string }[]): Promise<T>;
  /** Asks without echo. */
  askHidden(question: string): Promise<string>;
  confirm(question: string): Promise<boolean>;
  /** Reads standard input to its end. @throws {CommandError} when it is longer than `maxBytes` */
  readInput(maxBytes: number): Promise<string>;
  /** Shows that something takes long: a spinner on a terminal, one line a change elsewhere. */
  progress(label: string): Progress;
}

export interface Progress {
  /** Whether what is told next takes the place of what was told before, as on a terminal. */
  readonly isDrawnOver: boolean;
  update(label: string): void;
  done(label: string): void;
  failed(label: string): void;
}

/** Colors and weight, which are empty where they are not wanted (no terminal, NO_COLOR). */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly bad: (text: string) => string;
}

/**
 * Has a person at the terminal agree, unless that was done beforehand. Where there is nobody, the command itself is the
 * consent.
 * @throws {CommandError} `declined`
 */
export async function requireConsent(
  terminal: Terminal,
  { yes = false }: { yes?: boolean },
  question: string,
): Promise<void> {
  if (!terminal.isInteractive || yes || (await terminal.confirm(question))) return;
  throw new CommandError(EXIT.failed, 'declined', 'nothing was changed');
}
