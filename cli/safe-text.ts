import { existsSync } from 'node:fs';

import { PLAIN_NAME } from '../core/events/event-values';

/** An argument, safe to show: anything but a plain name may be a misplaced secret. */
export function showArgument(text: string): string {
  if (text === '') return 'an empty text';
  return PLAIN_NAME.test(text) ? text : 'something else';
}

/** The same for an argument that may contain the characters of a pattern. */
export function showPattern(pattern: string): string {
  const plain = pattern.replaceAll(/[*?]/g, '');
  return plain !== '' && PLAIN_NAME.test(plain) ? pattern : showArgument(pattern);
}

/** A file path, safe to show: one that neither exists nor ends in .json may be a misplaced secret. */
export function showFile(path: string): string {
  return path.endsWith('.json') || existsSync(path) ? path : 'the named file';
}

/** One line of JSON, safe for a terminal: control characters are escaped, so the document is unchanged. */
export function harmlessJson(document: object): string {
  const escaped = (text: string) =>
    text.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return JSON.stringify(document).replaceAll(/[\p{Cc}\p{Cf}]/gu, (text) => escaped(text).join(''));
}

/** The styles of `style.ts`, and what a terminal may act on: control characters but for the line feed, and invisible ones. */
// eslint-disable-next-line no-control-regex
const STYLED_OR_ACTED_ON = /(\u001b\[(?:1|2|22|3[1-3]|39)m)|[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Lines for a terminal. Text of AWS, of the platform or of a file may hold sequences that move the cursor or set the title. */
export function harmlessLines(text: string): string {
  return text.replaceAll(STYLED_OR_ACTED_ON, (_, style: string | undefined) => style ?? ' ');
}
