import { type BinaryOperator, LIST_FUNCTIONS, type ListFunction, type MathNode } from './metric-math';

/** A metric math expression that is malformed or not supported here. */
class MetricMathError extends Error {
  override readonly name = 'MetricMathError';
  readonly code = 'metric_math_not_supported';
}

/** Operators by precedence, lowest first. */
const PRECEDENCE: readonly (readonly BinaryOperator[])[] = [
  ['OR'],
  ['AND'],
  ['==', '!=', '<=', '>=', '<', '>'],
  ['+', '-'],
  ['*', '/'],
];

const TOKEN = /\s*([A-Za-z_]\w*|\d+(?:\.\d+)?|[=!<>]=|&&|\|\||[-+*/<>(),[\]])/y;
const ALIASES: Readonly<Record<string, string>> = { '&&': 'AND', '||': 'OR' };

/**
 * Parses the subset of metric math that these templates use: numbers, ids, `+ - * /`, comparisons, `AND`, `OR`,
 * `FILL(m, n)`, `IF(condition, yes, no)`, and `MAX`, `MIN`, `SUM` of a list (`MAX([m1, m2])`).
 * @throws {MetricMathError} for anything else
 * @see Amazon CloudWatch User Guide, "Metric math syntax and functions"
 */
export function parseMetricMath(text: string): MathNode {
  const parser = new Parser(text);
  const node = parser.expression();
  parser.end();
  return node;
}

class Parser {
  private readonly text: string;
  private readonly tokens: readonly string[];
  private at = 0;

  constructor(text: string) {
    this.text = text;
    this.tokens = this.split();
  }

  expression(level = 0): MathNode {
    const operators = PRECEDENCE[level];
    if (!operators) return this.operand();
    let left = this.expression(level + 1);
    for (;;) {
      const operator = operators.find((each) => each === this.tokens[this.at]);
      if (!operator) return left;
      this.at += 1;
      left = { kind: 'binary', operator, left, right: this.expression(level + 1) };
    }
  }

  end(): void {
    if (this.at < this.tokens.length) this.refuse();
  }

  private operand(): MathNode {
    const token = this.tokens[this.at++] ?? '';
    if (token === '-') return { kind: 'negative', operand: this.operand() };
    if (token === '(') return this.closed(this.expression(), ')');
    if (/^\d/.test(token)) return { kind: 'number', value: Number(token) };
    if (/^[a-z]\w*$/.test(token)) return { kind: 'id', id: token };
    if (this.tokens[this.at++] !== '(') this.refuse(-2);
    if (token === 'FILL') {
      const [series, filler] = this.inputs(2);
      return { kind: 'fill', series: series!, filler: filler! };
    }
    if (token === 'IF') {
      const [condition, yes, no] = this.inputs(3);
      return { kind: 'if', condition: condition!, yes: yes!, no: no! };
    }
    if (Object.hasOwn(LIST_FUNCTIONS, token)) return this.list(token as ListFunction);
    return this.refuse(-2);
  }

  private inputs(count: number): MathNode[] {
    const inputs = [this.expression()];
    while (inputs.length < count) inputs.push(this.after(','));
    this.take(')');
    return inputs;
  }

  private list(of: ListFunction): MathNode {
    this.take('[');
    const items = [this.expression()];
    while (this.tokens[this.at] === ',') items.push(this.after(','));
    this.take(']');
    return this.closed({ kind: 'list', of, items }, ')');
  }

  private after(token: string): MathNode {
    this.take(token);
    return this.expression();
  }

  private closed(node: MathNode, by: string): MathNode {
    this.take(by);
    return node;
  }

  private take(token: string): void {
    if (this.tokens[this.at] !== token) this.refuse();
    this.at += 1;
  }

  private refuse(back = 0): never {
    const token = this.tokens[this.at + back] ?? 'end';
    throw new MetricMathError(`metric math ${this.text}: unexpected ${token}`);
  }

  private split(): string[] {
    const tokens: string[] = [];
    const pattern = new RegExp(TOKEN);
    const text = this.text.trimEnd();
    while (pattern.lastIndex < text.length) {
      const start = pattern.lastIndex;
      const token = pattern.exec(text)?.[1];
      if (token === undefined)
        throw new MetricMathError(`metric math ${this.text}: cannot read ${text.slice(start)}`);
      tokens.push(ALIASES[token] ?? token);
    }
    return tokens;
  }
}
