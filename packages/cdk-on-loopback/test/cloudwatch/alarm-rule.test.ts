import { alarmsOf, parseAlarmRule, ruleHolds } from '../../src/cloudwatch/alarm-rule';

const STATES = { red: 'ALARM', green: 'OK', gray: 'INSUFFICIENT_DATA' } as const;
const holds = (text: string): boolean =>
  ruleHolds(parseAlarmRule(text), (name) => STATES[name as keyof typeof STATES]);

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html
describe('the rule of a composite alarm', () => {
  test.each<[string, boolean]>([
    ['ALARM("red")', true],
    ['ALARM(red)', true],
    ['ALARM("green")', false],
    ['ALARM(gray)', false],
    ['OK(gray)', false],
    ['NOT OK(gray)', true],
    ['OK(green) AND INSUFFICIENT_DATA(gray)', true],
    ['(ALARM("green") OR ALARM("red"))', true],
    ['ALARM(green) AND ALARM(green) OR ALARM(red)', true],
    ['ALARM(green) AND (ALARM(green) OR ALARM(red))', false],
    ['NOT ALARM(red)', false],
    ['NOT NOT TRUE AND NOT FALSE', true],
    ['ALARM("unknown")', false],
  ])('%s is %s', (text, expected) => {
    expect(holds(text)).toBe(expected);
  });

  test.each([
    '',
    'ALARM()',
    'ALARM("a"',
    'ALARM(a) ALARM(b)',
    'red',
    'AT_LEAST(1, ALARM, (a, b))',
    'ALARM(a) XOR TRUE',
  ])('refuses %p', (text) => {
    expect(() => parseAlarmRule(text)).toThrow(
      expect.objectContaining({ code: 'expression_not_supported' }) as Error,
    );
  });

  test('lists the alarms it refers to', () => {
    expect(alarmsOf(parseAlarmRule('ALARM("a/b") OR NOT (OK(c) AND TRUE)'))).toEqual(['a/b', 'c']);
  });
});
