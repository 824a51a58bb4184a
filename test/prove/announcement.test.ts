import { announcement, planOf } from '../../prove/announcement';
import { GROUPS } from '../../probes/probe';
import { type Caller } from '../../prove/caller';

const SECRET = { Type: 'AWS::SecretsManager::Secret' };
const KEY = { Type: 'AWS::KMS::Key' };
const FUNCTION = { Type: 'AWS::Lambda::Function', Properties: { MemorySize: 512 } };
const TEMPLATES: Parameters<typeof planOf>[2] = [
  { Resources: { A: SECRET, B: SECRET, F: FUNCTION } },
  { Resources: { K: KEY } },
];
const CALLER: Caller = {
  place: { partition: 'aws', region: 'eu-west-1', accountId: '123456789012' },
  arn: 'arn:aws:sts::123456789012:assumed-role/dev/me',
  settings: { region: 'eu-west-1', maxAttempts: 5 },
};
const planFor = (slow = false, templates = TEMPLATES) =>
  planOf('prove-0123abcd', { groups: GROUPS, slow }, templates);

it('says whose account and region, what is created, what it costs, and how long it takes', () => {
  const lines = announcement(planFor(), CALLER, ['A note.']);
  const text = lines.join('\n');

  expect(lines[0]).toBe('Account 123456789012, region eu-west-1, partition aws');
  expect(text).toContain('as arn:aws:sts::123456789012:assumed-role/dev/me');
  expect(text).toContain('Creates 2 stacks whose names begin with prove-0123abcd, with 4 resources:');
  expect(text).toMatch(/^ {2}2 +SecretsManager::Secret +1 +Lambda::Function$/m);
  expect(text).toMatch(/^Cost: about USD 0\.\d\d at the list prices/m);
  expect(text).toMatch(
    /^ {2}0\.001 +KMS keys +1 per key per month +https:\/\/aws\.amazon\.com\/kms\/pricing\/$/m,
  );
  expect(text).toMatch(/^Time: about \d+ minutes$/m);
  expect(lines.at(-1)).toBe('! A note.');
});

it('prices what is billed by the month for the hours of the run', () => {
  const priceOf = (secrets: number) => {
    const Resources = Object.fromEntries(Array.from({ length: secrets }, (_, n) => [`S${n}`, SECRET]));
    return planFor(false, [{ Resources: { ...Resources, F: FUNCTION } }]).price.totalUsd;
  };

  const perSecret = (priceOf(730) - priceOf(0)) / 730;

  expect(perSecret).toBeCloseTo(0.4 / 730, 8);
});

it('costs nothing on the laptop', () => {
  const laptop = {} as NonNullable<Caller['laptop']>;

  const text = announcement(planFor(), { ...CALLER, laptop }, []).join('\n');

  expect(text).toContain('Cost: nothing');
  expect(text).not.toContain('USD');
});

it('counts the probes of the chosen groups', () => {
  const { probes } = planOf('prove-0123abcd', { groups: [], slow: true }, TEMPLATES);

  expect(probes).toBe(0);
});
