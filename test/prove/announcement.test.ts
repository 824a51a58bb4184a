import { announcement, planOf } from '../../prove/announcement';
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
const planFor = (probes: { slow?: true }[] = [{}], templates = TEMPLATES) =>
  planOf('prove-0123abcd', probes, templates);

it('says whose account and region, what is created, what it costs, and how long it takes', () => {
  const lines = announcement(planFor(), CALLER, ['A note.']);
  const text = lines.join('\n');

  expect(lines[0]).toBe('Account 123456789012, region eu-west-1, partition aws');
  expect(text).toContain('as arn:aws:sts::123456789012:assumed-role/dev/me');
  expect(text).toContain('Creates 2 stacks whose names begin with prove-0123abcd, with 4 resources:');
  expect(text).toMatch(/^ {2}2 +SecretsManager::Secret +1 +Lambda::Function$/m);
  expect(text).toMatch(/^Cost: about USD 0\.0\d at the list prices/m);
  expect(text).toMatch(
    /^ {2}0\.001 +KMS keys +1 per key per month +https:\/\/aws\.amazon\.com\/kms\/pricing\/$/m,
  );
  expect(text).toMatch(/^Time: about \d+ minutes$/m);
  expect(lines.at(-1)).toBe('! A note.');
});

it('prices what is billed by the month for the hours of the run', () => {
  const priceOf = (secrets: number) => {
    const Resources = Object.fromEntries(Array.from({ length: secrets }, (_, n) => [`S${n}`, SECRET]));
    return planFor([], [{ Resources: { ...Resources, F: FUNCTION } }]).price.totalUsd;
  };

  const perSecret = (priceOf(730) - priceOf(0)) / 730;

  expect(perSecret).toBeCloseTo(0.4 / 730, 8);
});

it('costs nothing where AWS is not asked', () => {
  const text = announcement(planFor(), { ...CALLER, endpoint: '127.0.0.1:4566' }, []).join('\n');

  expect(text).toContain('at 127.0.0.1:4566 and not on AWS');
  expect(text).toContain('Cost: nothing');
  expect(text).not.toContain('USD');
});

it('takes longer with slow probes', () => {
  expect(planFor([{}, { slow: true }]).minutes).toBeGreaterThan(planFor([{}, {}]).minutes + 10);
});

it('creates nothing but what probes create if none needs Latchkey', () => {
  const text = announcement(planFor([{}, {}], []), CALLER, []).join('\n');

  expect(text).toContain('Creates only what its probes need, whose names begin with prove-0123abcd');
  expect(text).toContain('Runs 2 probes');
  expect(text).toMatch(/^Time: about 1 minute$/m);
});
