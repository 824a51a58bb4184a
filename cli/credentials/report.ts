import { type CommandContext } from '../command';
import { type ExitCode } from '../exit-codes';
import { type Style } from '../terminal';

/** What became of a credential. */
export interface Report {
  readonly exitCode: ExitCode;
  /** For programs. */
  readonly document: object;
  /** For people. */
  readonly text: (style: Style) => string;
}

/** Prints a report as the result of the command. */
export function show({ terminal }: CommandContext, { exitCode, document, text }: Report): ExitCode {
  terminal.result(document, text);
  return exitCode;
}
