import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** How a name ends that stands for something secret, or for what is derived from it. */
const SECRET_NAME = /(secret|key|token|digest|sha256|password|signature|authorization|credentials?)$/i;

const EQUALITIES = [
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
];
/** Methods that compare, and end at the first difference. */
const COMPARING = [
  'compare',
  'endsWith',
  'equals',
  'includes',
  'indexOf',
  'lastIndexOf',
  'localeCompare',
  'startsWith',
];

/** Every comparison in a folder's sources that takes the longer the more of a secret is right: `FILE: EXPRESSION`. */
export function secretComparisonsIn(folder: string, root: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .flatMap((name) => {
      const file = join(folder, name);
      return secretComparisons(readFileSync(file, 'utf8')).map(
        (found) => `${relative(root, file)}: ${found}`,
      );
    });
}

/** The same for one source text. */
export function secretComparisons(text: string): string[] {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const compared = comparedBy(node);
    if (compared.some(isSecret) && !compared.some(isFixed)) found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function comparedBy(node: ts.Node): readonly ts.Expression[] {
  if (ts.isBinaryExpression(node) && EQUALITIES.includes(node.operatorToken.kind)) {
    return [node.left, node.right];
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { expression, name } = node.expression;
  return COMPARING.includes(name.text) ? [expression, ...node.arguments] : [];
}

function isSecret(node: ts.Expression): boolean {
  if (ts.isNonNullExpression(node) || ts.isCallExpression(node)) return isSecret(node.expression);
  if (ts.isPropertyAccessExpression(node)) return SECRET_NAME.test(node.name.text);
  return ts.isIdentifier(node) && SECRET_NAME.test(node.text);
}

/** What stands in the source is no secret. */
function isFixed(node: ts.Expression): boolean {
  return (
    ts.isLiteralExpression(node) ||
    node.kind === ts.SyntaxKind.NullKeyword ||
    (ts.isIdentifier(node) && node.text === 'undefined')
  );
}
