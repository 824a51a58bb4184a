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
