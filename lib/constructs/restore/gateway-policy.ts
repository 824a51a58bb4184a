import * as iam from 'aws-cdk-lib/aws-iam';

import { type RestoreAuth } from '../../../contract/restore-operation';

/**
 * Who may reach the API at all. TLS only, and only through the interface endpoints where there are any.
 * In iam mode nothing is allowed here: an `Allow *` would let every principal of the account in.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-resource-policies-examples.html
 */
export function gatewayPolicy(auth: RestoreAuth, vpcEndpointIds?: string[]): iam.PolicyDocument {
  const invoke = {
    principals: [new iam.AnyPrincipal()],
    actions: ['execute-api:Invoke'],
    resources: ['execute-api:/*'],
  };
  const deny = (conditions: iam.PolicyStatementProps['conditions']) =>
    new iam.PolicyStatement({ ...invoke, effect: iam.Effect.DENY, conditions });
  return new iam.PolicyDocument({
    statements: [
      deny({ Bool: { 'aws:SecureTransport': 'false' } }),
      // Of several values none may be the one, and a request that came otherwise has none at all.
      ...(vpcEndpointIds ? [deny({ StringNotEquals: { 'aws:SourceVpce': vpcEndpointIds } })] : []),
      ...(auth === 'platform' ? [new iam.PolicyStatement(invoke)] : []),
    ],
  });
}
