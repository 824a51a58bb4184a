import { parseJsonObject } from '../../contract/json-object';
import { usageError } from '../command-error';
import { type Terminal } from '../terminal';

const MAX_INPUT_BYTES = 64 * 1024;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** One value that a person or a program gives. */
interface InputField<Name extends string> {
  name: Name;
  question: string;
  isHidden: boolean;
  /** What is allowed, in words; undefined where the value is. Never quotes the value. */
  check?: (value: string) => string | undefined;
}

export const CLIENT_CREDENTIALS_FIELDS: readonly InputField<'clientId' | 'clientSecret'>[] = [
  { name: 'clientId', question: 'Client id (not shown)', isHidden: true },
  { name: 'clientSecret', question: 'Client secret (not shown)', isHidden: true },
];

export const API_KEY_FIELDS: readonly InputField<'apiKey' | 'validUntil'>[] = [
  { name: 'apiKey', question: 'API key (not shown)', isHidden: true },
  {
    name: 'validUntil',
    question: 'Valid until (such as 2027-03-31T00:00:00Z)',
    isHidden: false,
    check: (value) => (utcTime(value) === undefined ? 'a time such as 2027-03-31T00:00:00Z' : undefined),
  },
];

export const ADMIN_SESSION_FIELDS: readonly InputField<'authorization' | 'correlationId'>[] = [
  {
    name: 'authorization',
    question: 'Authorization, with the word Bearer (not shown)',
    isHidden: true,
    check: (value) =>
      /^Bearer [\x21-\x7e]+$/.test(value) ? undefined : 'the word Bearer, one space and the token',
  },
  {
    name: 'correlationId',
    question: 'X-Correlation-Id (not shown)',
    isHidden: true,
    check: (value) => (/^[\x21-\x7e]{1,256}$/.test(value) ? undefined : 'the header as the browser sent it'),
  },
];

/**
 * The values of some fields: asked for, or out of the JSON document on standard input where that is no terminal.
 * No message quotes what was given.
 * @throws {CommandError} usage, naming the field
 */
export async function readFields<Name extends string>(
  terminal: Terminal,
  fields: readonly InputField<Name>[],
): Promise<Record<Name, string>> {
  const given = terminal.isInteractive ? await ask(terminal, fields) : await readDocument(terminal, fields);
  const values = fields.map((field) => {
    const value = given[field.name].trim();
    if (value !== given[field.name]) terminal.say(`${field.name}: white space around it was left out.`);
    const allowed = allowedInstead(field, value);
    if (allowed !== undefined)
      throw usageError(field.name, value === '' ? 'nothing' : 'something else', allowed);
    return [field.name, value] as const;
  });
  return Object.fromEntries(values) as Record<Name, string>;
}

async function ask<Name extends string>(
  terminal: Terminal,
  fields: readonly InputField<Name>[],
): Promise<Record<Name, string>> {
  const given: Partial<Record<Name, string>> = {};
  for (const { name, question, isHidden } of fields) {
    given[name] = isHidden ? await terminal.askHidden(question) : await terminal.ask(question);
  }
  return given as Record<Name, string>;
}

async function readDocument<Name extends string>(
  terminal: Terminal,
  fields: readonly InputField<Name>[],
): Promise<Record<Name, string>> {
  const example = `{${fields.map(({ name }) => `"${name}":"…"`).join(',')}}`;
  const text = (await terminal.readInput(MAX_INPUT_BYTES)).replace(/^\uFEFF/, '');
  if (text.trim() === '') throw usageError('standard input', 'nothing', example);
  const document = parseJsonObject(text);
  if (document === undefined) throw usageError('standard input', 'something else', example);
  const names: readonly string[] = fields.map(({ name }) => name);
  const unknown = Object.keys(document).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw usageError('standard input', nameOfField(unknown), `only the fields ${names.join(' and ')}`);
  }
  for (const { name } of fields) {
    const value = document[name];
    if (typeof value !== 'string') {
      throw usageError(name, value === undefined ? 'nothing' : 'no text', 'a text that is not empty');
    }
  }
  return document as Record<Name, string>;
}

function allowedInstead({ check }: InputField<string>, value: string): string | undefined {
  if (value === '') return 'a text that is not empty';
  // A header or a log that such a character reached would end there, and go on as the secret's owner likes.
  if (/\p{Cc}/u.test(value)) return 'a text of one line, without control characters';
  return check?.(value);
}

/** A secret may have got into the place of a name; a name of ours has no digits and is short. */
function nameOfField(name: string): string {
  return /^[A-Za-z_]{1,24}$/.test(name) ? `the field ${name}` : 'a field of another name';
}

/**
 * A time as secrets hold it: ISO 8601, UTC. One without an offset counts as UTC, whatever the zone of this machine.
 * Undefined for anything else.
 */
export function utcTime(text: string): string | undefined {
  const [, time, , , offset] = ISO_TIME.exec(text) ?? [];
  if (!ISO_TIME.test(text)) return undefined;
  const ms = Date.parse(time !== undefined && offset === undefined ? `${text}Z` : text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
