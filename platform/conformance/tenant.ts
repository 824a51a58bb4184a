import { type Send } from './https-requests';

/** The interfaces that have tokens of their own. */
export type Interface = 'content' | 'webhooks';

/** Where a platform is, for one environment and platform region. Absolute URLs without a slash at the end. */
export interface Addresses {
  readonly contentBaseUrl: string;
  readonly contentTokenBaseUrl: string;
  readonly webhooksBaseUrl: string;
  readonly webhooksTokenBaseUrl: string;
  /** That of the environment. */
  readonly tenantServiceUrl: string;
}

/** One environment in one platform region, by our names for the rows of the specification's table of addresses. */
export interface DeploymentKey {
  readonly environment: 'staging' | 'production';
  readonly platformRegion: 'global' | 'mea';
}

/** A client credential, as support issues it. */
export interface ClientCredential {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The headers of a logged-in user's browser: the whole Authorization value, and the correlation id. */
export interface Session {
  readonly authorization: string;
  readonly correlationId: string;
}

/** The tenant that is examined, as far as nothing is changed there. */
export interface ExaminedTenant extends DeploymentKey {
  readonly tenantId: string;
  readonly addresses: Addresses;
  readonly credential: ClientCredential;
  /** @throws {NotExaminableError} when none is known */
  apiKey(): Promise<string>;
  /** One access token for each scope, which all checks share. */
  token(scope: string, of?: Interface): Promise<string>;
  readonly send: Send;
}

/** A tenant whose contents may be changed. */
export interface WritableTenant extends ExaminedTenant {
  /** References of the tenant's own. */
  readonly authorRef: string;
  readonly collaborationId: string;
  /** The id of an archived content that no other check uses. @throws {NotExaminableError} when there is none left */
  archivedContent(): Promise<string>;
  /** An administrator's session. @throws {NotExaminableError} when none is known */
  session(): Promise<Session>;
}

/** A tenant of a sandbox, whose control is at hand. */
export interface ControlledTenant extends WritableTenant {
  /** Asks the sandbox's control: `control('POST', 'clock', {advanceSec: 60})`. @throws {ControlRefusedError} */
  control<T>(method: string, path: string, input?: unknown): Promise<T>;
  /** The same for another tenant: of the same deployment (`neighbour`), or of another environment or platform region. */
  readonly neighbour: ControlledTenant;
  inDeployment(deploymentKey: DeploymentKey): Promise<ControlledTenant>;
  /** Another user and another collaboration of the tenant's own; no content is theirs at first. */
  readonly others: { readonly authorRef: string; readonly collaborationId: string };
  /** A content in that state that no other check uses. */
  contentIn(status: 'draft' | 'ready' | 'published' | 'archived', more?: object): Promise<string>;
}

/** What a check needs is not known of this platform: it is left out, and said so. */
export class NotExaminableError extends Error {
  readonly code = 'not_examinable';

  constructor(missing: string) {
    super(missing);
    this.name = 'NotExaminableError';
  }
}
