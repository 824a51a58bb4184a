import { type ContextVariables, substitute } from './context-variables';
import { type GatewayFailure, type GatewayResponse, type HeaderValue } from './gateway-response';
import { type ApiRequest, valueOf } from './incoming-request';
import { type Answer } from './proxy-result';
import { type ApiDefinition } from './rest-api';

const DEFAULT_TEMPLATE = '{"message":$context.error.messageString}';
/** @see https://github.com/aws/chalice/issues/1810 */
const ACCESS_DENIED_TEMPLATE = '{"Message":$context.error.messageString}';
/** Has a space. @see https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway-errors.html */
const FAILED_INTEGRATION_TEMPLATE = '{"message": $context.error.messageString}';

interface GatewayResponseSource {
  request: ApiRequest;
  variables: ContextVariables;
  stageVariables: Readonly<Record<string, string>>;
  pathParameters: Readonly<Record<string, string>>;
}

/**
 * Renders the response to a request that API Gateway rejects. A customized response for the failure's type wins as a whole
 * over a customized `DEFAULT_4XX` or `DEFAULT_5XX`. `REQUEST_TOO_LARGE` cannot be customized.
 * @see API Gateway developer guide, api-gateway-gatewayResponse-definition and api-gateway-known-issues (413)
 */
export function renderGatewayResponse(
  failure: GatewayFailure,
  responses: ApiDefinition['gatewayResponses'],
  source: GatewayResponseSource,
): Answer {
  const { variables, request, stageVariables } = source;
  variables.set('error.message', failure.shownMessage);
  variables.set('error.messageString', JSON.stringify(failure.shownMessage));
  variables.set('error.responseType', failure.code);
  const custom = failure.code === 'REQUEST_TOO_LARGE' ? undefined : customized(failure, responses);
  const given = Object.keys(custom?.templates ?? {}).length > 0 ? custom?.templates : undefined;
  const templates = given ?? { 'application/json': custom ? DEFAULT_TEMPLATE : ownTemplate(failure) };
  const [mediaType, template] = chooseTemplate(templates, valueOf(request.headers, 'accept'));
  const body = substitute(
    template,
    (name) => variables.get(name) ?? '',
    (name) => stageVariables[name] ?? '',
  );
  const headers = new Map([['content-type', ['Content-Type', mediaType] as [string, string]]]);
  for (const [name, value] of Object.entries(custom?.headers ?? {})) {
    const text = headerText(value, source);
    if (text !== undefined) headers.set(name.toLowerCase(), [name, text]);
  }
  headers.set('x-amzn-errortype', ['x-amzn-ErrorType', failure.errorType]);
  return {
    statusCode: custom?.statusCode ?? failure.statusCode,
    headers: [...headers.values()],
    body: Buffer.from(body),
  };
}

/** Renders the response to a request that reaches no API. It cannot be customized. */
export function plainFailure({ statusCode, errorType, shownMessage }: GatewayFailure): Answer {
  return {
    statusCode,
    headers: [
      ['Content-Type', 'application/json'],
      ['x-amzn-ErrorType', errorType],
    ],
    body: Buffer.from(JSON.stringify({ message: shownMessage })),
  };
}

function ownTemplate({ code, statusCode }: GatewayFailure): string {
  if (code === 'ACCESS_DENIED') return ACCESS_DENIED_TEMPLATE;
  const isOfIntegration = statusCode >= 500 && !code.startsWith('AUTHORIZER_');
  return isOfIntegration ? FAILED_INTEGRATION_TEMPLATE : DEFAULT_TEMPLATE;
}

function customized(
  { code, statusCode }: GatewayFailure,
  responses: ApiDefinition['gatewayResponses'],
): GatewayResponse | undefined {
  return responses.get(code) ?? responses.get(statusCode < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
}

/** Picks the template for the first media type in `Accept`, as API Gateway does; JSON if there is none. */
function chooseTemplate(
  offered: Readonly<Record<string, string>>,
  accept = '',
): [mediaType: string, template: string] {
  const [first = ''] = accept.split(/[,;]/).map((part) => part.trim().toLowerCase());
  const chosen = [first, 'application/json', ...Object.keys(offered)].find((type) =>
    Object.hasOwn(offered, type),
  )!;
  return [chosen, offered[chosen]!];
}

function headerText(value: HeaderValue, source: GatewayResponseSource): string | undefined {
  const text = lookUp(value, source);
  // Values from callers or authorizers must not end the header.
  return text?.replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ');
}

function lookUp(value: HeaderValue, source: GatewayResponseSource): string | undefined {
  switch (value.from) {
    case 'static':
      return value.text;
    case 'context':
      return source.variables.get(value.name);
    case 'stageVariables':
      return source.stageVariables[value.name];
    case 'header':
      return valueOf(source.request.headers, value.name);
    case 'querystring':
      return valueOf(source.request.query, value.name);
    case 'path':
      return source.pathParameters[value.name];
  }
}
