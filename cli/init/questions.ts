import { usageError } from '../command-error';
import { type Terminal } from '../terminal';
import { flagOf } from '../command-text';
import { type InitFlags } from './answers';

type Check = (answer: string) => string | undefined;

/** Takes each answer from its flag, else asks a person, else uses the default or notes that the flag is missing. */
export class Questions {
  readonly #terminal: Terminal | undefined;
  readonly #missing: (keyof InitFlags)[] = [];

  /** @param terminal undefined if nobody is to be asked */
  constructor(terminal: Terminal | undefined) {
    this.#terminal = terminal;
  }

  /** Whether there is somebody to ask. */
  get isAsking(): boolean {
    return this.#terminal !== undefined;
  }

  /** A required text. */
  async text(
    field: keyof InitFlags,
    given: string | undefined,
    question: string,
    check: Check,
  ): Promise<string> {
    if (given !== undefined) return given;
    if (this.#terminal === undefined) return this.#lacks(field, '');
    return this.#terminal.ask(question, { check });
  }

  /** An optional text; undefined if it is left empty. @param usual offered, and used if nobody can be asked */
  async optional(
    given: string | undefined,
    question: string,
    check: Check,
    usual?: string,
  ): Promise<string | undefined> {
    if (given !== undefined || this.#terminal === undefined) return given ?? usual;
    const answer = await this.#terminal.ask(question, {
      initial: usual ?? '',
      check: (text) => (text === '' ? undefined : check(text)),
    });
    return answer === '' ? undefined : answer;
  }

  /** One of a few words. @param usual used if nobody can be asked; without it, the flag is required */
  async choose<T extends string>(
    field: keyof InitFlags,
    given: string | undefined,
    question: string,
    words: readonly T[],
    usual?: T,
  ): Promise<T> {
    const chosen = words.find((word) => word === given);
    if (chosen !== undefined) return chosen;
    if (this.#terminal !== undefined) {
      return this.#terminal.choose(
        question,
        words.map((value) => ({ value, label: value })),
      );
    }
    return usual ?? this.#lacks(field, words[0]!);
  }

  /** Yes or no; no if nobody can be asked. */
  async confirm(given: boolean | undefined, question: string): Promise<boolean> {
    return given ?? (await this.#terminal?.confirm(question)) ?? false;
  }

  /** @throws {CommandError} usage, if required flags are missing */
  requireAnswers(): void {
    if (this.#missing.length === 0) return;
    const flags = this.#missing.map(flagOf).join(', ');
    throw usageError('init', `no ${flags}`, 'these flags, or a terminal that asks without --yes');
  }

  #lacks<T>(field: keyof InitFlags, placeholder: T): T {
    this.#missing.push(field);
    return placeholder;
  }
}
