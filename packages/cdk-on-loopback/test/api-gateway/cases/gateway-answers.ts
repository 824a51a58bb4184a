import { RECORDED_COMMON } from './sources';

/** What happens to a request to the method of this path. */
export type Trouble =
  | 'unknown'
  | 'throws'
  | 'throttled'
  | 'slow'
  | 'forbidden'
  | 'unsigned'
  | 'nameless'
  | 'refused'
  | 'denied'
  | 'disallowed'
  | 'broken';

/** API Gateway's own answer, to the letter, where the API does not customize it. */
export interface GatewayAnswer {
  trouble: Trouble;
  status: number;
  body: string;
  errorType: string;
  source: string;
}

const LAMBDA_ERRORS = 'https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway-errors.html';
const INTERNAL = { body: '{"message": "Internal server error"}', errorType: 'InternalServerErrorException' };
const MISSING_TOKEN = {
  status: 403,
  body: '{"message":"Missing Authentication Token"}',
  errorType: 'MissingAuthenticationTokenException',
};
const ACCESS_DENIED = { status: 403, errorType: 'AccessDeniedException' };
const UNAUTHORIZED = {
  status: 401,
  body: '{"message":"Unauthorized"}',
  errorType: 'UnauthorizedException',
  source:
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html',
};

export const GATEWAY_ANSWERS: readonly GatewayAnswer[] = [
  { trouble: 'unknown', ...MISSING_TOKEN, source: RECORDED_COMMON('test_routing_not_found') },
  { trouble: 'throws', status: 502, ...INTERNAL, source: LAMBDA_ERRORS },
  { trouble: 'throttled', status: 500, ...INTERNAL, source: LAMBDA_ERRORS },
  { trouble: 'forbidden', status: 500, ...INTERNAL, source: LAMBDA_ERRORS },
  {
    trouble: 'slow',
    status: 504,
    body: '{"message": "Endpoint request timed out"}',
    errorType: 'InternalServerErrorException',
    source: 'https://repost.aws/knowledge-center/api-gateway-504-errors',
  },
  {
    trouble: 'unsigned',
    ...MISSING_TOKEN,
    source: 'https://repost.aws/knowledge-center/api-gateway-authentication-token-errors',
  },
  { trouble: 'nameless', ...UNAUTHORIZED },
  { trouble: 'refused', ...UNAUTHORIZED },
  {
    trouble: 'disallowed',
    ...ACCESS_DENIED,
    body: '{"Message":"User is not authorized to access this resource"}',
    source: 'https://github.com/aws/chalice/issues/1810',
  },
  {
    trouble: 'denied',
    ...ACCESS_DENIED,
    body: '{"Message":"User is not authorized to access this resource with an explicit deny in an identity-based policy"}',
    source: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html',
  },
  {
    trouble: 'broken',
    status: 500,
    body: '{"message":null}',
    errorType: 'AuthorizerFailureException',
    source: 'https://github.com/auth0-samples/jwt-rsa-aws-custom-authorizer/pull/6',
  },
];
