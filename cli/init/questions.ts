import { usageError } from '../command-error';
import { type Terminal } from '../terminal';
import { flagOf } from '../command-text';

type Check = (answer: string) => string | undefined;

/** Takes each answer from its flag, else asks a person, else uses the default or notes that the flag is missing. */
export class Questions {
  readonly #terminal: Terminal | undefined;
  readonly #command: string;
  readonly #missing: string[] = [];

  /** @param terminal undefined if nobody is to be asked */
  constructor(terminal: Terminal | undefined, command = 'init') {
    this.#terminal = terminal;
    this.#command = command;
  }

  /** Whether there is somebody to ask. */
  get isAsking(): boolean {
    return this.#terminal !== undefined;
  }

  /** Whether every required answer is there so far. */
  get isComplete(): boolean {
    return this.#missing.length === 0;
  }

  /** A required text. @param field name of an option, or the flag with what has to follow it */
  async text(field: string, given: string | undefined, question: string, check: Check): Promise<string> {
    if (given !== undefined) return given;
    if (this.#terminal === undefined) return this.#noteMissing(field, '');
    return this.#terminal.ask(question, { check });
  }

  /** An optional text; undefined if it is left empty. @param defaultAnswer offered, and used if nobody can be asked */
  async optional(
    given: string | undefined,
    question: string,
    check: Check,
    defaultAnswer?: string,
  ): Promise<string | undefined> {
    if (given !== undefined || this.#terminal === undefined) return given ?? defaultAnswer;
    const answer = await this.#terminal.ask(question, {
      initial: defaultAnswer ?? '',
      check: (text) => (text === '' ? undefined : check(text)),
    });
    return answer === '' ? undefined : answer;
  }

  /** One of a few words. @param defaultAnswer used if nobody can be asked; without it, the flag is required */
  async choose<T extends string>(
    field: string,
    given: string | undefined,
    question: string,
    words: readonly T[],
    defaultAnswer?: T,
  ): Promise<T> {
    const chosen = words.find((word) => word === given);
    if (chosen !== undefined) return chosen;
    if (this.#terminal !== undefined) {
      return this.#terminal.choose(
        question,
        words.map((value) => ({ value, label: value })),
      );
    }
    return defaultAnswer ?? this.#noteMissing(field, words[0]!);
  }

  /** Yes or no; no if nobody can be asked. */
  async confirm(given: boolean | undefined, question: string): Promise<boolean> {
    return given ?? (await this.#terminal?.confirm(question)) ?? false;
  }

  /** @throws {CommandError} usage, if required flags are missing */
  requireAnswers(): void {
    if (this.#missing.length === 0) return;
    const flags = [...new Set(this.#missing)]
      .map((field) => (field.startsWith('--') ? field : flagOf(field)))
      .join(', ');
    const asking = this.#command === 'init' ? 'a terminal that asks without --yes' : 'a terminal that asks';
    throw usageError(this.#command, `no ${flags}`, `these flags, or ${asking}`);
  }

  #noteMissing<T>(field: string, placeholder: T): T {
    this.#missing.push(field);
    return placeholder;
  }
}
