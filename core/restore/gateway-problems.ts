import { CHALLENGES, INSUFFICIENT_SCOPE, type ProblemCode, type RestoreStatus } from './problem';
import { RESTORE_PATH, type RestoreAuth } from './restore-operation';
import { type Retry } from './restore-outcomes';

/** A response that API Gateway generates itself. */
export interface GatewayProblem {
  /** @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html */
  type: string;
  status: RestoreStatus;
  code: ProblemCode;
  title: string;
  detail: string;
  headers?: Readonly<Record<string, string>>;
  retry: Retry;
}

/** API Gateway's own failures: it cannot know that nothing was modified, which is what a 502 promises. */
const OUTCOME_UNKNOWN = {
  code: 'outcome_unknown',
  detail: 'The content may have been restored. Check before you retry.',
  retry: 'after_checking',
} as const;

const ACCESS_DENIED = {
  type: 'ACCESS_DENIED',
  status: 403,
  code: 'forbidden',
  title: 'Forbidden',
  retry: 'no',
} as const;

/**
 * API Gateway sends this for two causes, so the text covers both: the authorizer denies a token that may not write, and
 * the resource policy of a private API denies a request before it is authenticated.
 */
const DENIED: Record<RestoreAuth, GatewayProblem> = {
  platform: {
    ...ACCESS_DENIED,
    detail:
      'The caller is not allowed: a token needs the scope api/write or api/all, and a private API accepts requests ' +
      'only through its own VPC endpoints.',
    headers: { 'WWW-Authenticate': INSUFFICIENT_SCOPE },
  },
  iam: { ...ACCESS_DENIED, detail: 'The principal is not allowed to call the restore API.' },
};

const UNKNOWN_ROUTE = {
  status: 404,
  code: 'unknown_route',
  title: 'Not Found',
  detail: `The only route is POST ${RESTORE_PATH}.`,
  retry: 'after_correction',
} as const;

const UNSIGNED = {
  status: 403,
  code: 'forbidden',
  title: 'Forbidden',
  retry: 'after_correction',
} as const;

const COMMON: GatewayProblem[] = [
  {
    type: 'UNAUTHORIZED',
    status: 401,
    code: 'unauthorized',
    title: 'Unauthorized',
    detail: 'Authentication is missing or invalid.',
    retry: 'after_correction',
    headers: { 'WWW-Authenticate': CHALLENGES },
  },
  { ...UNKNOWN_ROUTE, type: 'RESOURCE_NOT_FOUND' },
  {
    // AWS documents this type for bodies over 10 MB, and also that those cannot be customized. Without it, DEFAULT_4XX answers 400.
    type: 'REQUEST_TOO_LARGE',
    status: 413,
    code: 'body_too_large',
    title: 'Content Too Large',
    detail: 'The body exceeds 16 KiB.',
    retry: 'after_correction',
  },
  {
    type: 'WAF_FILTERED',
    status: 403,
    code: 'forbidden',
    title: 'Forbidden',
    detail:
      'A web application firewall refused the request: by a rule about its content, or because too many came from its address.',
    retry: 'later',
  },
  {
    // Only with a usage plan, and only during a rollout: the tenant's stack has not registered its key yet, or is gone.
    type: 'INVALID_API_KEY',
    status: 403,
    code: 'forbidden',
    title: 'Forbidden',
    detail: 'The tenant is not in the usage plan of the restore API.',
    retry: 'later',
  },
  {
    type: 'UNSUPPORTED_MEDIA_TYPE',
    status: 415,
    code: 'unsupported_media_type',
    title: 'Unsupported Media Type',
    detail: 'Content-Type must be application/json.',
    headers: { Accept: 'application/json' },
    retry: 'after_correction',
  },
  {
    type: 'THROTTLED',
    status: 429,
    code: 'too_many_requests',
    title: 'Too Many Requests',
    detail: 'Too many requests to the restore API.',
    headers: { 'Retry-After': '1' },
    retry: 'later',
  },
  {
    type: 'QUOTA_EXCEEDED',
    status: 429,
    code: 'too_many_requests',
    title: 'Too Many Requests',
    detail: 'The tenant has used up its request quota for this period.',
    retry: 'later',
  },
  ...['AUTHORIZER_FAILURE', 'AUTHORIZER_CONFIGURATION_ERROR'].map((type) => ({
    type,
    status: 500 as const,
    code: 'internal_error' as const,
    title: 'Internal Server Error',
    detail: 'The request was not processed. The content was not modified.',
    retry: 'later' as const,
  })),
  // Also when API Gateway cannot use the function's response: AWS logs a crashed function as a "configuration error".
  { ...OUTCOME_UNKNOWN, type: 'API_CONFIGURATION_ERROR', status: 500, title: 'Internal Server Error' },
  { ...OUTCOME_UNKNOWN, type: 'INTEGRATION_TIMEOUT', status: 504, title: 'Gateway Timeout' },
  { ...OUTCOME_UNKNOWN, type: 'INTEGRATION_FAILURE', status: 500, title: 'Internal Server Error' },
  { ...OUTCOME_UNKNOWN, type: 'DEFAULT_5XX', status: 500, title: 'Internal Server Error' },
  {
    type: 'DEFAULT_4XX',
    status: 400,
    code: 'malformed_request',
    title: 'Bad Request',
    detail: 'API Gateway cannot read the request.',
    retry: 'after_correction',
  },
];

/**
 * For an unknown path or method and, in iam mode, also for a request without a valid signature. For an unknown path, API
 * Gateway was also seen to read the Authorization header as a signature.
 * @see https://github.com/HumanCellAtlas/data-store/issues/328
 */
const UNKNOWN_OR_UNSIGNED: Record<RestoreAuth, GatewayProblem[]> = {
  platform: ['MISSING_AUTHENTICATION_TOKEN', 'INVALID_SIGNATURE', 'EXPIRED_TOKEN'].map((type) => ({
    ...UNKNOWN_ROUTE,
    type,
  })),
  iam: [
    {
      ...UNSIGNED,
      type: 'MISSING_AUTHENTICATION_TOKEN',
      detail: 'The request is not signed with Signature Version 4, or the route does not exist.',
    },
    ...['INVALID_SIGNATURE', 'EXPIRED_TOKEN'].map((type) => ({
      ...UNSIGNED,
      type,
      detail: 'The signature is invalid, or its credentials have expired.',
    })),
  ],
};

/** Every response that API Gateway generates itself in front of the restore function. */
export function gatewayProblems(auth: RestoreAuth): readonly GatewayProblem[] {
  return [...COMMON, DENIED[auth], ...UNKNOWN_OR_UNSIGNED[auth]];
}
