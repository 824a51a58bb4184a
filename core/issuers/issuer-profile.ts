/**
 * How to request access tokens from one issuer, as data. Texts may have placeholders in braces: `{tenantId}`, `{scope}`,
 * `{clientId}`, `{clientSecret}`, and the names of {@link IssuerProfile.parameters}.
 * @see RFC 6749, section 4.4 (client credentials grant)
 */
export interface IssuerProfile {
  /** Lower-case letters, digits and hyphens. Part of the names of stacks, secrets and parameters. */
  name: string;
  /** The issuer in texts, such as `Auth0`. */
  title: string;
  /** The issuer's environments. @default any; the names are yours */
  environments?: readonly string[];
  /** The issuer's regions, not those of AWS. @default it has none */
  regions?: readonly string[];
  /** What its tokens are for, and the scopes of each. @default any; the names are yours */
  interfaces?: Readonly<Record<string, IssuerInterface>>;
  /** What a tenant or one of its tokens has to say besides its id, such as a host or an audience. */
  parameters?: Readonly<Record<string, IssuerParameter>>;
  tokenEndpoint: TokenEndpoint;
  request?: TokenRequestForm;
  answer?: TokenAnswerForm;
  errors?: TokenErrorForm;
  /** What the issuer offers besides tokens. */
  offers?: readonly IssuerOffer[];
  /** What the profile's facts rest on. Only for people: the functions do not get it. */
  sources?: readonly ProfileSource[];
}

/** `api-keys`: keys that people generate. `restore`: the operation that restores archived content. */
export type IssuerOffer = 'api-keys' | 'restore';

/** What some facts of a profile rest on. */
export interface ProfileSource {
  /**
   * `documented`: a page of the issuer says so. `seen`: the issuer itself answered so. `assumed`: neither; the page, if any,
   * shows what other clients of the issuer do.
   */
  basis: 'documented' | 'seen' | 'assumed';
  /** The fields of the profile, such as `answer.lifetimeSec`; a field stands for all in it. Those with a default, too. */
  of: readonly string[];
  /** In one sentence. */
  says: string;
  /** The address of the page. */
  page?: string;
  /** When the page was read or the issuer was asked, as `YYYY-MM-DD`. */
  date?: string;
}

export interface IssuerInterface {
  /** Its scopes. @default any */
  scopes?: readonly string[];
}

export interface IssuerParameter {
  /** What it is, for people who write a configuration. */
  description: string;
  /** A regular expression that the whole value matches. @default visible ASCII characters without spaces */
  pattern?: string;
}

/** Where tokens are requested: a base URL and a path. */
export interface TokenEndpoint {
  /** The first that matches is used. @default the configuration names the base URL in `tokenBaseUrl` */
  bases?: readonly TokenBase[];
  /** Begins with a slash. */
  path: string;
}

/** A base URL: https, without a trailing slash, and where it applies. */
export interface TokenBase {
  /** May have placeholders, such as `https://{host}`. */
  url: string;
  /** @default every environment */
  environment?: string;
  /** @default every region */
  region?: string;
  /** @default every interface */
  interface?: string;
}

/** What is sent: always a POST. */
export interface TokenRequestForm {
  /** `application/x-www-form-urlencoded` or `application/json`. @default form */
  body?: 'form' | 'json';
  /**
   * By the names of RFC 8414. `client_secret_basic`: in an Authorization header, each form-encoded (RFC 6749, 2.3.1).
   * @default client_secret_post
   */
  clientAuthentication?: 'client_secret_post' | 'client_secret_basic';
  /**
   * The fields of the body. One that holds `{scope}` alone is left out for a token without a scope. Objects only in JSON.
   * @default grant_type `client_credentials` and scope; with client_secret_post client_id and client_secret, too
   */
  fields?: Readonly<Record<string, RequestField>>;
  /** Headers besides Content-Type, Accept and Authorization. */
  headers?: Readonly<Record<string, string>>;
  /** Between the scopes of a token. @default a space */
  scopeSeparator?: string;
  /** Whether a token has one scope at most. @default false */
  oneScope?: boolean;
}

export type RequestField = string | { readonly [name: string]: RequestField };

/** Where the answer has what matters. A dot leads into an object. */
export interface TokenAnswerForm {
  /** The token. @default access_token */
  accessToken?: string;
  /** The type, which must be `Bearer` in any case. `false`: not looked at. @default token_type */
  tokenType?: string | false;
  /** The seconds for which the token is valid, as number or text. `false`: it does not say. @default expires_in */
  expiresIn?: string | false;
  /** How long a token is valid by the issuer's documents, in seconds. @default 3600 */
  lifetimeSec?: number;
  /**
   * For an issuer that returns the same token again: until it has at most this many seconds left. 0: until it has expired.
   * @default each request gets a new token
   */
  sameTokenUntilSec?: number;
  /** Whether more scopes than requested may be granted. @default false */
  mayGrantMore?: boolean;
}

/**
 * What errors mean, besides the codes of RFC 6749 (5.2). Without a known code, 401 and 403 refuse the credential. A status, such
 * as `403`, stands in a list of codes for the answers with this status and no known code.
 */
export interface TokenErrorForm {
  /** Where the answer has the code. A dot leads into an object. @default error */
  code?: string;
  /** Codes that refuse the credential. */
  credentialRefused?: readonly string[];
  /** Codes that refuse the scope. */
  scopeRefused?: readonly string[];
}
