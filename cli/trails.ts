import { type LambdaClient } from '@aws-sdk/client-lambda';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

/** The service whose calls the trail must record. */
const SOURCE = 'secretsmanager.amazonaws.com';

/** Calls CloudTrail. @throws {Error} with the name of AWS's exception */
export type AskCloudTrail = (operation: string, input: object) => Promise<object>;

interface FieldSelector {
  Field?: string;
  Equals?: string[];
  NotEquals?: string[];
}

/** How a trail chooses events, basic or advanced. */
interface EventSelectors {
  EventSelectors?: { IncludeManagementEvents?: boolean; ReadWriteType?: string }[];
  AdvancedEventSelectors?: { FieldSelectors?: FieldSelector[] }[];
}

/**
 * The name of a trail that records who changes secrets in an AWS region, so that EventBridge sends events of it; undefined if
 * there is none.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-service-event-cloudtrail.html
 */
export async function recordingTrail(ask: AskCloudTrail): Promise<string | undefined> {
  const { trailList = [] } = (await ask('DescribeTrails', {})) as {
    trailList?: { Name?: string; TrailARN?: string }[];
  };
  for (const { Name, TrailARN } of trailList) {
    const { IsLogging } = (await ask('GetTrailStatus', { Name: TrailARN })) as { IsLogging?: boolean };
    if (IsLogging !== true) continue;
    if (recordsWrites(await ask('GetEventSelectors', { TrailName: TrailARN }))) return Name;
  }
  return undefined;
}

/** @see https://docs.aws.amazon.com/awscloudtrail/latest/APIReference/API_AdvancedFieldSelector.html */
function recordsWrites({ EventSelectors: basic = [], AdvancedEventSelectors = [] }: EventSelectors): boolean {
  const hasBasic = basic.some(
    ({ IncludeManagementEvents = true, ReadWriteType }) =>
      IncludeManagementEvents && ReadWriteType !== 'ReadOnly',
  );
  const accepts = (fields: FieldSelector[], field: string, value: string) =>
    fields
      .filter(({ Field }) => Field === field)
      .every(
        ({ Equals, NotEquals }) =>
          (Equals?.includes(value) ?? true) && !(NotEquals?.includes(value) ?? false),
      );
  return (
    hasBasic ||
    AdvancedEventSelectors.some(
      ({ FieldSelectors = [] }) =>
        accepts(FieldSelectors, 'eventCategory', 'Management') &&
        accepts(FieldSelectors, 'readOnly', 'false') &&
        accepts(FieldSelectors, 'eventSource', SOURCE),
    )
  );
}

interface SignedRequests {
  handle(request: object): Promise<{ response: { statusCode: number; body: AsyncIterable<Uint8Array> } }>;
}

/**
 * Calls CloudTrail with the identity, region and connections of another client: for three calls, the SDK's own client is not
 * worth one more package.
 * @param endpoint in place of AWS's
 */
export function cloudTrailOf({ config }: Pick<LambdaClient, 'config'>, endpoint?: string): AskCloudTrail {
  return async (operation, input) => {
    const region = await config.region();
    const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
    const { protocol, hostname, port, host } = new URL(endpoint ?? `https://cloudtrail.${region}.${suffix}`);
    const { credentials } = config;
    const signer = new SignatureV4({ service: 'cloudtrail', region, credentials, sha256: Sha256 });
    const signed = await signer.sign(
      {
        method: 'POST',
        protocol,
        hostname,
        ...(port !== '' && { port: Number(port) }),
        path: '/',
        headers: {
          host,
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `CloudTrail_20131101.${operation}`,
        },
        body: JSON.stringify(input),
      },
      { signingDate: new Date(Date.now() + config.systemClockOffset) },
    );
    // The clients here have the SDK's own handler, whose answers have this form.
    const { response } = await (config.requestHandler as unknown as SignedRequests).handle(signed);
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const answer = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      __type?: string;
      message?: string;
    };
    if (response.statusCode === 200) return answer;
    const { __type: type = 'UnknownError', message = '' } = answer;
    throw Object.assign(new Error(message), { name: type.split('#').at(-1)! });
  };
}
