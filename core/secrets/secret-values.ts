import { type TokenKey } from '../tokens/published-keys';

/** Value of a client-credentials secret. */
export interface ClientCredentialsValue {
  clientId: string;
  clientSecret: string;
}

/** Value of an API-key secret. */
export interface ApiKeyValue {
  apiKey: string;
  /** ISO 8601, UTC. */
  validUntil: string;
}

/** Value of a token secret. Readers must ignore further fields. All times are ISO 8601, UTC. */
export type TokenValue<Key = TokenKey> = Key & {
  accessToken: string;
  tokenType: 'Bearer';
  issuedAt: string;
  expiresAt: string;
  /** Version of the client-credentials secret that the token was requested with. */
  credentialVersionId: string;
};
