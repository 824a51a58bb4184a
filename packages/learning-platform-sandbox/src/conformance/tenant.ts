import { type Send } from './https-requests';

/** The interfaces. Each has its own tokens. */
export type Interface = 'content' | 'webhooks';

/** The addresses of one deployment: absolute URLs without a trailing slash. */
export interface Addresses {
  readonly contentBaseUrl: string;
  readonly contentTokenBaseUrl: string;
  readonly webhooksBaseUrl: string;
  readonly webhooksTokenBaseUrl: string;
  /** That of the environment. */
  readonly tenantServiceUrl: string;
}

/** Names of the acting user's headers, in lower case. The specification names none. */
export interface ActingUserHeaders {
  readonly authorRef: string;
  readonly collaborationId: string;
}

/** A client credential, as support issues it. */
export interface ClientCredential {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The headers of a logged-in user's browser. Authorization includes `Bearer `. */
export interface Session {
  readonly authorization: string;
  readonly correlationId: string;
}

/** The tenant to check, for checks that change nothing. */
export interface ExaminedTenant {
  readonly tenantId: string;
  readonly addresses: Addresses;
  readonly credential: ClientCredential;
  /** @throws {NotExaminableError} if none is known */
  apiKey(): Promise<string>;
  /** An access token with this scope, shared by all checks. */
  token(scope: string, of?: Interface): Promise<string>;
  readonly send: Send;
}

/** A tenant whose contents may be changed. */
export interface WritableTenant extends ExaminedTenant {
  /** References that belong to the tenant. */
  readonly authorRef: string;
  readonly collaborationId: string;
  /** Headers in which restore and archive expect the acting user; undefined if in the body. */
  readonly actingUserHeaders?: ActingUserHeaders;
  /** The id of an archived content that no other check uses. @throws {NotExaminableError} if none is left */
  archivedContent(): Promise<string>;
  /** An administrator's session. @throws {NotExaminableError} if none is known */
  session(): Promise<Session>;
}

/** The platform or the input lacks something that the check needs. The check is reported as not examined. */
export class NotExaminableError extends Error {
  readonly code = 'not_examinable';

  constructor(missing: string) {
    super(missing);
    this.name = 'NotExaminableError';
  }
}
