import { type PolicyStatement } from '../../../local/account';
import { writeFunctionLogs } from '../../../local/aws/logs-service';
import { type AccessKey } from '../../../local/iam/access-keys';
import { ACCOUNT_ID, LocalAws } from './local-account';
import { signedFetch } from './signed-fetch';

const GROUP = '/aws/lambda/refresh';
const STREAMS = `arn:aws:logs:eu-west-1:${ACCOUNT_ID}:log-group:${GROUP}:*`;

interface Answer {
  __type?: string;
  events?: { message: string }[];
  logGroups?: object[];
  nextToken?: string;
}

describe('CloudWatch Logs', () => {
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
  const allow = (Action: string[], Resource = STREAMS): PolicyStatement => ({
    Effect: 'Allow',
    Action,
    Resource,
  });

  describe('writeFunctionLogs', () => {
    const events = [{ timestampMs: 1, message: 'started' }];

    it('writes with the permissions of the role', () => {
      const { principal } = aws.roleKey(allow(['logs:CreateLogStream', 'logs:PutLogEvents']));

      writeFunctionLogs(aws.account, principal, GROUP, events);

      expect(aws.account.logGroups.get(GROUP)?.events).toEqual(events);
    });

    it.each([
      ['logs:CreateLogStream', ['logs:PutLogEvents']],
      ['logs:PutLogEvents', ['logs:CreateLogStream']],
    ])('writes nothing without %s', (missing, given) => {
      const { principal } = aws.roleKey(allow(given));

      expect(() => writeFunctionLogs(aws.account, principal, GROUP, events)).toThrow(
        `perform: ${missing} on resource: ${STREAMS.slice(0, -1)}log-stream:`,
      );
      expect(aws.account.logGroups.get(GROUP)?.events).toEqual([]);
    });

    it('rejects an unknown group', () => {
      expect(() => writeFunctionLogs(aws.account, aws.administrator.principal, '/x', events)).toThrow(
        'does not exist',
      );
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

    it('pages', async () => {
      const first = await call('FilterLogEvents', { logGroupName: GROUP, limit: 2 });

      expect(await messages({ limit: 2, nextToken: first.body.nextToken })).toEqual(['late error']);
    });

    it('rejects an unsupported pattern, and a role without permissions', async () => {
      const input = { logGroupName: GROUP };

      const unknown = await call('FilterLogEvents', { ...input, filterPattern: '{ $.a = 1 }' });
      const denied = await call('FilterLogEvents', input, aws.roleKey());

      expect([unknown.status, unknown.body.__type]).toEqual([400, 'InvalidParameterException']);
      expect(denied.body.__type).toBe('AccessDeniedException');
    });
  });

  it('DescribeLogGroups returns groups by name prefix', async () => {
    aws.account.logGroups.set('/other', { arn: '', name: '/other', events: [] });

    const { body } = await call('DescribeLogGroups', { logGroupNamePrefix: '/aws/' });

    expect(body.logGroups).toEqual([
      { logGroupName: GROUP, arn: STREAMS, logGroupArn: STREAMS.slice(0, -2) },
    ]);
  });
});
