import {
  type APIGatewayAuthorizerResult,
  type APIGatewayRequestAuthorizerEvent,
  type Context,
} from 'aws-lambda';

import { usageKey } from '../../core/deployment/usage-key';
import { inInitPhase } from '../shared/adapters/init-phase';
import { warmedUp } from '../shared/adapters/secrets-manager-client';
import { pathIds } from '../../core/restore/path-ids';
import { requireRequestEvent } from '../../core/restore/request-event';
import { type AuthorizerPorts, composePorts } from './compose';

let ports: AuthorizerPorts | undefined = inInitPhase(() => warmedUp(composePorts()));

/**
 * Handler of the restore API's authorizer (type REQUEST).
 * @throws {Error} `Unauthorized`, exactly this text: API Gateway answers 401. After any other error it answers 500
 * @throws {RequestEventError}
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html
 */
export async function handler(
  event: APIGatewayRequestAuthorizerEvent,
  context: Context,
): Promise<APIGatewayAuthorizerResult> {
  return handle((ports ??= composePorts()), event, context);
}

export async function handle(
  ports: AuthorizerPorts,
  event: APIGatewayRequestAuthorizerEvent,
  context: Context,
): Promise<APIGatewayAuthorizerResult> {
  const { authenticator, deployment, log } = ports;
  log.addContext(context);
  requireRequestEvent(event);
  const { tenantId } = pathIds(event);
  const authorization = Object.entries(event.multiValueHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === 'authorization')
    .flatMap(([, values]) => values ?? []);
  const authentication = await authenticator.authenticate(tenantId, authorization);
  const apiRequestId = event.requestContext.requestId;
  if (authentication.kind === 'unauthenticated') {
    // Not logged: tenantId, which here is unchecked text of the caller.
    log.info('caller refused', { code: 'unauthorized', apiRequestId });
    throw new Error('Unauthorized');
  }
  log.info('caller authenticated', { tenantId, code: authentication.kind, apiRequestId });
  return {
    principalId: tenantId,
    ...(authentication.kind === 'allowed' && { context: authentication.caller }),
    // The usage plan counts the request for this key. Ignored without a usage plan.
    usageIdentifierKey: usageKey(deployment.prefix, { ...deployment, tenantId }),
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Action: 'execute-api:Invoke',
          Effect: authentication.kind === 'allowed' ? 'Allow' : 'Deny',
          // '*', because the ARN holds the caller's path, which a policy may read as wildcards or variables: a Deny that does
          // not match would let the request through, since the API's own policy allows everyone.
          Resource: authentication.kind === 'allowed' ? event.methodArn : '*',
        },
      ],
    },
  };
}
