import { parseScaleArguments } from '../../../tools/docs/scale-arguments';

it('takes numbers of tenants, days and a rate', () => {
  expect(parseScaleArguments(['100', '5000'])).toEqual({
    days: 7,
    rate: 10,
    counts: [100, 5000],
  });
  expect(parseScaleArguments(['--days', '0.5', '--rate', '25', '1'])).toEqual({
    days: 0.5,
    rate: 25,
    counts: [1],
  });
});

it.each([
  [[], 'TENANTS: missing; allowed: whole numbers from 1'],
  [['100', 'many'], 'TENANTS: found many; allowed: whole numbers from 1'],
  [['0'], 'TENANTS: found 0; allowed: whole numbers from 1'],
  [['1e3'], 'TENANTS: found 1e3; allowed: whole numbers from 1'],
  [['--days', 'seven', '1'], '--days: found seven; allowed: days from 0.5, in half days'],
  [['--days', '0.3', '1'], '--days: found 0.3; allowed: days from 0.5, in half days'],
  [['--rate', '26', '1'], '--rate: found 26; allowed: whole requests per second from 1 to 25'],
])('refuses %j with one error', (args, message) => {
  expect(parseScaleArguments(args)).toBe(message);
});

it('names an option that it does not know', () => {
  expect(parseScaleArguments(['--seed', '1'])).toContain('--seed');
});
