import { parseJsonObject } from '../../core/json/json-object';
import { usageError } from '../command-error';
import { type Terminal } from '../terminal';

const MAX_INPUT_BYTES = 64 * 1024;
/** @see the platform's specification, "Endpoints" 2 */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** One value to read. */
interface InputField<Name extends string> {
  name: Name;
  question: string;
  isHidden: boolean;
  /** Returns what is allowed instead, or undefined if the value is valid. Never quotes the value. */
  check?: (value: string) => string | undefined;
}

export const CLIENT_CREDENTIALS_FIELDS: readonly InputField<'clientId' | 'clientSecret'>[] = [
  { name: 'clientId', question: 'Client id (hidden)', isHidden: true },
  { name: 'clientSecret', question: 'Client secret (hidden)', isHidden: true },
];

export const API_KEY_FIELDS: readonly InputField<'apiKey' | 'validUntil'>[] = [
  { name: 'apiKey', question: 'API key (hidden)', isHidden: true },
  {
    name: 'validUntil',
    question: 'Valid until (for example 2027-03-31T00:00:00Z)',
    isHidden: false,
    check: (value) => (utcTime(value) === undefined ? 'a time such as 2027-03-31T00:00:00Z' : undefined),
  },
];

export const ADMIN_SESSION_FIELDS: readonly InputField<'authorization' | 'correlationId'>[] = [
  {
    name: 'authorization',
    question: 'Authorization header, including Bearer (hidden)',
    isHidden: true,
    check: (value) => (/^Bearer [\x21-\x7e]+$/.test(value) ? undefined : 'Bearer, one space and the token'),
  },
  {
    name: 'correlationId',
    question: 'X-Correlation-Id header (hidden)',
    isHidden: true,
    check: (value) => (UUID.test(value) ? undefined : 'a UUID, as the browser sent it'),
  },
];

/**
 * Asks for the fields, or reads them from the JSON document on standard input if that is not a terminal. Returns the values
 * without surrounding whitespace.
 * @throws {CommandError} usage, naming the field but never its value
 */
export async function readFields<Name extends string>(
  terminal: Terminal,
  fields: readonly InputField<Name>[],
): Promise<Record<Name, string>> {
  const given = terminal.isInteractive ? await ask(terminal, fields) : await readDocument(terminal, fields);
  for (const { name } of fields) {
    if (given[name].trim() !== given[name]) terminal.say(`${name}: removed the surrounding whitespace`);
  }
  const values = fields.map((field) => {
    const value = given[field.name].trim();
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
      throw usageError(name, value === undefined ? 'nothing' : 'no text', 'a non-empty text');
    }
  }
  return document as Record<Name, string>;
}

function allowedInstead({ check }: InputField<string>, value: string): string | undefined {
  if (value === '') return 'a non-empty text';
  // Prevents header and log injection.
  if (/\p{Cc}/u.test(value)) return 'a single line without control characters';
  return check?.(value);
}

/** Shows only what looks like a field name: anything else may be a misplaced secret. */
function nameOfField(name: string): string {
  return /^[A-Za-z_]{1,24}$/.test(name) ? `the field ${name}` : 'an unknown field';
}

/**
 * A time as secrets store it: ISO 8601, UTC. A time without an offset is read as UTC. Undefined for anything else.
 */
export function utcTime(text: string): string | undefined {
  const [, time, , , offset] = ISO_TIME.exec(text) ?? [];
  if (!ISO_TIME.test(text)) return undefined;
  const ms = Date.parse(time !== undefined && offset === undefined ? `${text}Z` : text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
