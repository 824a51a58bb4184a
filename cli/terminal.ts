import { CommandError } from './command-error';
import { EXIT } from './exit-codes';

/**
 * The terminal, as commands use it. Results go to standard output; prompts, progress and messages to standard error.
 */
export interface Terminal {
  /** Whether prompts work: standard input and standard error are terminals. */
  readonly isInteractive: boolean;
  /** Whether standard output is a terminal, the only place where a token is shown. */
  readonly showsOutputToPerson: boolean;
  /** Aborted by Ctrl-C and by SIGTERM. */
  readonly interrupted: AbortSignal;
  readonly messageStyle: Style;
  /** Prints a message. */
  say(line: string): void;
  /** Prints the result: with `--json` the document on one line, otherwise the rendered text. */
  result(document: object, render: (style: Style) => string): void;
  /** Clears the terminal and draws; for `--watch`. */
  redraw(render: (style: Style) => string): void;
  /** Asks for a text, with echo. @throws {CommandError} when interrupted, or not interactive */
  ask(
    question: string,
    options?: { initial?: string; check?: (answer: string) => string | undefined },
  ): Promise<string>;
  /** Asks for a choice. */
  choose<T extends string>(question: string, choices: readonly { value: T; label: string }[]): Promise<T>;
  /** Asks without echo. */
  askHidden(question: string): Promise<string>;
  confirm(question: string): Promise<boolean>;
  /** Reads all of standard input. @throws {CommandError} if it is longer than `maxBytes` */
  readInput(maxBytes: number): Promise<string>;
  /** Shows progress: a spinner on a terminal, otherwise one line per update. */
  progress(label: string): Progress;
}

export interface Progress {
  /** Whether an update overwrites the previous one, as on a terminal. */
  readonly isDrawnOver: boolean;
  update(label: string): void;
  done(label: string): void;
  failed(label: string): void;
}

/** Colors and weight; identity functions without a terminal or with NO_COLOR. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly bad: (text: string) => string;
}

/** Asks for confirmation, unless `yes` is set or the terminal is not interactive. @throws {CommandError} `declined` */
export async function requireConsent(
  terminal: Terminal,
  { yes = false }: { yes?: boolean },
  question: string,
): Promise<void> {
  if (!terminal.isInteractive || yes || (await terminal.confirm(question))) return;
  throw new CommandError(EXIT.failed, 'declined', 'nothing was changed');
}

/**
 * Does what follows a change that a command has made. The change stays if this fails, so a failure is only a message.
 * @param ifItFails what is different then, for the message
 */
export async function followUp(
  terminal: Terminal,
  ifItFails: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.say(`${ifItFails}: ${error.message}`);
  }
}
