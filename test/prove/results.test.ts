import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';

import { asReliedOn, type Probe } from '../../probes/probe';
import { type EndedRun, parseResult, resultOf, resultText, writeResult } from '../../prove/results';
import { scrubbed } from '../../prove/scrub';

const PROBES: Probe[] = [
  {
    id: 'first-value',
    group: 'store',
    subject: 'The first value of `a secret`',
    reliedOn: 'it becomes `AWSCURRENT`',
    otherwise: 'nothing can be loaded',
    look: async () => asReliedOn('it did'),
  },
];
const PLAIN = { bold: String, dim: String, good: String, warning: String, bad: String };
const AWS: EndedRun['caller'] = {
  place: { partition: 'aws', region: 'eu-west-1', accountId: '123456789012' },
};

function run(changes: Partial<EndedRun> = {}): EndedRun {
  return {
    startedAt: new Date('2026-11-23T12:00:00Z'),
    endedAt: new Date('2026-11-23T12:24:05Z'),
    caller: AWS,
    probes: [{ id: 'first-value', verdict: 'as relied on', seen: 'it became | current', seconds: 1.23 }],
    costUsd: 0.334,
    left: [{ what: 'KMS key', why: 'AWS deletes it after 7 days' }],
    ...changes,
  };
}

describe('a result', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-results-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has the date, the place, the totals and what each probe saw', () => {
    expect(resultOf(run())).toMatchObject({
      date: '2026-11-23T12:00:00.000Z',
      place: { kind: 'aws', partition: 'aws', region: 'eu-west-1' },
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      probes: [{ id: 'first-value', verdict: 'as relied on', seconds: 1.2 }],
      totals: { 'as relied on': 1, differs: 0, 'not run': 0 },
      seconds: 1445,
      costUsd: 0.33,
      left: [{ what: 'KMS key' }],
    });
  });

  it('never says AWS of something else', () => {
    const laptop = {} as NonNullable<EndedRun['caller']['laptop']>;

    const onLaptop = resultOf(run({ caller: { ...AWS, laptop, endpoint: '127.0.0.1:1' } }));
    const elsewhere = resultOf(run({ caller: { ...AWS, endpoint: '127.0.0.1:5000' } }));

    expect(onLaptop).toMatchObject({ place: { kind: 'laptop' }, costUsd: 0 });
    expect(elsewhere).toMatchObject({ place: { kind: 'endpoint', name: '127.0.0.1:5000' }, costUsd: 0 });
  });

  it('is written as JSON that can be read again, and as a table', () => {
    const result = resultOf(run());

    const [json, markdown] = writeResult(join(folder, 'new'), result, PROBES);

    expect(json).toBe(join(folder, 'new/2026-11-23T12-00-00-aws-eu-west-1.json'));
    expect(parseResult(readFileSync(json, 'utf8'))).toEqual(result);
    const text = readFileSync(markdown, 'utf8');
    expect(text).toContain('| Point | Relied on | Seen | Verdict | Seconds |');
    expect(text).toContain(
      '| The first value of `a secret` | it becomes `AWSCURRENT` | it became \\| current | as relied on | 1.2 |',
    );
    expect(text).toContain('24 min 5 s, about USD 0.33.');
    expect(text).toContain('- KMS key: AWS deletes it after 7 days');
  });

  it('is shown in a terminal', () => {
    const text = resultText(resultOf(run({ left: [] })), ['/tmp/result.json'], PLAIN);

    expect(text.split('\n')).toEqual([
      'as relied on  first-value  1.2 s  it became | current',
      'aws eu-west-1: 1 probes: 1 as relied on, 0 differs, 0 not run',
      '24 min 5 s, about USD 0.33',
      'Nothing is left behind',
      '/tmp/result.json',
    ]);
  });

  it('contains nothing that identifies the account, whatever a probe says', () => {
    const account = '123456789012';
    const seen = [
      `arn:aws:iam::${account}:role/prove-x`,
      `account ${account}`,
      'https://a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com/v1',
      'AKIAIOSFODNN7EXAMPLE',
      'wJalrXUtnFEMI/K7MDENG/bPxRfiCY7XAMPLEKEY1',
    ].join(' and ');
    const probes: EndedRun['probes'] = [{ id: 'first-value', verdict: 'differs', seen, seconds: 1 }];
    const result = resultOf(run({ probes, left: [{ what: seen, why: seen }] }));

    const [json, markdown] = writeResult(folder, result, PROBES);
    const shown = resultText(result, [], PLAIN);

    for (const text of [readFileSync(json, 'utf8'), readFileSync(markdown, 'utf8'), shown]) {
      expect(text).not.toContain(account);
      expect(text).not.toMatch(/a1b2c3d4e5|AKIA|wJalr|arn:/);
    }
  });
});

describe('scrubbing', () => {
  const digits = (length: number) =>
    fc.stringMatching(new RegExp(`^\\d{${length}}$`)).filter((text) => text.length === length);

  it('leaves no account number, however it is embedded', () => {
    fc.assert(
      fc.property(fc.string(), digits(12), fc.string(), (before, account, after) => {
        fc.pre(!/\d$/.test(before) && !/^\d/.test(after));
        expect(scrubbed(`${before}${account}${after}`)).not.toContain(account);
      }),
    );
  });

  it.each([
    ['it took 1700000000000 ms', 'it took 1700000000000 ms'],
    [
      'version AWSCURRENT of prove-0123abcd/staging/global',
      'version AWSCURRENT of prove-0123abcd/staging/global',
    ],
    ['denied on arn:aws:kms:eu-west-1:123456789012:key/1-2, then allowed', 'denied on [arn], then allowed'],
    [
      'queue https://sqs.eu-west-1.amazonaws.com/123456789012/q',
      'queue https://sqs.eu-west-1.amazonaws.com/[account]/q',
    ],
    ['account 1234-5678-9012', 'account [account]'],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc', 'token [long text]'],
  ])('%s', (text, expected) => {
    expect(scrubbed(text)).toBe(expected);
  });
});
