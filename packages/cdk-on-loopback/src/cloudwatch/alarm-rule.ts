import { type AlarmRule, type AlarmStateValue } from './alarm-definition';
import { Tokens } from './tokens';

const STATES = ['ALARM', 'OK', 'INSUFFICIENT_DATA'] as const;
const TOKEN = /\s*("[^"]*"|[()]|[^\s()"]+)/y;

/**
 * Parses a rule: `ALARM(name)`, `OK(name)`, `INSUFFICIENT_DATA(name)`, `TRUE`, `FALSE`, `NOT`, `AND`, `OR`, parentheses.
 * Names may be in double quotes. `AND` takes precedence over `OR`.
 * @throws {ExpressionError} for anything else, for example `AT_LEAST`
 * @see CloudWatch API Reference, PutCompositeAlarm (AlarmRule)
 */
export function parseAlarmRule(text: string): AlarmRule {
  const tokens = new Tokens('alarm rule', text, TOKEN);
  const rule = parseEither(tokens);
  tokens.end();
  return rule;
}

function parseEither(tokens: Tokens): AlarmRule {
  return parseJoined(tokens, 'or', () => parseJoined(tokens, 'and', () => parseSingle(tokens)));
}

function parseJoined(tokens: Tokens, kind: 'and' | 'or', operand: () => AlarmRule): AlarmRule {
  const rules = [operand()];
  while (tokens.takeOneOf([kind.toUpperCase()])) rules.push(operand());
  return rules.length === 1 ? rules[0]! : { kind, rules };
}

function parseSingle(tokens: Tokens): AlarmRule {
  const state = tokens.takeOneOf(STATES);
  if (state) return parseState(state, tokens);
  if (tokens.takeOneOf(['NOT'])) return { kind: 'not', rules: [parseSingle(tokens)] };
  const constant = tokens.takeOneOf(['TRUE', 'FALSE']);
  if (constant) return { kind: 'constant', value: constant === 'TRUE' };
  tokens.take('(');
  const rule = parseEither(tokens);
  tokens.take(')');
  return rule;
}

function parseState(state: AlarmStateValue, tokens: Tokens): AlarmRule {
  tokens.take('(');
  const name = tokens.take();
  const alarm = /^(?:"([^"]+)"|([^()"]+))$/.exec(name) ?? tokens.refuse(name);
  tokens.take(')');
  return { kind: 'state', state, alarm: (alarm[1] ?? alarm[2])! };
}

/** Whether the rule holds for these alarm states. */
export function ruleHolds(rule: AlarmRule, stateOf: (alarm: string) => AlarmStateValue | undefined): boolean {
  const holds = (part: AlarmRule): boolean => ruleHolds(part, stateOf);
  switch (rule.kind) {
    case 'constant':
      return rule.value;
    case 'state':
      return stateOf(rule.alarm) === rule.state;
    case 'not':
      return !rule.rules.every(holds);
    case 'and':
      return rule.rules.every(holds);
    case 'or':
      return rule.rules.some(holds);
  }
}

/** The alarms in a rule, by the names or ARNs that it uses. */
export function alarmsOf(rule: AlarmRule): string[] {
  if ('rules' in rule) return rule.rules.flatMap(alarmsOf);
  return rule.kind === 'state' ? [rule.alarm] : [];
}
