import { AwsError } from '../aws/aws-error';
import { type Clock } from '../interfaces';
import { type Exchange, methodArn } from './exchange';
import { GatewayFailure } from './gateway-response';
import { type AuthorizerResult } from './lambda-authorizer';
import { callLambda, type LambdaCaller } from './lambda-call';
import { proxyEvent } from './proxy-event';
import { type Answer, parseProxyResult } from './proxy-result';

/** Lambda's limit for the event of a synchronous invocation. @see Lambda developer guide, gettingstarted-limits */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

/**
 * Passes a request to its function, and returns the function's response.
 * @throws {GatewayFailure} 502 if the function fails or returns an invalid result; INTEGRATION_TIMEOUT; REQUEST_TOO_LARGE for
 * an event over 6 MB; API_CONFIGURATION_ERROR if Lambda denies the call; INTEGRATION_FAILURE with 500 if it throttles
 * @see API Gateway developer guide, set-up-lambda-proxy-integrations and handle-errors-in-lambda-integration
 */
export async function callIntegration(
  exchange: Exchange,
  authorized: AuthorizerResult | undefined,
  caller: LambdaCaller,
  clock: Clock,
): Promise<Answer> {
  const { route, variables } = exchange;
  const { integration } = route.method;
  const payload = Buffer.from(JSON.stringify(proxyEvent(exchange, authorizerContext(exchange, authorized))));
  if (payload.length > MAX_EVENT_BYTES) {
    throw new GatewayFailure('REQUEST_TOO_LARGE', 'RequestTooLargeException', 'Request Too Long');
  }
  const sourceArn = methodArn(exchange, route.resource.path);
  const startedMs = clock.nowMs();
  const { timeoutMs } = integration;
  const call = { sourceArn, timeoutMs, payload, traceHeader: exchange.trace.ofFunction };
  const result = await callLambda(caller, integration, call).catch((error: unknown) => {
    throw error instanceof AwsError ? serverError('API_CONFIGURATION_ERROR', 500) : error;
  });
  const latencyMs = clock.nowMs() - startedMs;
  for (const name of ['integrationLatency', 'integration.latency']) variables.set(name, latencyMs);
  return answerOf(result, exchange, caller);
}

/** @throws {GatewayFailure} see {@link callIntegration} */
function answerOf(
  result: Awaited<ReturnType<typeof callLambda>>,
  { route, variables }: Exchange,
  { reporter }: LambdaCaller,
): Answer {
  if (result.kind === 'timed-out') {
    throw new GatewayFailure(
      'INTEGRATION_TIMEOUT',
      'InternalServerErrorException',
      'Endpoint request timed out',
    );
  }
  const lambdaStatus = result.kind === 'throttled' ? 429 : 200;
  for (const name of ['integrationStatus', 'integration.integrationStatus'])
    variables.set(name, lambdaStatus);
  if (result.kind === 'throttled') throw serverError('INTEGRATION_FAILURE', 500);
  variables.set('integration.requestId', result.requestId);
  variables.set('awsEndpointRequestId', result.requestId);
  const answer = result.kind === 'ok' ? parseProxyResult(result.payload) : undefined;
  if (!answer) {
    const what = result.kind === 'ok' ? 'returned no proxy result' : 'failed';
    reporter.warning(`${route.method.integration.functionArn} ${what}, so API Gateway responds with 502`);
    throw serverError('DEFAULT_5XX', 502);
  }
  variables.set('integration.status', answer.statusCode);
  return answer;
}

/** `requestContext.authorizer`. */
function authorizerContext(
  { variables }: Exchange,
  authorized: AuthorizerResult | undefined,
): Record<string, unknown> | undefined {
  if (!authorized) return undefined;
  return {
    ...authorized.context,
    principalId: authorized.principalId,
    integrationLatency: Number(variables.get('authorizer.integrationLatency') ?? 0),
  };
}

function serverError(
  type: 'API_CONFIGURATION_ERROR' | 'INTEGRATION_FAILURE' | 'DEFAULT_5XX',
  statusCode: number,
): GatewayFailure {
  return new GatewayFailure(type, 'InternalServerErrorException', 'Internal server error', { statusCode });
}
