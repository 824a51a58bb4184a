import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';

import { answer, type Question } from '../src/question';
import { type EndedRun, reportOf, scrubbed, writeReport } from '../src/report';

const QUESTION: Question = {
  id: 'first-value',
  subject: 'The first value of `a secret`',
  reliedOn: 'it becomes `AWSCURRENT`',
  promise: 'a credential that was loaded is used',
  pages: [],
  ask: async () => answer(true, 'it did'),
};
const AWS: EndedRun['caller'] = {
  location: { partition: 'aws', region: 'eu-west-1', accountId: '123456789012' },
};
const KEY = { kind: 'key', name: '1234abcd', reason: 'AWS deletes it later', until: new Date(0) };

function ended(changes: Partial<EndedRun> = {}, seen = 'it became | current'): EndedRun {
  return {
    startedAt: new Date('2026-11-23T12:00:00Z'),
    endedAt: new Date('2026-11-23T12:24:05Z'),
    caller: AWS,
    answers: [{ question: QUESTION, verdict: 'as relied on', seen, seconds: 1 }],
    left: [KEY],
    ...changes,
  };
}

describe('a report', () => {
  it('never says AWS of something else', () => {
    const laptop = {} as NonNullable<EndedRun['caller']['laptop']>;

    const onLaptop = reportOf(ended({ caller: { ...AWS, laptop, endpoint: '127.0.0.1:1' } }));
    const elsewhere = reportOf(ended({ caller: { ...AWS, endpoint: '127.0.0.1:5000' } }));

    expect([onLaptop, elsewhere].map((report) => report.split('\n')[0])).toEqual([
      '# latchkey prove: laptop',
      '# latchkey prove: 127.0.0.1:5000',
    ]);
  });

  it('is a file of Markdown: when, where and how, what AWS did, and what is left', () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-report-'));
    const file = writeReport(join(folder, 'new'), ended());
    const text = readFileSync(file, 'utf8');
    rmSync(folder, { recursive: true });

    expect(file).toBe(join(folder, 'new/2026-11-23T12-00-00-aws-eu-west-1.md'));
    expect(text).toContain('# latchkey prove: aws eu-west-1\n\n2026-11-23T12:00:00.000Z, latchkey ');
    expect(text).toContain('1 questions: 1 as relied on, 0 differs, 0 not run, in 25 min.');
    expect(text).toContain(
      '| first-value | The first value of `a secret` | it becomes `AWSCURRENT` | it became \\| current | as relied on | 1 |',
    );
    expect(text).toContain('- key 1234abcd: AWS deletes it later');
  });

  it('says what another answer means', () => {
    const answers = [{ question: QUESTION, verdict: 'differs', seen: 'no', seconds: 1 } as const];

    expect(reportOf(ended({ answers }))).toContain(
      '| **differs**, so this is not kept: a credential that was loaded is used |',
    );
  });

  it('contains nothing that identifies the account, whatever AWS said', () => {
    const account = '123456789012';
    const seen = [
      `arn:aws:iam::${account}:role/prove-x`,
      `account ${account}`,
      'https://a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com/v1',
      'AKIAIOSFODNN7EXAMPLE',
      'wJalrXUtnFEMI/K7MDENG/bPxRfiCY7XAMPLEKEY1',
    ].join(' and ');
    const run = ended({ left: [{ ...KEY, name: seen, reason: seen }] }, seen);

    expect(reportOf(run)).not.toContain(account);
    expect(reportOf(run)).not.toMatch(/a1b2c3d4e5|AKIA|wJalr|arn:/);
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
