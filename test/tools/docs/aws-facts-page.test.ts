import { asReliedOn, type Probe } from '../../../probes/probe';
import { type ProveResult } from '../../../prove/results';
import { awsFactsPage } from '../../../tools/docs/aws-facts-page';

const probe = (changes: Partial<Probe> = {}): Probe => ({
  id: 'first-value',
  group: 'store',
  subject: 'The first value',
  reliedOn: 'it is current',
  otherwise: 'nothing can be loaded',
  look: async () => asReliedOn('it was'),
  ...changes,
});

function result(
  date: string,
  verdict: ProveResult['probes'][number]['verdict'],
  place: ProveResult['place'] = { kind: 'aws', partition: 'aws', region: 'eu-west-1' },
): ProveResult {
  const totals = { 'as relied on': 0, differs: 0, 'not run': 0 };
  const probes = [{ id: 'first-value', verdict, seen: 'one | two', seconds: 1 }];
  return { date, place, version: '1.0.0', probes, totals, seconds: 1, costUsd: 0, left: [] };
}

/** What the row of the only probe says about where it was seen. */
function seen(...results: ProveResult[]): string {
  const [, row] = awsFactsPage([probe()], results).split('| --- | --- | --- | --- | --- |\n');
  return row!.split(/(?<!\\)\|/)[4]!.trim();
}

it('has a table for each group that has probes, in their order', () => {
  const page = awsFactsPage(
    [probe({ id: 'b', group: 'gateway' }), probe({ id: 'z' }), probe({ id: 'a' })],
    [],
  );

  expect(page.match(/^## .*$/gm)).toEqual(['## Secrets and their versions', '## API Gateway']);
  expect(page.indexOf('[`z`]')).toBeLessThan(page.indexOf('[`a`]'));
});

it('says what is relied on, where AWS says so, and what happens otherwise', () => {
  const sources = ['https://docs.aws.amazon.com/one', 'https://docs.aws.amazon.com/two'];

  const page = awsFactsPage([probe({ sources, slow: true })], []);

  expect(page).toContain(
    '| The first value | it is current [[1]](https://docs.aws.amazon.com/one) [[2]](https://docs.aws.amazon.com/two) ' +
      '| nothing can be loaded | never | [`first-value`](../probes/store/first-value.ts), slow |',
  );
});

it('says where and when AWS was last seen', () => {
  const older = result('2026-01-01T00:00:00.000Z', 'differs');
  const newer = result('2026-02-02T00:00:00.000Z', 'as relied on');

  expect(seen(older, newer)).toBe('as relied on, aws eu-west-1, 2026-02-02');
  expect(seen(newer, older)).toBe('as relied on, aws eu-west-1, 2026-02-02');
  expect(seen(older)).toBe('**differs**: one \\| two, aws eu-west-1, 2026-01-01');
});

it('keeps an older look if the newest run did not look', () => {
  const older = result('2026-01-01T00:00:00.000Z', 'as relied on');
  const newer = result('2026-02-02T00:00:00.000Z', 'not run');

  expect(seen(older, newer)).toBe('as relied on, aws eu-west-1, 2026-01-01');
});

it('tells the partitions apart', () => {
  const china = { kind: 'aws', partition: 'aws-cn', region: 'cn-north-1' } as const;

  const text = seen(
    result('2026-01-01T00:00:00.000Z', 'as relied on'),
    result('2026-02-02T00:00:00.000Z', 'as relied on', china),
  );

  expect(text).toBe('as relied on, aws-cn cn-north-1, 2026-02-02; as relied on, aws eu-west-1, 2026-01-01');
});

it.each([{ kind: 'laptop' }, { kind: 'endpoint', name: '127.0.0.1:5000' }] as const)(
  'does not count what was not AWS: %j',
  (place) => {
    expect(seen(result('2026-01-01T00:00:00.000Z', 'as relied on', place))).toBe('never');
  },
);
