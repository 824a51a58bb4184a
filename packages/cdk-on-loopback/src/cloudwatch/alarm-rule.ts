import { type AlarmRule, type AlarmStateValue } from './alarm-definition';

/** An alarm rule that is malformed or not supported here. */
class AlarmRuleError extends Error {
  override readonly name = 'AlarmRuleError';
  readonly code = 'alarm_rule_not_supported';
}

const STATES = ['ALARM', 'OK', 'INSUFFICIENT_DATA'] as const;
const TOKEN = /\s*("[^"]*"|[()]|[^\s()"]+)/y;

/**
 * Parses a rule: `ALARM(name)`, `OK(name)`, `INSUFFICIENT_DATA(name)`, `TRUE`, `FALSE`, `NOT`, `AND`, `OR`, parentheses.
 * Names may be in double quotes. `AND` takes precedence over `OR`.
 * @throws {AlarmRuleError} for anything else, for example `AT_LEAST`
 * @see CloudWatch API Reference, PutCompositeAlarm (AlarmRule)
 */
export function parseAlarmRule(text: string): AlarmRule {
  const tokens = tokensOf(text);
  let at = 0;
  const refuse = (): never => {
    throw new AlarmRuleError(`alarm rule ${text}: unexpected ${tokens[at] ?? 'end'}`);
  };
  const take = (expected: string): void => {
    if (tokens[at] !== expected) refuse();
    at += 1;
  };
  const joined = (kind: 'and' | 'or', word: string, operand: () => AlarmRule): AlarmRule => {
    const rules = [operand()];
    while (tokens[at] === word) {
      at += 1;
      rules.push(operand());
    }
    return rules.length === 1 ? rules[0]! : { kind, rules };
  };
  const either = (): AlarmRule => joined('or', 'OR', () => joined('and', 'AND', single));
  const single = (): AlarmRule => {
    const token = tokens[at];
    const state = STATES.find((name) => name === token);
    if (state) return ofState(state);
    if (token === 'NOT') {
      at += 1;
      return { kind: 'not', rule: single() };
    }
    if (token === 'TRUE' || token === 'FALSE') {
      at += 1;
      return { kind: 'constant', value: token === 'TRUE' };
    }
    take('(');
    const rule = either();
    take(')');
    return rule;
  };
  const ofState = (state: AlarmStateValue): AlarmRule => {
    at += 1;
    take('(');
    const alarm = /^(?:"([^"]+)"|([^()"]+))$/.exec(tokens[at] ?? '') ?? refuse();
    at += 1;
    take(')');
    return { kind: 'state', state, alarm: (alarm[1] ?? alarm[2])! };
  };

  const rule = either();
  if (at < tokens.length) refuse();
  return rule;
}

/** Whether the rule holds for these alarm states. */
export function ruleHolds(rule: AlarmRule, stateOf: (alarm: string) => AlarmStateValue | undefined): boolean {
  switch (rule.kind) {
    case 'constant':
      return rule.value;
    case 'state':
      return stateOf(rule.alarm) === rule.state;
    case 'not':
      return !ruleHolds(rule.rule, stateOf);
    case 'and':
      return rule.rules.every((part) => ruleHolds(part, stateOf));
    case 'or':
      return rule.rules.some((part) => ruleHolds(part, stateOf));
  }
}

/** The alarms in a rule, by the names or ARNs that it uses. */
export function alarmsOf(rule: AlarmRule): string[] {
  switch (rule.kind) {
    case 'constant':
      return [];
    case 'state':
      return [rule.alarm];
    case 'not':
      return alarmsOf(rule.rule);
    case 'and':
    case 'or':
      return rule.rules.flatMap(alarmsOf);
  }
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const pattern = new RegExp(TOKEN);
  const trimmed = text.trim();
  while (pattern.lastIndex < trimmed.length) {
    const start = pattern.lastIndex;
    const found = pattern.exec(trimmed);
    if (!found) throw new AlarmRuleError(`alarm rule ${text}: cannot read ${trimmed.slice(start)}`);
    tokens.push(found[1]!);
  }
  return tokens;
}
