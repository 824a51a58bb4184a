/** A metric math expression. In each period, every part has one value or none. */
export type MathNode =
  | { kind: 'number'; value: number }
  /** A metric or another expression. */
  | { kind: 'id'; id: string }
  | { kind: 'negative'; operand: MathNode }
  | { kind: 'binary'; operator: BinaryOperator; left: MathNode; right: MathNode }
  | { kind: 'fill'; series: MathNode; filler: MathNode }
  | { kind: 'if'; condition: MathNode; yes: MathNode; no: MathNode }
  | { kind: 'list'; of: ListFunction; items: MathNode[] };

const truth = (holds: boolean): number => (holds ? 1 : 0);
const OPERATORS = {
  OR: (a: number, b: number) => truth(a !== 0 || b !== 0),
  AND: (a: number, b: number) => truth(a !== 0 && b !== 0),
  '==': (a: number, b: number) => truth(a === b),
  '!=': (a: number, b: number) => truth(a !== b),
  '<=': (a: number, b: number) => truth(a <= b),
  '>=': (a: number, b: number) => truth(a >= b),
  '<': (a: number, b: number) => truth(a < b),
  '>': (a: number, b: number) => truth(a > b),
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => a / b,
};
export type BinaryOperator = keyof typeof OPERATORS;

/** Functions over the values of a list. */
export const LIST_FUNCTIONS = {
  MAX: (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value)),
  MIN: (values: readonly number[]) => values.reduce((least, value) => Math.min(least, value)),
  SUM: (values: readonly number[]) => values.reduce((total, value) => total + value),
};
export type ListFunction = keyof typeof LIST_FUNCTIONS;

/**
 * The value of an expression in one period; undefined if it needs a value that is missing, or divides by zero. List
 * functions ignore missing values.
 */
export function evaluateMath(
  node: MathNode,
  valueOf: (id: string) => number | undefined,
): number | undefined {
  const value = (part: MathNode): number | undefined => evaluateMath(part, valueOf);
  switch (node.kind) {
    case 'number':
      return node.value;
    case 'id':
      return valueOf(node.id);
    case 'negative': {
      const operand = value(node.operand);
      return operand === undefined ? undefined : -operand;
    }
    case 'binary': {
      const [left, right] = [value(node.left), value(node.right)];
      if (left === undefined || right === undefined) return undefined;
      const result = OPERATORS[node.operator](left, right);
      return Number.isFinite(result) ? result : undefined;
    }
    case 'fill':
      return value(node.series) ?? value(node.filler);
    case 'if': {
      const condition = value(node.condition);
      if (condition === undefined) return undefined;
      return value(condition === 0 ? node.no : node.yes);
    }
    case 'list': {
      const values = node.items.map(value).filter((item) => item !== undefined);
      return values.length === 0 ? undefined : LIST_FUNCTIONS[node.of](values);
    }
  }
}

/** The ids that an expression refers to. */
export function idsOf(node: MathNode): string[] {
  switch (node.kind) {
    case 'number':
      return [];
    case 'id':
      return [node.id];
    case 'negative':
      return idsOf(node.operand);
    case 'binary':
      return [...idsOf(node.left), ...idsOf(node.right)];
    case 'fill':
      return [...idsOf(node.series), ...idsOf(node.filler)];
    case 'if':
      return [...idsOf(node.condition), ...idsOf(node.yes), ...idsOf(node.no)];
    case 'list':
      return node.items.flatMap(idsOf);
  }
}
