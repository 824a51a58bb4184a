import { randomUUID } from 'node:crypto';
import { type DeploymentKey } from '../deployment-key';
import { digest, hasDigest, newSecret } from '../secrets';

/** The tenant that a client credential was issued to. One credential serves both interfaces. */
export interface CredentialOwner extends DeploymentKey {
  readonly tenantId: string;
}

/** The valid client credentials. A tenant can have several. */
export class ClientCredentials {
  readonly #byClientId = new Map<
    string,
    { readonly owner: CredentialOwner; readonly secretDigest: string }
  >();

  /** Issues a new credential. Older ones stay valid. */
  issue(owner: CredentialOwner): { clientId: string; clientSecret: string } {
    const clientId = randomUUID();
    const clientSecret = newSecret();
    this.#byClientId.set(clientId, { owner, secretDigest: digest(clientSecret) });
    return { clientId, clientSecret };
  }

  /** Whether the credential is valid and was issued to this tenant, environment and platform region. */
  areLive(clientId: string, clientSecret: string, owner: CredentialOwner): boolean {
    const credential = this.#byClientId.get(clientId);
    return (
      credential !== undefined &&
      hasDigest(clientSecret, credential.secretDigest) &&
      isSameOwner(credential.owner, owner)
    );
  }

  /** The client id of the tenant's newest credential that is not revoked. */
  newestOf(owner: CredentialOwner): string | undefined {
    const live = [...this.#byClientId].filter(([, credential]) => isSameOwner(credential.owner, owner));
    return live.at(-1)?.[0];
  }

  /** Revokes a credential. Returns whether it existed. */
  revoke(clientId: string): boolean {
    return this.#byClientId.delete(clientId);
  }

  snapshot() {
    return { credentials: [...this.#byClientId] };
  }

  restore({ credentials }: ReturnType<ClientCredentials['snapshot']>): void {
    this.#byClientId.clear();
    for (const [clientId, credential] of credentials) this.#byClientId.set(clientId, credential);
  }
}

function isSameOwner(a: CredentialOwner, b: CredentialOwner): boolean {
  return (
    a.environment === b.environment && a.platformRegion === b.platformRegion && a.tenantId === b.tenantId
  );
}
