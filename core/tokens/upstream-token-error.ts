/** No token was available, so no request was sent to the platform's content interface. */
export class UpstreamTokenError extends Error {
  override readonly name = 'UpstreamTokenError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
