import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { type IConstruct } from 'constructs';

import { viaService } from './key-statement';
import { sayInfo } from './say-info';

/**
 * Adds statements to the policy of a key. The policy of an imported key cannot change, so the synthesis says what its owner
 * must add.
 * @param setting for messages, such as `logsKmsKeyArn`
 */
export function requireInKeyPolicy(
  scope: IConstruct,
  setting: string,
  key: kms.IKey,
  statements: readonly iam.PolicyStatement[],
): void {
  const missing = statements.filter((statement) => !key.addToResourcePolicy(statement).statementAdded);
  if (missing.length > 0) sayMissingInKeyPolicy(scope, setting, 'the key’s policy', missing);
}

/** Makes the synthesis say which statements the policy of a key must have. @param policy names the policy in the message */
export function sayMissingInKeyPolicy(
  scope: IConstruct,
  setting: string,
  policy: string,
  missing: readonly iam.PolicyStatement[],
): void {
  const statements = missing.map((statement) => JSON.stringify(readableStatement(scope, statement)));
  sayInfo(scope, `latchkey:${setting}`, `${setting}: ${policy} must have ${statements.join(', ')}`);
}

/**
 * Lets IAM policies of the deployment's account decide who uses a key through a service. The default policy of a key in that
 * account allows it already.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
 */
export function accountStatement(scope: IConstruct, service: 'sns' | 'sqs'): iam.PolicyStatement {
  return new iam.PolicyStatement({
    principals: [new iam.AccountPrincipal(Stack.of(scope).account)],
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    resources: ['*'],
    conditions: { StringEquals: { 'kms:ViaService': viaService(scope, service) } },
  });
}

/** The statement for a person to copy: values that only the deployment knows are placeholders such as `${AWS::AccountId}`. */
function readableStatement(scope: IConstruct, statement: iam.PolicyStatement): unknown {
  const { partition, domainSuffix } = RegionInfo.get(Stack.of(scope).region);
  const known: Record<string, string | undefined> = {
    'AWS::Partition': partition,
    'AWS::URLSuffix': domainSuffix,
  };
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    if ('Ref' in value) return known[String(value.Ref)] ?? `\${${String(value.Ref)}}`;
    if ('Fn::Join' in value) {
      const [separator, parts] = value['Fn::Join'] as [string, unknown[]];
      return parts.map(plain).join(separator);
    }
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
  };
  return plain(Stack.of(scope).resolve(statement.toStatementJson()));
}
