import { type RestApi } from './rest-api';
import { type System } from './system';
import { tagsOf } from './templates';

/** AWS WAF takes up to some minutes until a new web ACL counts, and half a minute until it blocks. */
const BLOCKED_SEC = 300;
/** More than its limit. */
const REQUESTS = 20;

/** Method settings under which every burst exceeds the stage's limit, so that few requests reach the function. */
export const LIMITS = [
  { ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 },
];

const visibility = (name: string) => ({
  ...{ CloudWatchMetricsEnabled: false, SampledRequestsEnabled: false, MetricName: name },
});

/** A web ACL that blocks an address after ten requests in a minute. */
export const webAcl = (system: System, name: string) => ({
  Type: 'AWS::WAFv2::WebACL',
  Properties: {
    ...{ Name: `${system.prefix}-${name}`, Scope: 'REGIONAL', DefaultAction: { Allow: {} } },
    Rules: [
      {
        ...{ Name: 'rate', Priority: 0, Action: { Block: {} }, VisibilityConfig: visibility('rate') },
        Statement: {
          RateBasedStatement: { AggregateKeyType: 'IP', Limit: 10, EvaluationWindowSec: 60 },
        },
      },
    ],
    VisibilityConfig: visibility(name),
    Tags: tagsOf(system),
  },
});

/** Has a web ACL of the same stack check its stage. */
export const association = (webAclId: string) => ({
  Type: 'AWS::WAFv2::WebACLAssociation',
  Properties: {
    ResourceArn: {
      'Fn::Sub': 'arn:${AWS::Partition}:apigateway:${AWS::Region}::/restapis/${Api}/stages/${Stage}',
    },
    WebACLArn: { 'Fn::GetAtt': [webAclId, 'Arn'] },
  },
});

/**
 * Sends bursts of requests until a web ACL blocks one as a whole.
 * @returns the types of the answers of the last burst with a blocked request; none if nothing was blocked in five minutes
 */
export async function blockedBy(system: System, api: RestApi): Promise<readonly string[]> {
  let last: readonly string[] = [];
  await system.time.until(
    async () => {
      const answers = await api.burst(REQUESTS, '/one');
      const types = new Set(answers.slice(REQUESTS / 2).map(({ type = 'passed' }) => type));
      if (types.has('WAF_FILTERED')) last = [...types];
      return last.length === 1 ? last : undefined;
    },
    { withinSec: BLOCKED_SEC, everySec: 20 },
  );
  return last;
}
