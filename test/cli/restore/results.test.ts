import fs, { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type RestoreAnswer } from '../../../cli/restore/answer';
import { type FailureCode } from '../../../cli/restore/outcome-kinds';
import { readResults, Results, type RunKey } from '../../../cli/restore/results';
import { failureOf } from '../support/operated-system';
import { newFolder } from '../../support/new-folder';

const RUN: RunKey = {
  environment: 'staging',
  platformRegion: 'mea',
  tenantId: 'tenant-1',
  api: 'https://restore.example/v1',
};
const HEADER = JSON.stringify(RUN);
const RESTORED = '{"contentId":"abc","outcome":"restored"}';
const ITEM = { contentId: 'abc', actingUser: { authorRef: 'jo' } };
const failure = (outcome: FailureCode): RestoreAnswer => ({ outcome, detail: '' });

let folder: string;
let file: string;
beforeEach(() => {
  folder = newFolder();
  file = join(folder, 'results');
});

const open = (path = file) => new Results(path, RUN, () => 0);
const outcomeOf = (contentId: string) => readResults(file, RUN)(contentId)?.outcome;
const textOf = () => readFileSync(file, 'utf8');

describe('the results of a bulk restore', () => {
  it('are held by one run until it closes them, under whatever name', async () => {
    const link = join(folder, 'link');
    symlinkSync(file, link);
    const results = open();

    const refused = await Promise.all([file, link].map((path) => failureOf(() => open(path))));
    results.close();

    for (const error of refused)
      expect(error).toMatchObject({
        exitCode: 1,
        code: 'already_running',
        message: `another run holds the lock ${file}.lock`,
      });
    open(link).close();
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it.each([
    ['something else', 'my own notes\n'],
    ['the beginning of a line of results', '{"contentId":"a"'],
    ['an outcome that there is none of', `${HEADER}\n{"contentId":"a","outcome":"eaten"}\n`],
    ['a line without a content', `${HEADER}\n{"outcome":"restored"}\n`],
    ['an empty line', `${HEADER}\n\n${RESTORED}\n`],
    ['the results of another tenant', `${HEADER.replace('tenant-1', 'tenant-2')}\n${RESTORED}\n`],
  ])('refuse a file with %s, and change nothing', async (_, text) => {
    writeFileSync(file, text);

    const { exitCode, message, advice } = await failureOf(open);

    expect(exitCode).toBe(2);
    expect(message).toMatch(/^results: found no results? (of this run in|in line 2 of) /);
    expect(advice).toContain('even contents that may have been restored');
    expect(textOf()).toBe(text);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('say which first line takes over those of another address of the restore API', async () => {
    writeFileSync(file, `${HEADER.replace('restore', 'other')}\n${RESTORED}\n`);

    const { advice } = await failureOf(open);
    const [, header] = /replace the first line with: (.*)$/.exec(advice!)!;
    writeFileSync(file, `${header}\n${RESTORED}\n`);

    expect(open().find('abc')?.outcome).toBe('restored');
  });

  it.each([
    ['nothing', '', undefined],
    ['a truncated first line', HEADER.slice(0, 20), undefined],
    ['a truncated line', `${HEADER}\n${RESTORED}\n{"contentId":"d`, 'restored'],
    ['a complete last line without a break, as an editor leaves it', `${HEADER}\n${RESTORED}`, 'restored'],
  ])('go on after %s', (_, text, outcome) => {
    writeFileSync(file, text);
    expect(outcomeOf('abc')).toBe(outcome);

    const results = open();
    results.begin({ ...ITEM, contentId: 'new' });
    results.close();

    expect(outcomeOf('abc')).toBe(outcome);
    expect(outcomeOf('new')).toBe('outcome_unknown');
  });

  it('are of a content in either case of its id', () => {
    const results = open();
    results.begin(ITEM);

    expect(results.find('ABC')).toMatchObject({ contentId: 'abc', outcome: 'outcome_unknown' });
  });

  it('let no request begin whose note is not on disk', () => {
    jest.spyOn(fs, 'fdatasyncSync').mockImplementationOnce(() => {
      throw Object.assign(new Error('broken'), { code: 'EIO' });
    });

    const results = open();
    expect(() => results.begin(ITEM)).toThrow('the results cannot be read or written (EIO)');
    expect(() => results.begin({ ...ITEM, contentId: 'def' })).toThrow('(EIO)');
  });

  it('keep an unknown outcome until an answer settles it', () => {
    const results = open();
    const outcomeAfter = (outcome: FailureCode) => {
      results.begin(ITEM);
      results.record(ITEM, failure(outcome));
      return outcomeOf('abc');
    };

    expect(outcomeAfter('too_many_requests')).toBe('too_many_requests');
    expect(outcomeAfter('outcome_unknown')).toBe('outcome_unknown');
    expect(outcomeAfter('too_many_requests')).toBe('outcome_unknown');
    results.close();

    const next = open();
    next.begin(ITEM);
    next.record(ITEM, failure('api_unreachable'));
    expect(outcomeOf('abc')).toBe('outcome_unknown');
    next.record(ITEM, failure('not_archived'));
    expect(outcomeOf('abc')).toBe('not_archived');
  });
});
