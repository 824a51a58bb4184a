import { styleText } from 'node:util';

import { type Style } from './terminal';

/** No colors, no bold. */
export const PLAIN: Style = {
  bold: (text) => text,
  dim: (text) => text,
  good: (text) => text,
  warning: (text) => text,
  bad: (text) => text,
};

/** The terminal's own palette. */
const COLORED: Style = {
  bold: (text) => styleText('bold', text, { validateStream: false }),
  dim: (text) => styleText('dim', text, { validateStream: false }),
  good: (text) => styleText('green', text, { validateStream: false }),
  warning: (text) => styleText('yellow', text, { validateStream: false }),
  bad: (text) => styleText('red', text, { validateStream: false }),
};

/**
 * The style for a stream.
 * @param isWanted false with `--no-color`
 * @see https://no-color.org (any non-empty value turns colors off)
 * @see https://nodejs.org/api/cli.html#force_color1-2-3 (before NO_COLOR; 0 turns colors off)
 */
export function styleFor(
  stream: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  isWanted: boolean,
): Style {
  const forced = env.FORCE_COLOR ?? '';
  if (!isWanted || forced === '0') return PLAIN;
  if (forced !== '') return COLORED;
  const isRefused = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  return stream.isTTY === true && !isRefused ? COLORED : PLAIN;
}
