import { type IncomingMessage } from 'node:http';
import { type TLSSocket } from 'node:tls';
import { type Account } from '../account';
import { type WriteLogs } from '../functions/function-log';
import { type AnsweredRequest } from '../cloudwatch/vended-metrics';
import { type CredentialLookup } from '../iam/access-keys';
import { type Clock, type FunctionInvoker, type Reporter } from '../interfaces';
import { type StartTimer } from '../run-clock';
import { AccessLog } from './access-log';
import { authorizeRequest, requireSignature } from './authorization';
import { ContextVariables } from './context-variables';
import { type Exchange, newRequestIds, type RequestIds, traceHeadersOf } from './exchange';
import { GatewayFailure } from './gateway-response';
import { type ApiRequest, parseAddress, readRequest, valueOf } from './incoming-request';
import { callIntegration } from './integration';
import { LambdaAuthorizers } from './lambda-authorizer';
import { commonLogTime, stagePath } from './proxy-event';
import { type Answer } from './proxy-result';
import { plainFailure, renderGatewayResponse } from './render-gateway-response';
import { type RestApis, type Stage } from './rest-api';
import { findRoute, type Route } from './routing';
import { throttleFor, Throttling } from './throttling';

export interface ApiGatewayOptions {
  readonly account: Account;
  readonly apis: RestApis;
  readonly invoker: FunctionInvoker;
  readonly credentials: CredentialLookup;
  readonly clock: Clock;
  readonly reporter: Reporter;
  readonly writeLogs: WriteLogs;
  /** Timers for integration timeouts, in real time; tests replace them. */
  readonly startTimer: StartTimer;
  /** Called for each request that a stage has answered. */
  readonly onAnswer?: (answered: AnsweredRequest) => void;
}

/** An exchange whose route is not yet found. */
type UnroutedExchange = Omit<Exchange, 'account' | 'readings' | 'trace' | 'route'>;
/** An exchange before its context variables are set. */
type ReceivedRequest = Omit<UnroutedExchange, 'variables'>;

/** Handles the requests to all stages of all REST APIs. */
export class RequestHandler {
  private readonly options: ApiGatewayOptions;
  private readonly throttling: Throttling;
  private readonly authorizers: LambdaAuthorizers;
  private readonly accessLog: AccessLog;

  constructor(options: ApiGatewayOptions) {
    this.options = options;
    this.throttling = new Throttling(options.clock);
    this.authorizers = new LambdaAuthorizers(options, options.clock);
    this.accessLog = new AccessLog(options);
  }

  /**
   * Returns the response to a request. A request that fails gets an error response.
   * @returns undefined if the connection must be closed, because its TLS is below the API's security policy
   * @throws if the client disconnects before its request is read
   */
  async handle(incoming: IncomingMessage): Promise<Answer | undefined> {
    const { apis, clock } = this.options;
    const receivedAtMs = clock.nowMs();
    const ids = newRequestIds();
    const address = parseAddress(incoming);
    const api = apis.byId.get(address?.apiId ?? '');
    const stage = api?.stages.get(address?.stageName ?? '');
    if (api?.isTls13Only && (incoming.socket as TLSSocket).getProtocol() !== 'TLSv1.3') return undefined;
    if (!address || !api || !stage || api.isPrivate) {
      incoming.resume();
      const failure = new GatewayFailure('DEFAULT_4XX', 'ForbiddenException', 'Forbidden', {
        statusCode: 403,
      });
      return withIds(plainFailure(failure), ids);
    }
    let request: ApiRequest;
    try {
      request = await readRequest(incoming, address);
    } catch (error) {
      if (!(error instanceof GatewayFailure)) throw error;
      return withIds(plainFailure(error), ids);
    }
    return withIds(await this.answerAndLog({ ...ids, api, stage, request, receivedAtMs }), ids);
  }

  private async answerAndLog(received: ReceivedRequest): Promise<Answer> {
    const { api, stage, receivedAtMs } = received;
    const variables = this.variablesOf(received);
    const answer = await this.routeAndInvoke({ ...received, variables });
    const { statusCode, body } = answer;
    const latencyMs = this.options.clock.nowMs() - receivedAtMs;
    variables.set('status', statusCode);
    variables.set('responseLength', body.length);
    variables.set('responseLatency', latencyMs);
    this.accessLog.write(api, stage, variables);
    const apiName = api.name;
    const stageName = stage.name;
    this.options.onAnswer?.({ apiName, stageName, receivedAtMs, statusCode, latencyMs });
    return answer;
  }

  /** Routes the request and invokes its method. If either fails, renders the gateway response for the failure. */
  private async routeAndInvoke(unrouted: UnroutedExchange): Promise<Answer> {
    const { stage, request, receivedAtMs, variables } = unrouted;
    const { account, apis } = this.options;
    let pathParameters: Readonly<Record<string, string>> = {};
    try {
      const route = this.route(stage, request, receivedAtMs);
      ({ pathParameters } = route);
      variables.set('resourceId', route.resource.id);
      variables.set('resourcePath', route.resource.path);
      const trace = traceHeadersOf(request, receivedAtMs);
      return await this.invokeMethod({ ...unrouted, account, readings: apis.readings, trace, route });
    } catch (error) {
      const source = { request, variables, stageVariables: stage.variables, pathParameters };
      return renderGatewayResponse(this.toFailure(error), stage.definition.gatewayResponses, source);
    }
  }

  private route({ definition }: Stage, request: ApiRequest, nowMs: number): Route {
    const { account, apis, credentials } = this.options;
    try {
      return findRoute(definition, request.method, request.path, apis.readings);
    } catch (error) {
      const isUnknownRoute = error instanceof GatewayFailure && error.code === 'MISSING_AUTHENTICATION_TOKEN';
      const hasHeader = valueOf(request.headers, 'authorization') !== undefined;
      if (isUnknownRoute && hasHeader && apis.readings.undefinedRoutes === 'signature')
        requireSignature(request.signed, { region: account.region, nowMs, credentials });
      throw error;
    }
  }

  /** Throttles and authorizes the request, then calls the method's function. @throws {GatewayFailure} */
  private async invokeMethod(exchange: Exchange): Promise<Answer> {
    const { api, stage, route, trace } = exchange;
    const limit = throttleFor(stage.throttles, route.resource.path, route.method.httpMethod);
    const bucket = `${api.id}/${stage.name}/${route.method.httpMethod}${route.resource.path}`;
    if (!this.throttling.admits(bucket, limit)) {
      throw new GatewayFailure('THROTTLED', 'TooManyRequestsException', 'Too Many Requests');
    }
    const { credentials, reporter, clock } = this.options;
    const authorized = await authorizeRequest(exchange, {
      authorizers: this.authorizers,
      credentials,
      reporter,
    });
    const answer = await callIntegration(exchange, authorized, this.options, clock);
    return { ...answer, headers: [...answer.headers, ['X-Amzn-Trace-Id', trace.ofFunction]] };
  }

  private variablesOf(received: ReceivedRequest): ContextVariables {
    const { api, stage, request, receivedAtMs } = received;
    const values: Record<string, string | number | undefined> = {
      accountId: this.options.account.accountId,
      apiId: api.id,
      cipherSuite: request.cipherSuite,
      deploymentId: stage.deploymentId,
      domainName: valueOf(request.headers, 'host'),
      domainPrefix: api.id,
      extendedRequestId: received.extendedRequestId,
      httpMethod: request.method,
      'identity.sourceIp': request.sourceIp,
      'identity.userAgent': valueOf(request.headers, 'user-agent'),
      path: stagePath({ stage, request }),
      protocol: 'HTTP/1.1',
      requestId: received.requestId,
      requestTime: commonLogTime(receivedAtMs),
      requestTimeEpoch: receivedAtMs,
      stage: stage.name,
      tlsVersion: request.tlsVersion,
    };
    const variables = new ContextVariables();
    for (const [name, value] of Object.entries(values)) variables.set(name, value);
    return variables;
  }

  /** An error other than a {@link GatewayFailure} is a bug. Its message might hold a secret, so only its name is reported. */
  private toFailure(error: unknown): GatewayFailure {
    if (error instanceof GatewayFailure) return error;
    this.options.reporter.warning(
      `the local API Gateway failed to handle a request: ${(error as Error).name}`,
    );
    return new GatewayFailure('DEFAULT_5XX', 'InternalServerErrorException', 'Internal server error');
  }
}

function withIds(answer: Answer, { requestId, extendedRequestId }: RequestIds): Answer {
  return {
    ...answer,
    headers: [...answer.headers, ['x-amzn-RequestId', requestId], ['x-amz-apigw-id', extendedRequestId]],
  };
}
