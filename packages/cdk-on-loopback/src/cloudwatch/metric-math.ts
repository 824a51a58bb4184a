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

/** The metrics and expressions that an expression refers to, in one period. */
export interface MathInputs {
  /** The value; undefined if it is missing. */
  valueOf(id: string): number | undefined;
  /** Whether `FILL` fills a missing value. */
  isFilled(id: string): boolean;
}

/**
 * The value of an expression in one period; undefined if it has none. Of two series, a missing value counts as 0 if the
 * other one has a value. Beside a number, it stays missing. List functions ignore
 * missing values.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export function evaluateMath(node: MathNode, inputs: MathInputs): number | undefined {
  const value = (part: MathNode): number | undefined => evaluateMath(part, inputs);
  switch (node.kind) {
    case 'number':
      return node.value;
    case 'id':
      return inputs.valueOf(node.id);
    case 'negative': {
      const operand = value(node.operand);
      return operand === undefined ? undefined : -operand;
    }
    case 'binary':
      return binaryValue(node, value);
    case 'fill':
      if (node.series.kind === 'id' && !inputs.isFilled(node.series.id)) return value(node.series);
      return value(node.series) ?? value(node.filler);
    case 'if': {
      const condition = value(node.condition);
      if (condition === undefined) return undefined;
      if (condition === 0) return value(node.no);
      return value(node.yes) ?? (isNumber(node.condition) ? undefined : 0);
    }
    case 'list': {
      const values = node.items.map(value).filter((item) => item !== undefined);
      return values.length === 0 ? undefined : LIST_FUNCTIONS[node.of](values);
    }
  }
}

/** @returns undefined if neither part has a value, a series beside a number has none, or for a division by zero */
function binaryValue(
  { operator, left, right }: Extract<MathNode, { kind: 'binary' }>,
  valueOf: (part: MathNode) => number | undefined,
): number | undefined {
  const [a, b] = [valueOf(left), valueOf(right)];
  if (a === undefined && (b === undefined || isNumber(right))) return undefined;
  if (b === undefined && isNumber(left)) return undefined;
  const result = OPERATORS[operator](a ?? 0, b ?? 0);
  return Number.isFinite(result) ? result : undefined;
}

/** Whether an expression is the same in every period: a scalar, in AWS's words. */
function isNumber(node: MathNode): boolean {
  switch (node.kind) {
    case 'number':
      return true;
    case 'negative':
      return isNumber(node.operand);
    case 'binary':
      return isNumber(node.left) && isNumber(node.right);
    default:
      return false;
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
