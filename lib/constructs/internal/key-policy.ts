import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { type IConstruct } from 'constructs';

import { viaService } from './key-statement';
import { sayInfo } from './say-info';

/**
 * Gives the policy of a key what its use takes. The policy of an imported key does not change, so the synthesis says what its
 * owner must add.
 * @param setting for messages, such as `logsKmsKeyArn`
 */
export function requireInKeyPolicy(
  scope: IConstruct,
  setting: string,
  key: kms.IKey,
  statements: readonly iam.PolicyStatement[],
): void {
  const missing = statements.filter((statement) => !key.addToResourcePolicy(statement).statementAdded);
  if (missing.length > 0) sayInKeyPolicy(scope, setting, 'the', missing);
}

/** Makes the synthesis say what the policy of a key must have. @param whose `the`, or under which condition */
export function sayInKeyPolicy(
  scope: IConstruct,
  setting: string,
  whose: string,
  missing: readonly iam.PolicyStatement[],
): void {
  const written = missing.map((statement) => JSON.stringify(asWritten(scope, statement)));
  sayInfo(scope, `latchkey:${setting}`, `${setting}: ${whose} key’s policy must have ${written.join(', ')}`);
}

/**
 * Lets IAM policies of the deployment's account decide who uses a key through a service. The usual policy of a key in that
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

/** The statement as people write it: what only the deployment knows is `${AWS::AccountId}`. */
function asWritten(scope: IConstruct, statement: iam.PolicyStatement): unknown {
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
