import * as iam from 'aws-cdk-lib/aws-iam';

/** Grants what a statement allows, so that the grants of several can be combined. */
export function grantStatement(grantee: iam.IGrantable, statement: iam.PolicyStatement): iam.Grant {
  return iam.Grant.addToPrincipal({
    grantee,
    actions: statement.actions,
    resourceArns: statement.resources,
    conditions: statement.conditions as Record<string, Record<string, unknown>>,
  });
}

export function grantInvoke(grantee: iam.IGrantable, functionArn: string): iam.Grant {
  return iam.Grant.addToPrincipal({
    grantee,
    actions: ['lambda:InvokeFunction'],
    resourceArns: [functionArn],
  });
}
