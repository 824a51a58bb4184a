import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { type Construct } from 'constructs';

import { acknowledge } from '../internal/acknowledge';

/**
 * A web ACL that blocks an IP address while more requests than `limit` came from it in the last five minutes, WAF's usual
 * window. It samples no requests: a sample shows the headers of requests, with credentials, to everybody who may read samples.
 * @param metricName of its CloudWatch metrics
 * @returns its ARN
 * @see https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based.html
 * @see https://docs.aws.amazon.com/waf/latest/APIReference/API_GetSampledRequests.html
 */
export function createRateWebAcl(scope: Construct, metricName: string, limit: number): string {
  const visibilityConfig = { cloudWatchMetricsEnabled: true, metricName, sampledRequestsEnabled: false };
  const webAcl = new wafv2.CfnWebACL(scope, 'RateRule', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig,
    rules: [
      {
        name: 'rate-per-ip',
        priority: 0,
        action: { block: {} },
        statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit } },
        visibilityConfig: { ...visibilityConfig, metricName: `${metricName}-rate-per-ip` },
      },
    ],
  });
  acknowledge(
    webAcl,
    ['NIST.800.53.R5-WAFv2LoggingEnabled'],
    'Its log would have every caller’s credentials in the Authorization header; the access log says which requests it blocked.',
  );
  return webAcl.attrArn;
}
