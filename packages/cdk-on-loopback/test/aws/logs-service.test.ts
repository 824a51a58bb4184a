import { writeLogEvents } from '../../src/aws/logs-service';
import { type AccessKey } from '../../src/iam/access-keys';
import { ACCOUNT_ID, LocalAws } from '../../src/testing/local-aws';
import { signedFetch } from '../../src/testing/signed-fetch';
import { allow } from '../support/policies';

const GROUP = '/aws/lambda/refresh';
const STREAMS = `arn:aws:logs:eu-west-1:${ACCOUNT_ID}:log-group:${GROUP}:*`;

/** Patterns that AWS reads in ways that the local endpoint does not imitate. */
const UNSUPPORTED = [
  '{ $.a = 1 }',
  '{ $.a = "x*" }',
  '{ $.a = "x" || $.b = "y" }',
  '{ $.a != "x" }',
  '{ $.a.b = "x" }',
  '{ $.a = x }',
  '{ $.a = "x\\"y" }',
  '{ $.a = "x" && }',
  '{ ($.a = "x" }',
  '[a, b]',
  'two words',
];

interface Answer {
  __type?: string;
  events?: { message: string }[];
  logGroups?: object[];
  nextToken?: string;
}

let aws: LocalAws;

beforeEach(async () => {
  aws = new LocalAws();
  aws.account.logGroups.set(GROUP, { arn: STREAMS, name: GROUP, events: [] });
  await aws.start();
});
afterEach(() => aws.stop());

async function call(operation: string, input: object, key: AccessKey = aws.administrator) {
  const answer = await signedFetch(aws.url, key, 'logs', {
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `Logs_20140328.${operation}` },
    body: JSON.stringify(input),
  });
  return { status: answer.status, body: (await answer.json()) as Answer };
}

describe('writeLogEvents', () => {
  const events = [{ timestampMs: 1, message: 'started' }];

  it('writes with the permissions of the role', () => {
    const { principal } = aws.roleKey(allow(['logs:CreateLogStream', 'logs:PutLogEvents'], STREAMS));

    writeLogEvents(aws.account, principal, GROUP, events);

    expect(aws.account.logGroups.get(GROUP)?.events).toEqual(events);
  });

  it.each([
    ['logs:CreateLogStream', ['logs:PutLogEvents']],
    ['logs:PutLogEvents', ['logs:CreateLogStream']],
  ])('writes nothing without %s', (missing, given) => {
    const { principal } = aws.roleKey(allow(given, STREAMS));

    expect(() => writeLogEvents(aws.account, principal, GROUP, events)).toThrow(
      `perform: ${missing} on resource: ${STREAMS.slice(0, -1)}log-stream:`,
    );
    expect(aws.account.logGroups.get(GROUP)?.events).toEqual([]);
  });

  it('creates the group with the first line, if the role may', () => {
    const { principal } = aws.roleKey(allow(['logs:CreateLogStream', 'logs:PutLogEvents']));

    expect(() => writeLogEvents(aws.account, principal, '/x', events)).toThrow(
      'perform: logs:CreateLogGroup',
    );
    writeLogEvents(aws.account, aws.administrator.principal, '/x', events);

    expect(aws.account.logGroups.get('/x')?.events).toEqual(events);
  });
});

describe('FilterLogEvents', () => {
  beforeEach(() => {
    aws.account.logGroups
      .get(GROUP)
      ?.events.push(
        { timestampMs: 3_000, message: 'late error' },
        { timestampMs: 1_000, message: 'an error' },
        { timestampMs: 2_000, message: 'fine' },
      );
  });
  const messages = async (input: object) => {
    const { body } = await call('FilterLogEvents', { logGroupName: GROUP, ...input });
    return body.events?.map(({ message }) => message);
  };

  it.each<[string, object, string[]]>([
    ['all in order of time', {}, ['an error', 'fine', 'late error']],
    ['from a time to a time', { startTime: 1_000, endTime: 2_000 }, ['an error', 'fine']],
    ['a word', { filterPattern: 'error' }, ['an error', 'late error']],
    ['a text in quotes', { filterPattern: '"an error"' }, ['an error']],
    [
      'by ARN of the group',
      { logGroupName: undefined, logGroupIdentifier: STREAMS.slice(0, -2) },
      ['an error', 'fine', 'late error'],
    ],
  ])('returns %s', async (_, input, expected) => {
    expect(await messages(input)).toEqual(expected);
  });

  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/matching-terms-json-log-events.html
  it.each<[string, string[]]>([
    ['{ $.code = "restored" }', ['1', '3']],
    ['{($.code="restored")&&($.tenantId="a")}', ['1']],
    ['{ ($.tenantId = "a") && ($.code = "not_archived") }', ['2']],
    ['{ $.tenantId = "A" }', []],
    ['{ $.tenantId = "" }', []],
    ['{ $.status = "200" }', []],
  ])('returns JSON lines whose fields match %s', async (filterPattern, expected) => {
    const lines = [
      { id: '1', tenantId: 'a', code: 'restored', status: 200 },
      { id: '2', tenantId: 'a', code: 'not_archived' },
      { id: '3', tenantId: 'b', code: 'restored' },
    ];
    aws.account.logGroups
      .get(GROUP)
      ?.events.push(...lines.map((line, n) => ({ timestampMs: 4_000 + n, message: JSON.stringify(line) })));

    const found = await messages({ filterPattern });

    expect(found?.map((message) => (JSON.parse(message) as { id: string }).id)).toEqual(expected);
  });

  it('pages', async () => {
    const first = await call('FilterLogEvents', { logGroupName: GROUP, limit: 2 });

    expect(await messages({ limit: 2, nextToken: first.body.nextToken })).toEqual(['late error']);
  });

  it('rejects an unsupported pattern, and a role without permissions', async () => {
    const input = { logGroupName: GROUP };

    for (const filterPattern of UNSUPPORTED) {
      const unknown = await call('FilterLogEvents', { ...input, filterPattern });
      expect([unknown.status, unknown.body.__type]).toEqual([400, 'InvalidParameterException']);
    }
    const denied = await call('FilterLogEvents', input, aws.roleKey());

    expect(denied.body.__type).toBe('AccessDeniedException');
  });
});

it('DescribeLogGroups returns groups by name prefix', async () => {
  aws.account.logGroups.set('/other', { arn: '', name: '/other', events: [] });

  const { body } = await call('DescribeLogGroups', { logGroupNamePrefix: '/aws/' });

  expect(body.logGroups).toEqual([{ logGroupName: GROUP, arn: STREAMS, logGroupArn: STREAMS.slice(0, -2) }]);
});
