import {
  type APIGatewayAuthorizerResult,
  type APIGatewayRequestAuthorizerEvent,
  type Context,
} from 'aws-lambda';

import { usageKey } from '../../contract/usage-key';
import { type AuthorizerPorts, composePorts } from './compose';

let ports: AuthorizerPorts | undefined;

/**
 * Entry of the restore API's authorizer (type REQUEST).
 * @throws {Error} `Unauthorized`, exactly so, which API Gateway answers with 401; anything else with 500
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html
 */
export async function handler(
  event: APIGatewayRequestAuthorizerEvent,
  context: Context,
): Promise<APIGatewayAuthorizerResult> {
  ports ??= composePorts();
  const { authenticator, deployment, log } = ports;
  log.addContext(context);
  const tenantId = event.pathParameters?.tenantId ?? '';
  const authorization = Object.entries(event.multiValueHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === 'authorization')
    .flatMap(([, values]) => values ?? []);
  const authentication = await authenticator.authenticate(tenantId, authorization);
  const apiRequestId = event.requestContext.requestId;
  if (authentication.kind === 'unauthenticated') {
    // Without the tenant: whether it exists is nobody's business, and the text is the caller's.
    log.info('caller refused', { code: 'unauthorized', apiRequestId });
    throw new Error('Unauthorized');
  }
  log.info('caller authenticated', { tenantId, code: authentication.kind, apiRequestId });
  return {
    principalId: tenantId,
    // Which part of the usage plan the request counts against. Where there is none, API Gateway does not look at it.
    usageIdentifierKey: usageKey(deployment.prefix, { ...deployment, tenantId }),
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Action: 'execute-api:Invoke',
          Effect: authentication.kind === 'allowed' ? 'Allow' : 'Deny',
          // The path is the caller's text, in which policies see wildcards and variables: a denial must not miss it, since
          // the API's own policy allows everybody.
          Resource: authentication.kind === 'allowed' ? event.methodArn : '*',
        },
      ],
    },
  };
}
