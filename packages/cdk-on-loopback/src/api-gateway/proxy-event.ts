import { type Exchange } from './exchange';
import { type ApiRequest, type MultiValues, valueOf } from './incoming-request';
import { type Readings } from './readings';

/** Headers that do not reach a function. The first one is for API Gateway itself. */
const DROPPED = [
  'x-http-method-override',
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
  // Set by API Gateway itself.
  'x-amzn-trace-id',
];

/** The names that API Gateway spells itself; it leaves all others as the client sent them. */
const KNOWN_SPELLINGS = ['Authorization', 'Host', 'User-Agent'];

/**
 * The event of a Lambda proxy integration, format version 1.0.
 * @see API Gateway developer guide, set-up-lambda-proxy-integrations (input format) and api-gateway-known-issues (headers)
 */
export function proxyEvent(exchange: Exchange, authorizer: object | undefined): Record<string, unknown> {
  const { body } = exchange.request;
  const event = requestEvent(exchange);
  return {
    ...event,
    requestContext: { ...event.requestContext, authorizer },
    body: body.length === 0 ? null : body.toString(),
    isBase64Encoded: false,
  };
}

/**
 * The fields that the events of a REQUEST authorizer and a proxy integration share.
 * @see API Gateway developer guide, api-gateway-lambda-authorizer-input
 */
export function requestEvent(exchange: Exchange): Record<string, unknown> & { requestContext: object } {
  const { request, route, stage } = exchange;
  const headers = forwardedHeaders(exchange);
  return {
    resource: route.resource.path,
    path: request.path,
    httpMethod: request.method,
    headers: lastValues(headers),
    multiValueHeaders: Object.fromEntries(headers),
    queryStringParameters: orNull(lastValues(request.query)),
    multiValueQueryStringParameters: orNull(Object.fromEntries(request.query)),
    pathParameters: orNull(route.pathParameters),
    stageVariables: orNull(stage.variables),
    requestContext: requestContext(exchange),
  };
}

function requestContext(exchange: Exchange): object {
  const { account, api, request, route, stage, caller, receivedAtMs } = exchange;
  return {
    resourceId: route.resource.id,
    resourcePath: route.resource.path,
    httpMethod: request.method,
    extendedRequestId: exchange.extendedRequestId,
    requestTime: commonLogTime(receivedAtMs),
    path: stagePath(exchange),
    accountId: account.accountId,
    protocol: 'HTTP/1.1',
    stage: stage.name,
    deploymentId: stage.deploymentId,
    domainPrefix: api.id,
    requestTimeEpoch: receivedAtMs,
    requestId: exchange.requestId,
    identity: {
      cognitoIdentityPoolId: null,
      accountId: caller?.accountId ?? null,
      cognitoIdentityId: null,
      caller: caller?.userId ?? null,
      sourceIp: request.sourceIp,
      principalOrgId: null,
      accessKey: caller?.accessKeyId ?? null,
      cognitoAuthenticationType: null,
      cognitoAuthenticationProvider: null,
      userArn: caller?.arn ?? null,
      userAgent: valueOf(request.headers, 'user-agent') ?? null,
      user: caller?.userId ?? null,
    },
    domainName: valueOf(request.headers, 'host') ?? null,
    apiId: api.id,
  };
}

/** `/{stage}/…`: the path as the caller would see it on AWS. */
export function stagePath({ stage, request }: Pick<Exchange, 'stage' | 'request'>): string {
  return `/${stage.name}${request.sentPath}`;
}

/** For example `01/Jan/2026:00:00:00 +0000`. */
export function commonLogTime(timeMs: number): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(new Date(timeMs).toUTCString())!;
  return `${day}/${month}/${year}:${time} +0000`;
}

/**
 * The headers as a function gets them.
 * @see https://github.com/localstack/localstack (test_lambda_aws_proxy_integration, recorded from AWS: names, and the trace)
 */
function forwardedHeaders({ request, route, trace, readings }: Exchange): Map<string, string[]> {
  const isSigned = isSignature(valueOf(request.headers, 'authorization'));
  const isIam = route.method.authorization.type === 'AWS_IAM';
  const headers = new Map<string, string[]>();
  for (const [name, values] of request.headers) {
    const lower = name.toLowerCase();
    const isSecret = lower === 'authorization' && (isSigned || isIam);
    if (!DROPPED.includes(lower) && !lower.startsWith('x-forwarded-') && !isSecret)
      headers.set(spellingOf(name, readings), [...values]);
  }
  headers.set('X-Amzn-Trace-Id', [trace.inEvent]);
  headers.set('X-Forwarded-For', [forwardedFor(request)]);
  headers.set('X-Forwarded-Port', ['443']);
  headers.set('X-Forwarded-Proto', ['https']);
  return headers;
}

function spellingOf(name: string, { headerNames }: Readings): string {
  const known = headerNames === 'known' ? KNOWN_SPELLINGS : [];
  return known.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name;
}

function forwardedFor({ headers, sourceIp }: ApiRequest): string {
  const before = valueOf(headers, 'x-forwarded-for');
  return before === undefined ? sourceIp : `${before}, ${sourceIp}`;
}

function isSignature(authorization: string | undefined): boolean {
  return authorization?.startsWith('AWS4-HMAC-SHA256') ?? false;
}

function lastValues(values: MultiValues): Record<string, string> {
  return Object.fromEntries([...values].map(([name, all]) => [name, all.at(-1) ?? '']));
}

function orNull<T extends object>(record: T): T | null {
  return Object.keys(record).length > 0 ? record : null;
}
