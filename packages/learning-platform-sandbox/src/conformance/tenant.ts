import { type Send } from './https-requests';
import { type ClientCredential, type Session, type Subject } from './subject-file';

/** The interfaces. Each has its own tokens. */
export type Interface = 'content' | 'webhooks';

/** The tenant to check, for checks that change nothing. */
export interface ExaminedTenant {
  readonly tenantId: string;
  readonly addresses: Subject['addresses'];
  readonly credential: ClientCredential;
  /** @throws {NotExaminableError} if none is known */
  apiKey(): Promise<string>;
  /** An access token with this scope, shared by all checks. */
  token(scope: string, interfaceName?: Interface): Promise<string>;
  readonly send: Send;
}

/** A tenant whose contents may be changed. */
export interface WritableTenant extends ExaminedTenant {
  /** References that belong to the tenant. */
  readonly authorRef: string;
  readonly collaborationId: string;
  /** Headers in which restore and archive expect the acting user; undefined if in the body. */
  readonly actingUserHeaders?: Subject['actingUserHeaders'];
  /** The id of an archived content that no other check uses. @throws {NotExaminableError} if none is left */
  archivedContent(): Promise<string>;
  /** An administrator's session. @throws {NotExaminableError} if none is known */
  session(): Promise<Session>;
}
