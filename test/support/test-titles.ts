import { existsSync, readFileSync } from 'node:fs';

import ts from 'typescript';

/** A test of a file, listed from its source or run by jest. */
export interface ListedTest {
  /** The titles of `describe` and `test`, joined by ` › `. */
  title: string;
  /** As jest reports it, such as `passed` or `failed`; `listed` if it was not run, `skipped` if it will not be. */
  status: string;
}

const TESTS = ['test', 'it', 'describe'];

/**
 * The tests in a file, without running it; none if there is no such file. A title has its placeholders, such as `%s`, as in
 * the source.
 */
export function testsIn(file: string): ListedTest[] {
  if (!existsSync(file)) return [];
  const found: ListedTest[] = [];
  const visit = (node: ts.Node, ancestors: readonly string[], isSkipped: boolean): void => {
    const call = ts.isCallExpression(node) ? calledTest(node) : undefined;
    if (call === undefined) return ts.forEachChild(node, (child) => visit(child, ancestors, isSkipped));
    const titles = [...ancestors, call.title];
    const skipped = isSkipped || call.isSkipped;
    if (call.name !== 'describe')
      found.push({ title: titles.join(' › '), status: skipped ? 'skipped' : 'listed' });
    else ts.forEachChild(node, (child) => visit(child, titles, skipped));
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true), [], false);
  return found;
}

/** The call of a test function: `test(title, …)`, `describe.each(rows)(title, …)` and the like. */
function calledTest(node: ts.CallExpression) {
  const title = titleOf(node.arguments[0]);
  const words = node.expression.getText().split(/[.(`]/);
  if (title === undefined || !TESTS.includes(words[0]!)) return undefined;
  return { name: words[0], title, isSkipped: ['skip', 'todo'].includes(words[1] ?? '') };
}

function titleOf(node: ts.Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `%s${literal.text}`).join('');
}
