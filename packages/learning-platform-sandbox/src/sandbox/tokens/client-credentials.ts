import { randomUUID } from 'node:crypto';
import { type TenantReference } from '../deployment-key';
import { digest, hasDigest, newSecret } from '../secrets';

/** The valid client credentials. A tenant can have several, and each serves both interfaces. */
export class ClientCredentials<Owner = TenantReference> {
  readonly #byClientId = new Map<string, { readonly owner: Owner; readonly secretDigest: string }>();

  /** Issues a credential. Older ones stay valid, unless they have the same `clientId`. */
  issue(
    owner: Owner,
    {
      clientId = randomUUID(),
      clientSecret = newSecret(),
    }: { clientId?: string; clientSecret?: string } = {},
  ): { clientId: string; clientSecret: string } {
    this.#byClientId.set(clientId, { owner, secretDigest: digest(clientSecret) });
    return { clientId, clientSecret };
  }

  /** The owner of a credential; undefined if it is unknown, revoked, or its secret is another. */
  ownerOf(clientId: string, clientSecret: string): Owner | undefined {
    const credential = this.#byClientId.get(clientId);
    return credential && hasDigest(clientSecret, credential.secretDigest) ? credential.owner : undefined;
  }

  /** The owner of the credential with this identifier, unchecked. */
  claimedOwner(clientId: string): Owner | undefined {
    return this.#byClientId.get(clientId)?.owner;
  }

  /** The client id of the newest credential of an owner that is not revoked. */
  newestOf(matches: (owner: Owner) => boolean): string | undefined {
    return [...this.#byClientId].filter(([, { owner }]) => matches(owner)).at(-1)?.[0];
  }

  /** Revokes a credential. Returns whether it existed. */
  revoke(clientId: string): boolean {
    return this.#byClientId.delete(clientId);
  }

  snapshot() {
    return { credentials: [...this.#byClientId] };
  }

  restore({ credentials }: ReturnType<ClientCredentials<Owner>['snapshot']>): void {
    this.#byClientId.clear();
    for (const [clientId, credential] of credentials) this.#byClientId.set(clientId, credential);
  }
}

/** Whether both are the same tenant of the same environment and platform region. */
export function isSameOwner(a: TenantReference, b: TenantReference): boolean {
  return (
    a.environment === b.environment && a.platformRegion === b.platformRegion && a.tenantId === b.tenantId
  );
}
