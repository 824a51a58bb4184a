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
  const received: { headers: Record<string, string>; body: string }[] = [];
  /** A client of another service whose calls get this answer. */
  const asking = (statusCode: number, answer: object) => {
    const handle = async (request: (typeof received)[0]) => {
      received.push(request);
      return { response: { statusCode, body: [Buffer.from(JSON.stringify(answer))] } };
    };
    const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'canary' };
    const config = { region: 'eu-west-1', credentials, requestHandler: { handle } as never };
    return cloudTrailOf(new LambdaClient(config), 'http://127.0.0.1:1');
  };

  test('is signed for its service and region, and returns the answer', async () => {
    const answer = await asking(200, { IsLogging: true })('GetTrailStatus', { Name: TRAIL_ARN });

    expect(answer).toEqual({ IsLogging: true });
    const { headers, body } = received.at(-1)!;
    expect(headers['x-amz-target']).toBe('CloudTrail_20131101.GetTrailStatus');
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-west-1\/cloudtrail\/aws4_request, /,
    );
    expect(JSON.parse(body)).toEqual({ Name: TRAIL_ARN });
  });

  test('fails with the name of AWS’s exception', async () => {
    const denial = { __type: 'com.amazonaws#AccessDeniedException', message: 'no' };

    const asked = asking(400, denial)('DescribeTrails', {});

    await expect(asked).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});
