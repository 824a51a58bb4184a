import { CHALLENGES, INSUFFICIENT_SCOPE } from './problem';
import { RESTORE_PATH, type RestoreAuth } from './restore-operation';
import { type ProblemCode, type RestoreStatus, type Retry } from './restore-outcomes';

/** A response that API Gateway generates itself. */
export interface GatewayProblem {
  /** @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html */
  type: string;
  status: RestoreStatus;
  code: ProblemCode;
  detail: string;
  /** When the caller gets it. @default as the detail says */
  cause?: string;
  headers?: Readonly<Record<string, string>>;
  retry: Retry;
}

/** API Gateway's own failures. They are no 502, which would promise that nothing was modified. */
const OUTCOME_UNKNOWN = {
  code: 'outcome_unknown',
  detail: 'The content may have been restored. Check before you retry.',
  retry: 'after_checking',
} as const;

const ACCESS_DENIED = {
  type: 'ACCESS_DENIED',
  status: 403,
  code: 'forbidden',
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
  detail: `The only route is POST ${RESTORE_PATH}.`,
  retry: 'after_correction',
} as const;

const UNSIGNED = {
  status: 403,
  code: 'forbidden',
  retry: 'after_correction',
} as const;

const NOT_PROCESSED = {
  status: 500,
  code: 'internal_error',
  detail: 'The request was not processed. The content was not modified.',
  retry: 'later',
} as const;

const COMMON: GatewayProblem[] = [
  {
    type: 'UNAUTHORIZED',
    cause: 'The credentials are missing, unknown, expired or of another tenant.',
    status: 401,
    code: 'unauthorized',
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
    detail: 'The body exceeds 16 KiB.',
    retry: 'after_correction',
  },
  {
    type: 'WAF_FILTERED',
    status: 403,
    code: 'forbidden',
    detail:
      'A web application firewall refused the request: by a rule about its content, or because too many came from its address.',
    retry: 'later',
  },
  {
    // Only with a usage plan, and only during a rollout: the tenant's stack has not registered its key yet, or is gone.
    type: 'INVALID_API_KEY',
    status: 403,
    code: 'forbidden',
    detail: 'The tenant is not in the usage plan of the restore API.',
    retry: 'later',
  },
  {
    type: 'UNSUPPORTED_MEDIA_TYPE',
    status: 415,
    code: 'unsupported_media_type',
    detail: 'Content-Type must be application/json.',
    headers: { Accept: 'application/json' },
    retry: 'after_correction',
  },
  {
    type: 'THROTTLED',
    cause: 'The requests exceed the rate or burst limit of the stage.',
    status: 429,
    code: 'too_many_requests',
    detail: 'Too many requests to the restore API.',
    headers: { 'Retry-After': '1' },
    retry: 'later',
  },
  {
    type: 'QUOTA_EXCEEDED',
    status: 429,
    code: 'too_many_requests',
    detail: 'The tenant has used up its request quota for this period.',
    retry: 'later',
  },
  {
    ...NOT_PROCESSED,
    type: 'AUTHORIZER_FAILURE',
    cause: 'The authorizer failed or could not look up the credentials.',
  },
  {
    ...NOT_PROCESSED,
    type: 'AUTHORIZER_CONFIGURATION_ERROR',
    cause: 'API Gateway cannot use the authorizer.',
  },
  // Also when API Gateway cannot use the function's response: AWS logs a crashed function as a "configuration error".
  {
    ...OUTCOME_UNKNOWN,
    type: 'API_CONFIGURATION_ERROR',
    status: 500,
    cause: 'API Gateway may not invoke the restore function, or cannot use its response.',
  },
  {
    ...OUTCOME_UNKNOWN,
    type: 'INTEGRATION_TIMEOUT',
    status: 504,
    cause: 'The restore function did not answer within 29 s.',
  },
  {
    ...OUTCOME_UNKNOWN,
    type: 'INTEGRATION_FAILURE',
    status: 500,
    cause: 'The restore function could not be started, or its response did not arrive.',
  },
  {
    ...OUTCOME_UNKNOWN,
    type: 'DEFAULT_5XX',
    status: 500,
    cause:
      'The restore function crashed or returned an unusable response, or API Gateway failed in another way.',
  },
  {
    type: 'DEFAULT_4XX',
    status: 400,
    code: 'malformed_request',
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
