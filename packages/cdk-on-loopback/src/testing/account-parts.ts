import { type Account, type LambdaFunction, type PolicyDocument, type PolicyStatement } from '../account';

/** A function with defaults for everything but `part`. */
export function lambdaFunction(name: string, part: Partial<LambdaFunction> = {}): LambdaFunction {
  return {
    arn: `arn:aws:lambda:eu-west-1:111111111111:function:${name}`,
    name,
    roleArn: 'arn:aws:iam::111111111111:role/caller',
    codeDir: '/code',
    handler: 'index.handler',
    timeoutSec: 30,
    memoryMb: 128,
    environment: {},
    logGroupName: `/aws/lambda/${name}`,
    resourcePolicy: { Statement: [] },
    asyncInvoke: { maximumRetryAttempts: 0, maximumEventAgeSec: 300 },
    ...part,
  };
}

/** A trust policy for one service. */
export function trustIn(Service: string): PolicyDocument {
  return { Statement: { Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' } };
}

/**
 * Adds or replaces a role with one inline policy. @returns its ARN
 * @param assumeRolePolicy @default nobody may assume it
 */
export function addRole(
  { roles }: Account,
  name: string,
  statements: PolicyStatement[],
  assumeRolePolicy: PolicyDocument = { Statement: [] },
  accountId = '111111111111',
): string {
  const arn = `arn:aws:iam::${accountId}:role/${name}`;
  const inlinePolicies = [
    { name: 'inline', document: { Version: '2012-10-17' as const, Statement: statements } },
  ];
  roles.set(arn, { arn, name, assumeRolePolicy, inlinePolicies, managedPolicyArns: [] });
  return arn;
}
