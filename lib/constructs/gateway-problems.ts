import * as apigateway from 'aws-cdk-lib/aws-apigateway';

import { CHALLENGES, type Problem, type ProblemCode, type RestoreStatus } from '../../contract/problem';

interface GatewayProblem {
  type: apigateway.ResponseType;
  status: RestoreStatus;
  code: ProblemCode;
  title: string;
  detail: string;
  headers?: Record<string, string>;
}

const { ResponseType } = apigateway;

/** 502 promises that nothing was modified, which API Gateway cannot know: its own failures are `outcome_unknown`. */
const OUTCOME_UNKNOWN = {
  code: 'outcome_unknown',
  detail: 'It is not known whether the content was restored. Look before trying again.',
} as const;

const COMMON: GatewayProblem[] = [
  {
    type: ResponseType.UNAUTHORIZED,
    status: 401,
    code: 'unauthorized',
    title: 'Unauthorized',
    detail: 'Authentication is missing or invalid.',
    headers: { 'WWW-Authenticate': CHALLENGES },
  },
  {
    type: ResponseType.ACCESS_DENIED,
    status: 403,
    code: 'forbidden',
    title: 'Forbidden',
    detail: 'The caller is authenticated but not permitted to restore this tenant’s content.',
  },
  {
    type: ResponseType.RESOURCE_NOT_FOUND,
    status: 404,
    code: 'unknown_route',
    title: 'Not Found',
    detail: 'There is POST /tenants/{tenantId}/contents/{contentId}/restore only.',
  },
  {
    // AWS documents sizes over 10 MB both as this type and as not customizable; without it, DEFAULT_4XX would say 400.
    type: ResponseType.REQUEST_TOO_LARGE,
    status: 413,
    code: 'body_too_large',
    title: 'Content Too Large',
    detail: 'The body may have 16 KiB at most.',
  },
  {
    type: ResponseType.WAF_FILTERED,
    status: 403,
    code: 'forbidden',
    title: 'Forbidden',
    detail: 'A web application firewall refused the request.',
  },
  {
    type: ResponseType.UNSUPPORTED_MEDIA_TYPE,
    status: 415,
    code: 'unsupported_media_type',
    title: 'Unsupported Media Type',
    detail: 'Content-Type must be application/json.',
  },
  ...[ResponseType.THROTTLED, ResponseType.QUOTA_EXCEEDED].map((type) => ({
    type,
    status: 429 as const,
    code: 'too_many_requests' as const,
    title: 'Too Many Requests',
    detail: 'Too many requests to the restore API.',
    headers: { 'Retry-After': '1' },
  })),
  ...[
    ResponseType.AUTHORIZER_FAILURE,
    ResponseType.AUTHORIZER_CONFIGURATION_ERROR,
    ResponseType.API_CONFIGURATION_ERROR,
  ].map((type) => ({
    type,
    status: 500 as const,
    code: 'internal_error' as const,
    title: 'Internal Server Error',
    detail: 'The request was not begun; the content was not modified.',
  })),
  { ...OUTCOME_UNKNOWN, type: ResponseType.INTEGRATION_TIMEOUT, status: 504, title: 'Gateway Timeout' },
  { ...OUTCOME_UNKNOWN, type: ResponseType.INTEGRATION_FAILURE, status: 500, title: 'Internal Server Error' },
  { ...OUTCOME_UNKNOWN, type: ResponseType.DEFAULT_5XX, status: 500, title: 'Internal Server Error' },
  {
    type: ResponseType.DEFAULT_4XX,
    status: 400,
    code: 'malformed_request',
    title: 'Bad Request',
    detail: 'API Gateway cannot read the request.',
  },
];

/** API Gateway answers so to an unknown path or method, and in iam mode to a request without a signature too. */
const MISSING_AUTHENTICATION: Record<'platform' | 'iam', GatewayProblem> = {
  platform: {
    type: ResponseType.MISSING_AUTHENTICATION_TOKEN,
    status: 404,
    code: 'unknown_route',
    title: 'Not Found',
    detail: 'There is POST /tenants/{tenantId}/contents/{contentId}/restore only.',
  },
  iam: {
    type: ResponseType.MISSING_AUTHENTICATION_TOKEN,
    status: 403,
    code: 'forbidden',
    title: 'Forbidden',
    detail: 'The request is not signed with Signature Version 4, or the route is unknown.',
  },
};

const SIGNATURE_PROBLEMS: GatewayProblem[] = [ResponseType.INVALID_SIGNATURE, ResponseType.EXPIRED_TOKEN].map(
  (type) => ({
    type,
    status: 403,
    code: 'forbidden',
    title: 'Forbidden',
    detail: 'The signature or its credentials are not valid.',
  }),
);

/**
 * Gives API Gateway's own answers the API's problem format.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export function addGatewayProblems(api: apigateway.RestApi, auth: 'platform' | 'iam'): void {
  const problems = [...COMMON, MISSING_AUTHENTICATION[auth], ...(auth === 'iam' ? SIGNATURE_PROBLEMS : [])];
  for (const { type, status, code, title, detail, headers = {} } of problems) {
    const body: Problem = {
      type: 'about:blank',
      title,
      status,
      detail,
      code,
      requestId: '$context.requestId',
    };
    api.addGatewayResponse(type.responseType, {
      type,
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
  }
}
