import { harmless } from '../../core/commands/harmless-text';
import { isJsonObject } from '../../core/json/json-object';

/** Longest text of an answer that is shown. */
const MAX_TEXT = 300;
const MAX_FIELDS = 40;
const MAX_DEPTH = 4;

/** Words that could be a token, a secret or a part of one. */
const MAY_BE_SECRET = [/^(?=.*\d)(?=.*[a-z])[\w+/=.~-]{16,}$/i, /^.{40,}$/s];
const WORDS = /[^\s"'()<>[\]{},;]+/g;
/** Shorter parts of a secret reveal nothing. */
const MIN_PART = 4;

/** Shows text of an issuer without the secrets that it may repeat. */
export class Redaction {
  readonly #secrets: readonly string[];

  /** @param secrets those that were sent, and tokens that were received */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
      .filter((secret) => secret !== '')
      .flatMap((secret) => [
        ...[secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)],
        ...[new URLSearchParams({ '': secret }).toString().slice(1), Buffer.from(secret).toString('base64')],
      ])
      .sort((one, other) => other.length - one.length);
  }

  and(secrets: readonly string[]): Redaction {
    return new Redaction([...this.#secrets, ...secrets]);
  }

  /** The text on one line, with `…` for what may be a secret. */
  shown(text: string): string {
    const without = this.#secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text);
    const line = harmless(without.replaceAll(WORDS, (word) => (this.#mayBeSecret(word) ? '…' : word)));
    return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
  }

  /** The same for the path of a field, each name by itself. */
  shownPath(path: string): string {
    return path
      .split('.')
      .map((name) => this.shown(name))
      .join('.');
  }

  #mayBeSecret(word: string): boolean {
    return (
      MAY_BE_SECRET.some((form) => form.test(word)) ||
      this.#secrets.some((secret) => word.length >= MIN_PART && secret.includes(word))
    );
  }
}

/** The values of a JSON object that are no objects, by their paths with dots between names. */
export function leavesOf(value: Record<string, unknown>, prefix = '', depth = 1): [string, unknown][] {
  return Object.entries(value)
    .slice(0, MAX_FIELDS)
    .flatMap(([name, field]): [string, unknown][] =>
      isJsonObject(field) && depth < MAX_DEPTH
        ? leavesOf(field, `${prefix}${name}.`, depth + 1)
        : [[`${prefix}${name}`, field]],
    )
    .slice(0, MAX_FIELDS);
}

/** Fields whose text is always shown, because it says what the issuer means. Of other texts, a success shows only the length. */
const TELLING = /^(token_?type|type|scopes?|error.*|message|code|status|title|detail|description)$/i;

/** What may be shown of a field. @param isRefusal whether the whole answer has no token */
export function shownValue(path: string, value: unknown, redaction: Redaction, isRefusal: boolean): string {
  if (typeof value === 'string') {
    const isTelling = isRefusal || TELLING.test(path.split('.').at(-1)!);
    return isTelling ? `"${redaction.shown(value)}"` : `text of ${value.length} characters`;
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return isJsonObject(value) ? 'an object' : redaction.shown(String(value));
}
