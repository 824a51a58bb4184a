import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  type FilterLogEventsCommandInput,
} from '@aws-sdk/client-cloudwatch-logs';
import { mockClient } from 'aws-sdk-client-mock';

import { restoreHistory } from '../../../cli/restore/history-command';
import { type HistoryEntry } from '../../../cli/restore/read-history';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { InMemoryLogs } from '../support/in-memory-logs';
import { LOG_GROUP, OperatedSystem } from '../support/operated-system';

const HOUR_MS = 3_600_000;
const CONTENT = '64b7f0c2a1b2c3d4e5f60718';

let system: OperatedSystem;
let logs: InMemoryLogs;
const client = mockClient(CloudWatchLogsClient);
beforeEach(() => {
  system = new OperatedSystem();
  logs = new InMemoryLogs();
  client.on(FilterLogEventsCommand).callsFake((input: FilterLogEventsCommandInput) => logs.send({ input }));
});
afterAll(() => client.restore());

/** Logs a restore some hours ago, by default an author’s with the tenant’s API key. */
function logged(hoursAgo: number, change: object = {}): void {
  const line = {
    message: 'restore answered',
    tenantId: 'tenant-1',
    contentId: CONTENT,
    authorRef: 'author-1',
    code: 'restored',
    status: 200,
    apiRequestId: 'request-1',
    scheme: 'basic',
    caller: 'api-key',
    callerVersion: 'current',
    callerVersionId: 'v1',
    ...change,
  };
  logs.events.push({ timestamp: NOON_MS - hoursAgo * HOUR_MS, message: JSON.stringify(line) });
}

type HistoryFlags = Parameters<typeof restoreHistory>[1];
const run = (flags: HistoryFlags = {}) => system.run(restoreHistory, flags);
const shownBy = async (flags: HistoryFlags) => {
  const { document } = await run(flags);
  return (document as { restores: HistoryEntry[] }).restores.map(({ apiRequestId }) => apiRequestId);
};

describe('the history', () => {
  it('shows who restored what, the latest first', async () => {
    const ofTeam = { authorRef: undefined, collaborationId: 'team-7' };
    const ofNobody = { contentId: undefined, authorRef: undefined, scheme: undefined, caller: undefined };
    const role = 'arn:aws:sts::111122223333:assumed-role/Service/s';
    logged(3);
    const token = { scheme: 'bearer', caller: 'content api/write', callerVersion: 'previous' };
    logged(2, { ...token, code: 'not_archived', ...ofTeam });
    logged(1, { scheme: 'iam', caller: role, callerVersion: undefined, collaborationId: 'team-7' });
    logged(0.5, { ...ofNobody, code: 'malformed_json' });

    const { text, exitCode } = await run();

    expect(exitCode).toBe(0);
    expect(text.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['time', 'content', 'outcome', 'caller', 'acting user'],
      ['2026-01-31T11:30:00Z', '–', 'malformed_json', 'unknown', '–'],
      ['2026-01-31T11:00:00Z', CONTENT, 'restored', role, 'author-1 for team-7'],
      ['2026-01-31T10:00:00Z', CONTENT, 'not_archived', 'token content api/write, previous', 'for team-7'],
      ['2026-01-31T09:00:00Z', CONTENT, 'restored', 'API key', 'author-1'],
    ]);
  });

  it('is one document with the fields of the line that callers know', async () => {
    logged(1, { traceId: 'trace-1', durationMs: 7, reason: 'not for this document' });

    const { document } = await run();

    expect(document).toMatchObject({ tenantId: 'tenant-1', since: '2026-01-30T12:00:00.000Z', found: 1 });
    const [entry] = (document as { restores: HistoryEntry[] }).restores;
    expect(entry).toMatchObject({
      time: '2026-01-31T11:00:00.000Z',
      contentId: CONTENT,
      status: 200,
      callerVersionId: 'v1',
      apiRequestId: 'request-1',
      traceId: 'trace-1',
    });
    expect(entry).not.toHaveProperty('reason');
  });

  it('has only requests of the tenant, and no other lines', async () => {
    logged(1, { tenantId: 'tenant-2' });
    logged(1, { message: 'something else' });
    logs.events.push({ timestamp: NOON_MS, message: 'START tenant-1 restore answered' });

    expect((await run()).text).toBe('No requests found');
    expect(logs.requests[0]).toMatchObject({
      logGroupName: LOG_GROUP,
      filterPattern: '{ ($.message = "restore answered") && ($.tenantId = "tenant-1") }',
    });
  });

  it.each<[string, HistoryFlags, string[]]>([
    ['a content, in either case', { contentId: CONTENT.toUpperCase() }, ['r4', 'r2']],
    ['an author', { authorRef: 'author-2' }, ['r2']],
    ['a collaboration, whatever its characters mean in a pattern', { collaborationId: 'team-*"' }, ['r3']],
    ['an outcome', { outcome: 'not_archived' }, ['r4', 'r3']],
    ['an author whom the platform did not accept', { authorRef: 'author-9' }, ['r0']],
    ['a trace', { traceId: 'trace-of-r3' }, ['r3']],
    ['several of them', { outcome: 'not_archived', contentId: CONTENT }, ['r4']],
    ['the latest ones', { limit: 2 }, ['r4', 'r3']],
  ])('can be of %s', async (_, flags, expected) => {
    const other = { contentId: 'other', code: 'not_archived' };
    logged(9, { apiRequestId: 'r0', ...other, code: 'invalid', authorRef: 'sha256:bbe5f118c2aead44' });
    logged(4, { apiRequestId: 'r2', authorRef: 'author-2' });
    logged(3, { apiRequestId: 'r3', ...other, collaborationId: 'team-*"', traceId: 'trace-of-r3' });
    logged(2, { apiRequestId: 'r4', collaborationId: 'team-8', code: 'not_archived' });

    expect(await shownBy(flags)).toEqual(expected);
  });

  it.each([
    [undefined, ['h2']],
    ['90m', []],
    ['3h', ['h2']],
    ['2d', ['h2', 'h30']],
    ['2026-01-30', ['h2', 'h30']],
    ['2026-01-31T11:00:00+01:00', ['h2']],
  ])('goes back to --since %s', async (since, expected) => {
    logged(30, { apiRequestId: 'h30' });
    logged(2, { apiRequestId: 'h2' });

    expect(await shownBy({ since })).toEqual(expected);
  });

  it('says that more were found, with a command that shows all of them', async () => {
    for (let n = 0; n < 5; n += 1) logged(n, { authorRef: "o'brien" });
    const flags = { authorRef: "o'brien", since: '2026-01-30T12:00:00.000Z' };

    expect((await run({ ...flags, limit: 2 })).text.split('\n').slice(-2)).toEqual([
      'The latest 2 of 5 are shown. To see all:',
      "  latchkey restore history --author-ref 'o'\\''brien' --since '2026-01-30T12:00:00.000Z' --limit 5 " +
        '--environment staging --platform-region mea --tenant tenant-1 --local',
    ]);
    expect((await run({ ...flags, limit: 5 })).text).not.toContain('latest');
  });

  it('names the saved query if there are more than the command can show', async () => {
    for (let n = 0; n < 10_001; n += 1) logged(1);
    jest.spyOn(logs, 'send').mockImplementation(async () => ({ events: logs.events }));

    const { text } = await run({ limit: 1 });

    expect(text).toMatch(
      /\nThe latest 1 of 10001 are shown\nTo see all, run the saved query latchkey\/staging-mea\/restores in CloudWatch Logs Insights$/,
    );
  });

  it('shows no control characters of a line', async () => {
    logged(1, { authorRef: 'a\u001b[2Jb', caller: 'x\u202ey', scheme: 'bearer' });

    const { text } = await run();

    expect(text).toContain('a [2Jb');
    expect(text).toContain('token x y');
  });
});

it.each([
  ['--author-ref', { authorRef: '' }],
  ['--collaboration-id', { collaborationId: 'té' }],
  ['--since', { since: '24' }],
  ['--since', { since: '2026-13-01' }],
  ['--since', { since: '99999d' }],
  ['--content-id', { contentId: '../x' }],
])('wrong input is refused by name with what is allowed, and calls nothing: %s %j', async (flag, flags) => {
  await expect(run(flags)).rejects.toThrow(new RegExp(`^${flag}: found .*; allowed: `));
  expect(logs.requests).toEqual([]);
});
