import type * as clack from '@clack/prompts';

import { CommandError, errorDocument, interruption, usageError } from './command-error';
import { EXIT } from './exit-codes';
import { harmlessJson, harmlessLines } from './safe-text';
import { startSpinner } from './spinner';
import { styleFor } from './style';
import { type Progress, type Style, type Terminal } from './terminal';

/** Assumed height of a window of unknown size. */
const DEFAULT_ROWS = 24;
/** With more choices, typing filters them. */
const MAX_LISTED_CHOICES = 12;

/** A command to copy: after an arrow, a colon or a back-quote, or on a line of its own. */
// eslint-disable-next-line no-control-regex
const COMMAND = /(?<=(?:→(?:\u001b\[\d+m)? |: |`|^ *))latchkey (?=[a-z-]+)/gm;

/** The prompts of clack that are used. */
export type Prompts = Pick<
  typeof clack,
  'autocomplete' | 'confirm' | 'isCancel' | 'password' | 'select' | 'text'
>;

export interface ProcessTerminalOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--json` */
  readonly asJson: boolean;
  /** False with `--no-color`. */
  readonly inColor: boolean;
  /** Called for each question. */
  readonly prompts: () => Promise<Prompts>;
  /** Aborted by signals, and by Ctrl-C in a prompt. */
  readonly interrupt: AbortController;
}

/** The terminal of this process. */
export class ProcessTerminal implements Terminal {
  readonly interrupted: AbortSignal;
  readonly messageStyle: Style;
  readonly #options: ProcessTerminalOptions;
  readonly #style: Style;
  #hasAnswered = false;

  constructor(options: ProcessTerminalOptions) {
    this.#options = options;
    this.interrupted = options.interrupt.signal;
    this.#style = styleFor(options.stdout, options.env, options.inColor);
    this.messageStyle = styleFor(options.stderr, options.env, options.inColor);
  }

  get isInteractive(): boolean {
    return this.#options.stdin.isTTY && this.#options.stderr.isTTY;
  }

  get showsOutputToPerson(): boolean {
    return this.#options.stdout.isTTY;
  }

  say(line: string): void {
    this.#options.stderr.write(`${this.#lines(line)}\n`);
  }

  result(document: object, render: (style: Style) => string): void {
    const { asJson, stdout } = this.#options;
    this.#hasAnswered = true;
    stdout.write(`${asJson ? harmlessJson(document) : this.#lines(render(this.#style))}\n`);
  }

  /** Makes text safe for the terminal. If npx started this process, `latchkey` is not on the path, so commands begin with `npx`. */
  #lines(text: string): string {
    const isRunByNpx = this.#options.env.npm_lifecycle_event === 'npx';
    return harmlessLines(isRunByNpx ? text.replaceAll(COMMAND, 'npx $&') : text);
  }

  /** Prints why the command failed; with `--json` also as the document, if none was printed yet. */
  failure(error: CommandError): void {
    const { message, advice } = error;
    const { bad } = this.messageStyle;
    this.say(`${bad('latchkey:')} ${message}`);
    if (advice !== undefined) this.say(advice);
    if (!this.#options.asJson || this.#hasAnswered) return;
    this.#options.stdout.write(`${harmlessJson({ error: errorDocument(error) })}\n`);
  }

  redraw(render: (style: Style) => string): void {
    const { stdout } = this.#options;
    const lines = this.#lines(render(this.#style)).split('\n');
    // Taller output would scroll and could not be overwritten.
    const room = (stdout.rows || DEFAULT_ROWS) - 1;
    const shown = lines.length <= room ? lines : [...lines.slice(0, room - 1), '…'];
    stdout.write(`\u001b[H\u001b[J${shown.join('\n')}\n`);
  }

  async ask(question: string, options: Parameters<Terminal['ask']>[1] = {}): Promise<string> {
    const { initial, check } = options;
    return this.#question<string>(question, ({ text }, common) =>
      text({
        ...common,
        message: question,
        ...(initial !== undefined && { placeholder: initial, defaultValue: initial }),
        validate: (answer) => check?.(answer === undefined || answer === '' ? (initial ?? '') : answer),
      }),
    );
  }

  async choose<T extends string>(
    question: string,
    choices: readonly { value: T; label: string }[],
  ): Promise<T> {
    const options = [...choices];
    return this.#question<string>(question, ({ select, autocomplete }, common) =>
      options.length > MAX_LISTED_CHOICES
        ? autocomplete<string>({
            ...common,
            message: question,
            options,
            maxItems: MAX_LISTED_CHOICES,
            validate: (chosen) => (chosen === undefined ? 'Nothing matches' : undefined),
          })
        : select<string>({ ...common, message: question, options }),
    ) as Promise<T>;
  }

  async askHidden(question: string): Promise<string> {
    return this.#question<string>(question, ({ password }, common) =>
      password({ ...common, message: question }),
    );
  }

  async confirm(question: string): Promise<boolean> {
    return this.#question<boolean>(question, ({ confirm }, common) =>
      confirm({ ...common, message: question, initialValue: false }),
    );
  }

  async readInput(maxBytes: number): Promise<string> {
    const { stdin } = this.#options;
    if (stdin.isTTY) {
      // Standard error is redirected: a prompt would be invisible, and reading stdin would echo the secret.
      throw usageError(
        'standard error',
        'no terminal for prompts',
        'a terminal, or input from a file or pipe',
      );
    }
    const stop = () => stdin.destroy();
    this.interrupted.addEventListener('abort', stop, { once: true });
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of stdin as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxBytes) {
          throw usageError('standard input', `more than ${maxBytes} bytes`, 'one JSON object');
        }
        chunks.push(chunk);
      }
    } catch (error) {
      if (error instanceof CommandError) throw error;
      if (this.interrupted.aborted) throw interruption();
      throw new CommandError(EXIT.usage, 'usage', 'standard input could not be read', { cause: error });
    } finally {
      this.interrupted.removeEventListener('abort', stop);
    }
    if (this.interrupted.aborted) throw interruption();
    return Buffer.concat(chunks).toString('utf8');
  }

  progress(label: string): Progress {
    if (this.#options.stderr.isTTY) return startSpinner(this.#options.stderr, this.messageStyle, label);
    this.say(label);
    return {
      isDrawnOver: false,
      update: (next) => this.say(next),
      done: (last) => this.say(last),
      failed: (last) => this.say(last),
    };
  }

  /** Asks one question on standard error: standard output holds only results. */
  async #question<T>(
    question: string,
    put: (
      prompts: Prompts,
      common: { input: NodeJS.ReadStream; output: NodeJS.WriteStream; signal: AbortSignal },
    ) => Promise<T | symbol>,
  ): Promise<T> {
    const { prompts, stdin: input, stderr: output, interrupt } = this.#options;
    if (!this.isInteractive) {
      throw usageError(question.replace(/\?$/, ''), 'nobody to ask', 'an answer at a terminal');
    }
    const loaded = await prompts();
    // Prompts never remove their abort listener, so each gets its own signal.
    const signal = AbortSignal.any([interrupt.signal]);
    const answer = await put(loaded, { input, output, signal });
    if (!loaded.isCancel(answer)) return answer as T;
    interrupt.abort();
    throw interruption();
  }
}
