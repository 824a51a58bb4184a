/** The AWS error codes that mean the caller is not authenticated or not authorized. */
const ACCESS_CODES = [
  'AccessDeniedException',
  'ExpiredTokenException',
  'IncompleteSignatureException',
  'InvalidSignatureException',
  'MissingAuthenticationTokenException',
  'UnrecognizedClientException',
];

/** An error of an AWS operation. Its message may be shown to anyone: it never holds a secret, a signature or a request. */
export class AwsError extends Error {
  /** The exception's name, from which SDKs create their error classes. */
  readonly code: string;
  /** HTTP status; absent if the protocol decides it. */
  readonly statusCode: number | undefined;
  /** Additional members of the error document. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Additional response headers. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: string,
    message: string,
    options: {
      statusCode?: number;
      fields?: Record<string, unknown>;
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AwsError';
    this.code = code;
    this.statusCode = options.statusCode;
    this.fields = options.fields ?? {};
    this.headers = options.headers ?? {};
  }

  /** Whether the caller is not authenticated or not authorized. */
  get isAboutAccess(): boolean {
    return ACCESS_CODES.includes(this.code);
  }
}

const withCode =
  (code: string) =>
  (message: string): AwsError =>
    new AwsError(code, message);

export const accessDenied = withCode('AccessDeniedException');
export const invalidParameter = withCode('InvalidParameterException');
export const invalidRequest = withCode('InvalidRequestException');
export const limitExceeded = withCode('LimitExceededException');
export const resourceNotFound = withCode('ResourceNotFoundException');
export const validationError = withCode('ValidationException');
