import { ArnFormat, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as logs from 'aws-cdk-lib/aws-logs';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { type Construct } from 'constructs';

import { acknowledge } from './acknowledge';
import { outermostStack } from './outermost-stack';

export function createLogGroup(
  scope: Construct,
  id: string,
  props: logs.LogGroupProps & { readonly encryptionKey: kms.IKey | undefined },
): logs.LogGroup {
  const logGroup = new logs.LogGroup(scope, id, props);
  if (props.encryptionKey === undefined) {
    acknowledge(
      logGroup.node.defaultChild,
      ['NIST.800.53.R5-CloudWatchLogGroupEncrypted'],
      'CloudWatch Logs encrypts it with a key of its own, and no line contains a secret; logsKmsKeyArn chooses another.',
    );
  }
  return logGroup;
}

/**
 * Lets CloudWatch Logs use a key for the log groups of a stack.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html
 */
export function logsStatement(scope: Construct): iam.PolicyStatement {
  const { region, urlSuffix } = Stack.of(scope);
  // Names in a nested stack start with it, too. With the nested stack's own name, that stack and its key would need each other.
  const { stackName } = outermostStack(scope);
  const domain = RegionInfo.get(region).domainSuffix ?? urlSuffix;
  const logGroups = Stack.of(scope).formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: `${stackName}-*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  return new iam.PolicyStatement({
    principals: [new iam.ServicePrincipal(`logs.${region}.${domain}`)],
    actions: ['kms:Encrypt*', 'kms:Decrypt*', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:Describe*'],
    resources: ['*'],
    conditions: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': logGroups } },
  });
}
