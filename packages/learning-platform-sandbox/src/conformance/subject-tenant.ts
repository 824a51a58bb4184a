import { NotExaminableError } from './check';
import { type Send } from './https-requests';
import { requestedToken } from './requests';
import { type ClientCredential, type Session, type Subject, type SubjectSecrets } from './subject-file';
import { type Interface, type WritableTenant } from './tenant';

/** A tenant of any platform, as described by the target file and standard input. */
export class SubjectTenant implements WritableTenant {
  readonly tenantId: string;
  readonly addresses: Subject['addresses'];
  readonly actingUserHeaders: Subject['actingUserHeaders'];
  readonly credential: ClientCredential;
  readonly send: Send;
  readonly #subject: Subject;
  readonly #secrets: SubjectSecrets;
  /** Checks share them. */
  readonly #tokens = new Map<string, Promise<string>>();
  readonly #archivedContentIds: string[];

  constructor(subject: Subject, secrets: SubjectSecrets, send: Send) {
    this.tenantId = subject.tenantId;
    this.addresses = subject.addresses;
    this.actingUserHeaders = subject.actingUserHeaders;
    this.credential = { clientId: secrets.clientId, clientSecret: secrets.clientSecret };
    this.send = send;
    this.#subject = subject;
    this.#secrets = secrets;
    this.#archivedContentIds = [...subject.archivedContentIds];
  }

  get authorRef(): string {
    return required(this.#subject.authorRef, 'the target file has no authorRef');
  }

  get collaborationId(): string {
    return required(this.#subject.collaborationId, 'the target file has no collaborationId');
  }

  async apiKey(): Promise<string> {
    return required(this.#secrets.apiKey, 'standard input has no apiKey');
  }

  async session(): Promise<Session> {
    return required(this.#secrets.session, 'standard input has no session');
  }

  async archivedContent(): Promise<string> {
    return required(this.#archivedContentIds.shift(), 'the target file has no unused archived content');
  }

  token(scope: string, interfaceName: Interface = 'content'): Promise<string> {
    const key = `${interfaceName} ${scope}`;
    const token = this.#tokens.get(key) ?? requestedToken(this, interfaceName, scope);
    this.#tokens.set(key, token);
    token.catch(() => this.#tokens.delete(key));
    return token;
  }
}

function required<T>(value: T | undefined, missing: string): T {
  if (value === undefined) throw new NotExaminableError(missing);
  return value;
}
