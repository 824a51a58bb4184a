import { ArnFormat, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import { type Construct } from 'constructs';

import { parameterName } from '../../contract/parameter-names';
import { restorePathPattern } from '../../contract/restore-operation';
import { tokenKeyOf } from '../../contract/token-key';
import { type DeploymentConfiguration } from '../config/schema';
import { Latchkey } from '../constructs/latchkey';
import { TokenSecret } from '../constructs/tokens/token-secret';

export interface RunRolesStackProps extends StackProps {
  readonly prefix: string;
  readonly deployment: DeploymentConfiguration;
}

/**
 * The roles in which a run of `latchkey prove` acts: an operator's, and that of a service. Principals of the account may
 * assume them as far as their own policies allow. By parameters, and not by references to the deployment's stack, so that
 * CloudFormation never refuses a change of that stack.
 */
export class RunRolesStack extends Stack {
  constructor(scope: Construct, id: string, { prefix, deployment, ...props }: RunRolesStackProps) {
    super(scope, id, props);
    const { environment, platformRegion } = deployment;
    const latchkey = Latchkey.fromLookup(this, 'Latchkey', { environment, platformRegion, prefix });
    const assumedBy = new iam.AccountRootPrincipal();

    const policyArn = ssm.StringParameter.valueForStringParameter(
      this,
      parameterName(prefix, latchkey, 'operator-policy-arn'),
    );
    const operator = new iam.Role(this, 'Operator', {
      assumedBy,
      managedPolicies: [iam.ManagedPolicy.fromManagedPolicyArn(this, 'OperatorPolicy', policyArn)],
    });

    const service = new iam.Role(this, 'Service', { assumedBy });
    for (const { tenantId, tokens } of deployment.tenants) {
      for (const token of tokens) {
        const key = tokenKeyOf({ environment, platformRegion, tenantId }, token);
        TokenSecret.fromKey(this, key, { prefix }).grantReadToken(service);
      }
    }
    latchkey.grantEnsureFresh(service);
    iam.Grant.addToPrincipal({
      grantee: service,
      actions: ['execute-api:Invoke'],
      // Any API of the account that has this route: the id of ours is known in its own stack only.
      resourceArns: [
        this.formatArn({
          service: 'execute-api',
          resource: '*',
          resourceName: `*/POST${restorePathPattern('*')}`,
          arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
        }),
      ],
    });

    new CfnOutput(this, 'OperatorRoleArn', { value: operator.roleArn });
    new CfnOutput(this, 'ServiceRoleArn', { value: service.roleArn });
  }
}
