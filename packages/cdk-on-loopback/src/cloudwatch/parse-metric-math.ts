import { LIST_FUNCTIONS, type MathFunction, type MathNode } from './metric-math';
import { Tokens } from './tokens';

/** Operators by precedence, lowest first. */
const PRECEDENCE: readonly (readonly MathFunction[])[] = [
  ['OR', '||'],
  ['AND', '&&'],
  ['==', '!=', '<=', '>=', '<', '>'],
  ['+', '-'],
  ['*', '/'],
];
/** The number of operands of functions that do not take a list. */
const OPERAND_COUNTS: Readonly<Record<string, number>> = { FILL: 2, IF: 3 };

const TOKEN = /\s*([A-Za-z_]\w*|\d+(?:\.\d+)?|[=!<>]=|&&|\|\||[-+*/<>(),[\]])/y;

/**
 * Parses a subset of metric math: numbers, ids, `+ - * /`, comparisons, `AND`, `OR`,
 * `FILL(m, n)`, `IF(condition, yes, no)`, and `MAX`, `MIN`, `SUM` of a list (`MAX([m1, m2])`).
 * @throws {ExpressionError} for anything else
 * @see Amazon CloudWatch User Guide, "Metric math syntax and functions"
 */
export function parseMetricMath(text: string): MathNode {
  const tokens = new Tokens('metric math', text, TOKEN);
  const node = parseExpression(tokens);
  tokens.end();
  return node;
}

function parseExpression(tokens: Tokens, level = 0): MathNode {
  const operators = PRECEDENCE[level];
  if (!operators) return parseOperand(tokens);
  let left = parseExpression(tokens, level + 1);
  for (;;) {
    const name = tokens.takeOneOf(operators);
    if (name === undefined) return left;
    left = { kind: 'call', name, operands: [left, parseExpression(tokens, level + 1)] };
  }
}

function parseOperand(tokens: Tokens): MathNode {
  const token = tokens.take();
  if (token === '-') return { kind: 'call', name: 'negative', operands: [parseOperand(tokens)] };
  if (token === '(') {
    const node = parseExpression(tokens);
    tokens.take(')');
    return node;
  }
  if (/^\d/.test(token)) return { kind: 'number', value: Number(token) };
  if (/^[a-z]\w*$/.test(token)) return { kind: 'id', id: token };
  return parseCall(token, tokens);
}

function parseCall(name: string, tokens: Tokens): MathNode {
  const isOverList = Object.hasOwn(LIST_FUNCTIONS, name);
  const count = Object.hasOwn(OPERAND_COUNTS, name) ? OPERAND_COUNTS[name] : undefined;
  if (!isOverList && count === undefined) tokens.refuse(name);
  tokens.take('(');
  if (isOverList) tokens.take('[');
  const operands = [parseExpression(tokens)];
  while (count === undefined ? tokens.next === ',' : operands.length < count) {
    tokens.take(',');
    operands.push(parseExpression(tokens));
  }
  if (isOverList) tokens.take(']');
  tokens.take(')');
  return { kind: 'call', name: name as MathFunction, operands };
}
