/** A metric math expression. In each period, every part has one value or none. */
export type MathNode =
  | { kind: 'number'; value: number }
  /** A metric or another expression. */
  | { kind: 'id'; id: string }
  | { kind: 'call'; name: MathFunction; operands: readonly MathNode[] };

const truth = (holds: boolean): number => (holds ? 1 : 0);
const or = (a: number, b: number): number => truth(a !== 0 || b !== 0);
const and = (a: number, b: number): number => truth(a !== 0 && b !== 0);
const OPERATORS = {
  OR: or,
  '||': or,
  AND: and,
  '&&': and,
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

/** Functions over the values of a list. */
export const LIST_FUNCTIONS = {
  MAX: (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value)),
  MIN: (values: readonly number[]) => values.reduce((least, value) => Math.min(least, value)),
  SUM: (values: readonly number[]) => values.reduce((total, value) => total + value),
};
export type MathFunction = keyof typeof OPERATORS | keyof typeof LIST_FUNCTIONS | 'negative' | 'FILL' | 'IF';

/** The metrics and expressions that an expression refers to, in one period. */
interface MathInputs {
  /** The value; undefined if it is missing. */
  valueOf(id: string): number | undefined;
  /** Whether `FILL` fills a missing value. */
  isFilled(id: string): boolean;
}

/**
 * The value of an expression in one period; undefined if it has none. An operator between two series takes a missing value
 * as 0 if the other series has one; between a series and a number it has no value. List functions ignore missing values.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export function evaluateMath(node: MathNode, inputs: MathInputs): number | undefined {
  if (node.kind === 'number') return node.value;
  if (node.kind === 'id') return inputs.valueOf(node.id);
  const { name, operands } = node;
  const values = operands.map((operand) => evaluateMath(operand, inputs));
  const [first, second, third] = values;
  switch (name) {
    case 'negative':
      return first === undefined ? undefined : -first;
    case 'FILL': {
      const [series] = operands;
      return series?.kind === 'id' && !inputs.isFilled(series.id) ? first : (first ?? second);
    }
    case 'IF':
      if (first === undefined) return undefined;
      return first === 0 ? third : (second ?? (isScalar(operands[0]!) ? undefined : 0));
    case 'MAX':
    case 'MIN':
    case 'SUM': {
      const present = values.filter((value) => value !== undefined);
      return present.length === 0 ? undefined : LIST_FUNCTIONS[name](present);
    }
    default: {
      if (first === undefined && (second === undefined || isScalar(operands[1]!))) return undefined;
      if (second === undefined && isScalar(operands[0]!)) return undefined;
      const result = OPERATORS[name](first ?? 0, second ?? 0);
      // A division by zero has no value.
      return Number.isFinite(result) ? result : undefined;
    }
  }
}

/** Whether an expression is the same in every period: a scalar, in AWS's words. */
function isScalar(node: MathNode): boolean {
  if (node.kind !== 'call') return node.kind === 'number';
  return (node.name === 'negative' || Object.hasOwn(OPERATORS, node.name)) && node.operands.every(isScalar);
}

/** The ids that an expression refers to. */
export function idsOf(node: MathNode): string[] {
  if (node.kind === 'id') return [node.id];
  return node.kind === 'call' ? node.operands.flatMap(idsOf) : [];
}
