/** A request of the restore API, before it is authorized. */
export interface UnsignedRequest {
  readonly url: URL;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type AuthorizedHeaders = Readonly<Record<string, string>>;

/** How a caller shows who it is. */
export interface Authorizer {
  /** The headers of a request, with those that authorize it. @throws {CommandError} where there is nothing to show */
  authorize(request: UnsignedRequest): Promise<AuthorizedHeaders>;
  /** Has what was refused replaced, where that can be. @throws {CommandError} where it could not be */
  renew(refused: AuthorizedHeaders): Promise<void>;
}
