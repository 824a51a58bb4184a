/** Codes by which AWS says that it did not accept who asks, or that the caller may not do this. */
const ACCESS_CODES = [
  'AccessDeniedException',
  'ExpiredTokenException',
  'IncompleteSignatureException',
  'InvalidSignatureException',
  'MissingAuthenticationTokenException',
  'UnrecognizedClientException',
];

/** What an AWS operation refuses with. The message may be shown to anyone: it never holds a secret, a signature or a request. */
export class AwsError extends Error {
  /** The exception's name, as SDKs make a class of it. */
  readonly code: string;
  /** HTTP status; absent where the protocol decides it. */
  readonly statusCode: number | undefined;
  /** Further members of the error document. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Further headers of the answer. */
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

  /** Whether it is about the caller: who it is, or what it may do. */
  get isAboutAccess(): boolean {
    return ACCESS_CODES.includes(this.code);
  }
}
