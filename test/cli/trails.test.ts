import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

import { LambdaClient } from '@aws-sdk/client-lambda';

import { type AskCloudTrail, cloudTrailOf, recordingTrail } from '../../cli/trails';

const TRAIL_ARN = 'arn:aws:cloudtrail:eu-west-1:111122223333:trail/own';

/** CloudTrail with one trail. */
const trailWith =
  (selectors: object, IsLogging = true): AskCloudTrail =>
  async (operation) =>
    ({
      DescribeTrails: { trailList: [{ Name: 'own', TrailARN: TRAIL_ARN }] },
      GetTrailStatus: { IsLogging },
      GetEventSelectors: selectors,
    })[operation]!;
const basic = (ReadWriteType: string, IncludeManagementEvents = true) => ({
  EventSelectors: [{ ReadWriteType, IncludeManagementEvents }],
});
const advanced = (...FieldSelectors: object[]) => ({ AdvancedEventSelectors: [{ FieldSelectors }] });
const MANAGEMENT = { Field: 'eventCategory', Equals: ['Management'] };

// https://docs.aws.amazon.com/awscloudtrail/latest/userguide/logging-management-events-with-cloudtrail.html
describe('a trail records who changes secrets', () => {
  test.each([
    ['all management events', basic('All')],
    ['those that write', basic('WriteOnly')],
    ['all, by an advanced selector', advanced(MANAGEMENT)],
    [
      'those that write, by an advanced selector',
      advanced(MANAGEMENT, { Field: 'readOnly', Equals: ['false'] }),
    ],
    [
      'all but those of KMS',
      advanced(MANAGEMENT, { Field: 'eventSource', NotEquals: ['kms.amazonaws.com'] }),
    ],
  ])('if it has %s', async (_, selectors) => {
    expect(await recordingTrail(trailWith(selectors))).toBe('own');
  });

  test.each([
    ['has those that read alone', trailWith(basic('ReadOnly'))],
    ['has data events alone', trailWith(basic('All', false))],
    [
      'has data events alone, by an advanced selector',
      trailWith(advanced({ Field: 'eventCategory', Equals: ['Data'] })),
    ],
    [
      'has those that read alone, by an advanced selector',
      trailWith(advanced(MANAGEMENT, { Field: 'readOnly', Equals: ['true'] })),
    ],
    [
      'leaves out Secrets Manager',
      trailWith(advanced(MANAGEMENT, { Field: 'eventSource', NotEquals: ['secretsmanager.amazonaws.com'] })),
    ],
    ['is stopped', trailWith(basic('All'), false)],
    ['does not exist', async () => ({ trailList: [] })],
  ] as [string, AskCloudTrail][])('but not if it %s', async (_, ask) => {
    expect(await recordingTrail(ask)).toBeUndefined();
  });
});

describe('a call of CloudTrail', () => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  let answer: { status: number; body: object };
  let server: Server;
  beforeAll((done) => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        response.writeHead(answer.status).end(JSON.stringify(answer.body));
      });
    }).listen(0, '127.0.0.1', done);
  });
  afterAll((done) => {
    server.close(done);
    server.closeAllConnections();
  });
  const ask = () => {
    const { port } = server.address() as AddressInfo;
    const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'canary' };
    const client = new LambdaClient({ region: 'eu-west-1', credentials });
    return cloudTrailOf(client, `http://127.0.0.1:${port}`);
  };

  test('is signed for its service and region, and returns the answer', async () => {
    answer = { status: 200, body: { IsLogging: true } };

    expect(await ask()('GetTrailStatus', { Name: TRAIL_ARN })).toEqual({ IsLogging: true });

    const { headers, body } = received.at(-1)!;
    expect(headers['x-amz-target']).toBe('CloudTrail_20131101.GetTrailStatus');
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-west-1\/cloudtrail\/aws4_request, /,
    );
    expect(JSON.parse(body)).toEqual({ Name: TRAIL_ARN });
  });

  test('fails with the name of AWS’s exception', async () => {
    answer = { status: 400, body: { __type: 'com.amazonaws#AccessDeniedException', message: 'no' } };

    await expect(ask()('DescribeTrails', {})).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});
