import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { anchorOf } from '../../support/page-links';
import { PROJECT_ROOT } from './local-process';

/**
 * A page of docs, or one of its sections by its anchor: `restore-api.md#on-the-laptop`. A section ends where the next one of its
 * level begins.
 */
export function textOf(address: string): string {
  const [file = '', anchor] = address.split('#');
  const text = readFileSync(join(PROJECT_ROOT, 'docs', file), 'utf8');
  if (anchor === undefined) return text;
  const headings = [...text.matchAll(/^(##+) (.*)$/gm)];
  const { 1: marks, index } = headings.find(([, , title]) => anchorOf(title!) === anchor)!;
  const [, section = ''] = text.slice(index).split(new RegExp(`^#{2,${marks!.length}} `, 'm'));
  return section;
}

/** The code blocks of a page or section in order, without their list indentation. */
export function blocksOf(address: string, language = 'sh'): string[] {
  const fenced = /^( *)```(\w*)\n([\s\S]*?)^\1```$/gm;
  return [...textOf(address).matchAll(fenced)]
    .filter(([, , found]) => found === language)
    .map(([, indent = '', , block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim());
}
