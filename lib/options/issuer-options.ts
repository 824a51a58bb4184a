import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { type LatchkeyOptions } from './latchkey-options';

/** Options of a deployment whose tokens another issuer than the learning platform issues. */
export interface IssuerOptions extends Omit<
  LatchkeyOptions,
  'issuer' | 'environment' | 'platformRegion' | 'endpoints' | 'restore' | 'restoreApi' | 'tenants'
> {
  /** The name of a profile that Latchkey has, the path of a JSON file with one, or a profile: docs/issuers.md. */
  readonly issuer: string | IssuerProfile;
  /** An environment of the issuer; if its profile names none, a name of yours. */
  readonly environment: string;
  /** A region of the issuer, if its profile names regions. */
  readonly platformRegion?: string;
  /** Base URL of the token endpoint, if the profile has none, or in its place. */
  readonly tokenBaseUrl?: string;
  readonly tenants?: readonly IssuerTenant[];
}

/** A tenant of another issuer than the learning platform. */
export interface IssuerTenant extends Omit<
  NonNullable<LatchkeyOptions['tenants']>[number],
  'tokens' | 'apiKey'
> {
  /** What the profile asks for, for all tokens of the tenant. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Tokens to keep fresh, each in its own secret. */
  readonly tokens: readonly IssuerToken[];
}

/** A token of another issuer than the learning platform. */
export interface IssuerToken extends Omit<
  NonNullable<LatchkeyOptions['tenants']>[number]['tokens'][number],
  'interface' | 'scope'
> {
  /** What the token is for. @default the only interface of the profile; `api` if it names none */
  readonly interface?: string;
  /** Its scopes, with spaces between. @default none */
  readonly scope?: string;
  /** What the profile asks for. Goes before the tenant's. */
  readonly parameters?: Readonly<Record<string, string>>;
}
