import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { type LatchkeyOptions } from './latchkey-options';

/** Options of a deployment that gets its tokens from another issuer than the learning platform. */
export interface IssuerOptions extends Omit<
  LatchkeyOptions,
  'issuer' | 'environment' | 'platformRegion' | 'endpoints' | 'restore' | 'restoreApi' | 'tenants'
> {
  /** The issuer's profile: the name of one that Latchkey has, the path of a JSON file, or an object (docs/issuers.md). */
  readonly issuer: string | IssuerProfile;
  /** An environment of the issuer. If its profile lists none, choose a name. */
  readonly environment: string;
  /** A region of the issuer, if its profile lists regions. */
  readonly platformRegion?: string;
  /** Base URL of the token endpoint. @default that of the profile */
  readonly tokenBaseUrl?: string;
  readonly tenants?: readonly IssuerTenant[];
}

/** A tenant of another issuer than the learning platform. */
export interface IssuerTenant extends Omit<
  NonNullable<LatchkeyOptions['tenants']>[number],
  'tokens' | 'apiKey'
> {
  /** Values of the profile's parameters for all tokens of the tenant. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Tokens to keep fresh, each in its own secret. */
  readonly tokens: readonly IssuerToken[];
}

/** A token of another issuer than the learning platform. */
export interface IssuerToken {
  /** What the token is for. @default the only interface of the profile; `api` if it names none */
  readonly interface?: string;
  /** Its scopes, with spaces between. @default none */
  readonly scope?: string;
  /** Values of the profile's parameters. They override the tenant's. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Other AWS accounts that may allow their roles to read this token. @default [] */
  readonly readerAccounts?: readonly string[];
  /** The same for all other accounts of these organizations, by aws:PrincipalOrgID. @default [] */
  readonly readerOrganizations?: readonly string[];
}
