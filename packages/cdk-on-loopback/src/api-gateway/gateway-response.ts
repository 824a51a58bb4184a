/**
 * All gateway response types with their default status. `DEFAULT_…` apply to types that are not customized.
 * @see API Gateway developer guide, supported-gateway-response-types
 */
export const GATEWAY_RESPONSE_STATUSES = {
  ACCESS_DENIED: 403,
  API_CONFIGURATION_ERROR: 500,
  AUTHORIZER_CONFIGURATION_ERROR: 500,
  AUTHORIZER_FAILURE: 500,
  BAD_REQUEST_BODY: 400,
  BAD_REQUEST_PARAMETERS: 400,
  DEFAULT_4XX: 400,
  DEFAULT_5XX: 500,
  EXPIRED_TOKEN: 403,
  INTEGRATION_FAILURE: 504,
  INTEGRATION_TIMEOUT: 504,
  INVALID_API_KEY: 403,
  INVALID_SIGNATURE: 403,
  MISSING_AUTHENTICATION_TOKEN: 403,
  QUOTA_EXCEEDED: 429,
  REQUEST_TOO_LARGE: 413,
  RESOURCE_NOT_FOUND: 404,
  THROTTLED: 429,
  UNAUTHORIZED: 401,
  UNSUPPORTED_MEDIA_TYPE: 415,
  WAF_FILTERED: 403,
} as const;

export type GatewayResponseType = keyof typeof GATEWAY_RESPONSE_STATUSES;

export interface GatewayResponse {
  statusCode?: number;
  /** Each header's source, by name. */
  headers: Readonly<Record<string, HeaderValue>>;
  /** Body templates, by media type. */
  templates: Readonly<Record<string, string>>;
}

/** A static text, or the name of a request value or `$context` variable. */
export type HeaderValue =
  | { from: 'static'; text: string }
  | { from: 'context' | 'stageVariables' | 'header' | 'querystring' | 'path'; name: string };

/** A request that API Gateway itself rejects. The message may be shown to the caller. */
export class GatewayFailure extends Error {
  override readonly name = 'GatewayFailure';
  /** The gateway response type, which decides how it is rendered. */
  readonly code: GatewayResponseType;
  readonly statusCode: number;
  /** `x-amzn-ErrorType`. */
  readonly errorType: string;
  /** `$context.error.message`; null if AWS gives none. */
  readonly shownMessage: string | null;

  constructor(
    code: GatewayResponseType,
    errorType: string,
    shownMessage: string | null,
    { statusCode = GATEWAY_RESPONSE_STATUSES[code], cause }: { statusCode?: number; cause?: unknown } = {},
  ) {
    super(shownMessage ?? errorType, { cause });
    this.code = code;
    this.statusCode = statusCode;
    this.errorType = errorType;
    this.shownMessage = shownMessage;
  }
}
