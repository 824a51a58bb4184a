import { randomUUID } from 'node:crypto';
import { type DeploymentKey } from '../deployment-key';
import { digest, hasDigest, newSecret } from '../secrets';

/** The tenant of a deployment that a credential was issued for. One pair serves both interfaces of its environment. */
export interface CredentialOwner extends DeploymentKey {
  readonly tenantId: string;
}

/** The live client credentials. Several of one tenant can be live at once. */
export class ClientCredentials {
  readonly #byClientId = new Map<
    string,
    { readonly owner: CredentialOwner; readonly secretDigest: string }
  >();

  /** Issues a fresh pair, as support does; older pairs stay live. */
  issue(owner: CredentialOwner): { clientId: string; clientSecret: string } {
    const clientId = randomUUID();
    const clientSecret = newSecret();
    this.#byClientId.set(clientId, { owner, secretDigest: digest(clientSecret) });
    return { clientId, clientSecret };
  }

  /** Whether the pair is live and was issued to that tenant of that environment and platform region. */
  areLive(clientId: string, clientSecret: string, owner: CredentialOwner): boolean {
    const credential = this.#byClientId.get(clientId);
    return (
      credential !== undefined &&
      hasDigest(clientSecret, credential.secretDigest) &&
      credential.owner.environment === owner.environment &&
      credential.owner.platformRegion === owner.platformRegion &&
      credential.owner.tenantId === owner.tenantId
    );
  }

  /** Ends a pair. Returns whether there was one. */
  revoke(clientId: string): boolean {
    return this.#byClientId.delete(clientId);
  }
}
