/**
 * How to request access tokens from one issuer, as data. Texts may have placeholders in braces: `{tenantId}`, `{scope}`,
 * `{clientId}`, `{clientSecret}`, and the names of {@link IssuerProfile.parameters}.
 * @see RFC 6749, section 4.4 (client credentials grant)
 */
export interface IssuerProfile {
  /** Lower-case letters, digits and hyphens. Part of the names of stacks, secrets and parameters. */
  name: string;
  /** The issuer's name for people, such as `Auth0`. */
  title: string;
  /** The issuer's environments. @default any, chosen by the configuration */
  environments?: readonly string[];
  /** The issuer's regions, not those of AWS. @default it has none */
  regions?: readonly string[];
  /** What its tokens are for, with the scopes of each. @default any, chosen by the configuration */
  interfaces?: Readonly<Record<string, IssuerInterface>>;
  /** Values that the configuration must give for each tenant or token, such as a host or an audience. */
  parameters?: Readonly<Record<string, IssuerParameter>>;
  tokenEndpoint: TokenEndpoint;
  request?: TokenRequestForm;
  answer?: TokenAnswerForm;
  errors?: TokenErrorForm;
  /** What the issuer offers besides tokens. */
  offers?: readonly IssuerOffer[];
  /** Evidence for the profile's facts. For people only: it is not deployed with the functions. */
  sources?: readonly ProfileSource[];
}

/** `api-keys`: keys that people generate. `restore`: the operation that restores archived content. */
export type IssuerOffer = 'api-keys' | 'restore';

/** Evidence for some facts of a profile. */
export interface ProfileSource {
  /**
   * `documented`: a page of the issuer says so. `seen`: the issuer itself answered so. `assumed`: neither; `page`, if given,
   * shows what other clients of the issuer do.
   */
  basis: 'documented' | 'seen' | 'assumed';
  /** Paths of the profile's fields, such as `answer.lifetimeSec`. `answer` means all fields in it, also those left at their defaults. */
  of: readonly string[];
  /** The facts, in one sentence. */
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
  /** The first one that matches is used. @default none, so the configuration gives `tokenBaseUrl` */
  bases?: readonly TokenBase[];
  /** Begins with a slash. */
  path: string;
}

/** A base URL, and the environment, region and interface that it is for. */
export interface TokenBase {
  /** https, without a trailing slash. May have placeholders, such as `https://{host}`. */
  url: string;
  /** @default every environment */
  environment?: string;
  /** @default every region */
  region?: string;
  /** @default every interface */
  interface?: string;
}

/** The request for a token, always a POST. */
export interface TokenRequestForm {
  /** `application/x-www-form-urlencoded` or `application/json`. @default form */
  body?: 'form' | 'json';
  /**
   * How client id and secret are sent, as named in RFC 8414. `client_secret_post`: in the body. `client_secret_basic`: in an
   * Authorization header, each form-encoded (RFC 6749, section 2.3.1).
   * @default client_secret_post
   */
  clientAuthentication?: 'client_secret_post' | 'client_secret_basic';
  /**
   * The fields of the body. Objects are allowed in JSON only. For a token without a scope, a field `{scope}` is left out.
   * @default grant_type `client_credentials`, and scope; with client_secret_post also client_id and client_secret
   */
  fields?: Readonly<Record<string, RequestField>>;
  /** Headers besides Content-Type, Accept and Authorization. */
  headers?: Readonly<Record<string, string>>;
  /** Text between two scopes of a token. @default a space */
  scopeSeparator?: string;
  /** Whether a token can have only one scope. @default false */
  oneScope?: boolean;
}

export type RequestField = string | { readonly [name: string]: RequestField };

/** The fields of the answer, and how long its tokens are valid. `data.token` is the field `token` of the object `data`. */
export interface TokenAnswerForm {
  /** Field with the token. @default access_token */
  accessToken?: string;
  /** Field with the type, which must be `Bearer` in upper or lower case. `false`: not checked. @default token_type */
  tokenType?: string | false;
  /** Field with the token's lifetime in seconds, a number or a text. `false`: there is none. @default expires_in */
  expiresIn?: string | false;
  /** Lifetime that the issuer documents, in seconds. @default 3600 */
  lifetimeSec?: number;
  /**
   * For an issuer that returns the same token to each request: how many seconds before its expiry it issues another. 0: only
   * after its expiry.
   * @default each request gets a new token
   */
  sameTokenUntilSec?: number;
  /** Whether more scopes than requested may be granted. @default false */
  mayGrantMore?: boolean;
}

/**
 * The error codes of the issuer, besides those of RFC 6749 (section 5.2). A status such as `403` in a list of codes means answers
 * with this status and no known code. If no list has it, 401 and 403 refuse the credential.
 */
export interface TokenErrorForm {
  /** Field of the answer with the code. @default error */
  code?: string;
  /** Codes that refuse the credential. */
  credentialRefused?: readonly string[];
  /** Codes that refuse the scope. */
  scopeRefused?: readonly string[];
}
