import { existsSync } from 'node:fs';

/** Short, or named as user pools are, which tenants are: a secret is longer, and has no such form. */
const PLAIN_NAME = /^([A-Za-z0-9_/-]{1,15}|[a-z]{2}(-[a-z]+)+-\d_[A-Za-z0-9]{1,9})$/;

/** An argument as a message may show it: what is no plain name might be a secret in the wrong place. */
export function showArgument(text: string): string {
  if (text === '') return 'an empty text';
  return PLAIN_NAME.test(text) ? text : 'something else';
}

/** A configuration's file as a message may show it: what is not there, and not named as such a file is, might be a secret. */
export function showFile(path: string): string {
  return path.endsWith('.json') || existsSync(path) ? path : 'the named file';
}

/** Others' text as a terminal may show it: nothing in it moves the cursor, or turns words around. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
}

/** A document as one line of JSON that a terminal may show as well: {@link harmless}, and yet the same document. */
export function harmlessJson(document: object): string {
  const escaped = (text: string) =>
    text.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return JSON.stringify(document).replaceAll(/[\p{Cc}\p{Cf}]/gu, (text) => escaped(text).join(''));
}
