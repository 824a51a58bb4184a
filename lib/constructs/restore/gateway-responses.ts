import * as apigateway from 'aws-cdk-lib/aws-apigateway';

import { gatewayProblems } from '../../../core/restore/gateway-problems';
import { REASON_PHRASES } from '../../../core/restore/restore-outcomes';
import { type Problem } from '../../../core/restore/problem';
import { type RestoreAuth } from '../../../core/restore/restore-operation';

/**
 * Gives API Gateway's own error responses the API's problem format.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export function addGatewayProblems(api: apigateway.RestApi, auth: RestoreAuth): void {
  let previous: apigateway.GatewayResponse | undefined;
  for (const { type, status, code, detail, headers = {} } of gatewayProblems(auth)) {
    const body: Problem = {
      type: 'about:blank',
      title: REASON_PHRASES[status],
      status,
      detail,
      code,
      requestId: '$context.requestId',
    };
    const response = api.addGatewayResponse(type, {
      type: apigateway.ResponseType.of(type),
      statusCode: String(status),
      responseHeaders: Object.fromEntries(
        Object.entries({
          'Content-Type': 'application/problem+json',
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
          ...headers,
        }).map(([name, value]) => [name, `'${value}'`]),
      ),
      templates: { 'application/json': JSON.stringify(body) },
    });
    // Two are created at a time, because API Gateway accepts 10 management requests a second from an account, after a burst of 40:
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
    if (previous !== undefined) response.node.addDependency(previous);
    previous = previous === undefined ? response : undefined;
  }
}
