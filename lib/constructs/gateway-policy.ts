import * as iam from 'aws-cdk-lib/aws-iam';

import { type RestoreAuth } from '../../contract/restore';

/**
 * Who may reach the API at all. TLS only. In iam mode nothing is allowed here: an `Allow *` would let every principal of the account in.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html
 */
export function gatewayPolicy(auth: RestoreAuth): iam.PolicyDocument {
  const invoke = {
    principals: [new iam.AnyPrincipal()],
    actions: ['execute-api:Invoke'],
    resources: ['execute-api:/*'],
  };
  return new iam.PolicyDocument({
    statements: [
      new iam.PolicyStatement({
        ...invoke,
        effect: iam.Effect.DENY,
        conditions: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
      ...(auth === 'platform' ? [new iam.PolicyStatement(invoke)] : []),
    ],
  });
}
