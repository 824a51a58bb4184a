/** A request to the restore API before it is authorized. */
export interface UnsignedRequest {
  readonly url: URL;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type AuthorizedHeaders = Readonly<Record<string, string>>;

/** How a caller authenticates. */
export interface Authorizer {
  /** Returns the request's headers with those that authorize it. @throws {CommandError} without a token or AWS identity */
  authorize(request: UnsignedRequest): Promise<AuthorizedHeaders>;
  /** Replaces a refused token, if possible. @throws {CommandError} if that failed */
  renew(refused: AuthorizedHeaders): Promise<void>;
}
