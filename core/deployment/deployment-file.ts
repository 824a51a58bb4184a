import { type IssuerProfile } from '../issuers/issuer-profile';
import { type ActingUser } from '../restore/restore-operation';
import { CREDENTIAL_KINDS, type CredentialKind, credentialSecretName } from '../secrets/secret-names';
import { type ApiKeyValue, type ClientCredentialsValue } from '../secrets/secret-values';
import { type DeploymentKey, isSameTokenType, type TenantKey, type TokenType } from '../tokens/token-key';

/** The platform's limit is not known; 600 requests a minute are a steady stream. */
export const DEFAULT_TOKEN_REQUESTS_PER_SEC = 10;
/** At lower rates, tokens expire in simulations of a platform that counts requests strictly. */
export const MIN_TOKEN_REQUESTS_PER_SEC = 5;
/**
 * Half of the writes that Secrets Manager accepts per second in an account and AWS region: each new token is written, and
 * other deployments and rotations write too.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html (PutSecretValue)
 */
export const MAX_TOKEN_REQUESTS_PER_SEC = 25;

/** Maximum parallel renewals of a sweep: enough for its rate if each takes three seconds. */
export function parallelRenewals(tokenRequestsPerSec: number): number {
  // A local deployment has no limit, and its sandbox answers fast.
  const isLimited = tokenRequestsPerSec <= MAX_TOKEN_REQUESTS_PER_SEC;
  return Math.max(32, isLimited ? Math.ceil(3.2 * tokenRequestsPerSec) : 0);
}

/**
 * `deployment.json`, deployed with the code of every function: what the deployment serves. It holds no secrets.
 * A file, because a function's environment variables are limited to 4 KB.
 */
export type DeploymentFile = DeploymentKey & {
  /** Prefix of secret and parameter names. */
  prefix: string;
  profile: DeployedProfile;
  platform: PlatformAddresses;
  restore: RestoreOperation;
  restoreApi: {
    /** How long the previous API key is still accepted after a rotation. */
    apiKeyGraceSec: number;
    /** Whether callers of the restore API may use API keys, so that each key must be proven first. @default false */
    acceptsApiKeys?: boolean;
  };
  credentials: {
    /** Age, in days, at which a credential's rotation is due. */
    maxAgeDays: number;
    /** When Secrets Manager starts rotations: `cron(…)`, or `none`. */
    rotationSchedule: string;
  };
  tenants: DeploymentTenant[];
  /** Maximum token requests per second of a sweep. @default {@link DEFAULT_TOKEN_REQUESTS_PER_SEC} */
  tokenRequestsPerSec?: number;
  /** Whether CloudWatch gets every metric, not only those that alarms need. @default false */
  fullMonitoring?: true;
  /** Whether changes of secrets arrive as events, so that the functions read secrets less often. @default false */
  trailEvents?: true;
  /** @default no proxy, and only the authorities that Node trusts */
  network?: NetworkSettings;
};

/** The proxy and the trusted authorities for calls of the functions. */
export interface NetworkSettings {
  /** For calls to the platform. @default none */
  proxy?: ProxySettings;
  /** Name of the SSM parameter with certificate authorities to trust besides those of Node, as PEM. @default none */
  certificateAuthorities?: string;
}

/** An HTTP proxy that opens tunnels. */
export interface ProxySettings {
  /** Without credentials. */
  url: string;
  /** Full ARN of a secret with `username` and `password`. @default the proxy wants none */
  credentialsSecretArn?: string;
  /** Hosts that are called without the proxy, as in `NO_PROXY`. */
  noProxy: string[];
  /** Whether calls to AWS take the proxy, too. */
  awsCalls: 'direct' | 'proxy';
}

/** The parts of the issuer profile that are deployed with the functions, with the base URLs of this deployment only. */
export type DeployedProfile = Pick<
  IssuerProfile,
  'tokenEndpoint' | 'request' | 'answer' | 'errors' | 'offers'
>;

/** The issuer's base URLs for one deployment: https, without a trailing slash. */
export interface PlatformAddresses {
  contentBaseUrl?: string;
  contentTokenBaseUrl?: string;
  webhooksBaseUrl?: string;
  webhooksTokenBaseUrl?: string;
  tenantServiceUrl?: string;
  /** Overrides the base URLs of the profile. */
  tokenBaseUrl?: string;
}

/** The platform's restore operation. Configurable, because the specification marks it provisional. */
export interface RestoreOperation {
  available: boolean;
  method: 'POST' | 'PUT' | 'PATCH';
  /** Path below the content base URL, with the placeholder `{contentId}`. */
  path: string;
  successStatus: number;
  actingUserIn: 'body' | 'header';
  /** Names of the headers if `actingUserIn` is `header`. */
  actingUserHeaders: Required<ActingUser>;
  /** Name of the item field that holds the reason of a failure. */
  failureReasonField: string;
}

interface IssuerParameters {
  /** Values of the profile's parameters. */
  parameters?: Readonly<Record<string, string>>;
}

/** The parts of a tenant that its token requests use. */
export type IssuerTenant = Pick<DeploymentTenant, 'tenantId' | 'parameters'> & {
  readonly tokens: readonly DeploymentTenant['tokens'][number][];
};

export interface DeploymentTenant extends IssuerParameters {
  tenantId: string;
  tokens: (TokenType & IssuerParameters)[];
  /** `false`: the tenant has no secret for an API key. @default it has one */
  apiKey?: false;
  /** Credential secrets that were not created by the stack. */
  adopted: {
    clientCredentials?: string | AdoptedSecret<ClientCredentialsValue>;
    apiKey?: string | AdoptedSecret<ApiKeyValue>;
  };
}

/** An adopted secret. In a deployment file, an ARN alone means one with Latchkey's field names. */
export interface AdoptedSecret<Value = ClientCredentialsValue & ApiKeyValue> {
  arn: string;
  /** The fields' names in the secret. @default Latchkey's names */
  fields?: FieldNames<Value>;
  /** The secret's customer managed key, if it is not the deployment's. */
  kmsKeyArn?: string | undefined;
}

/** Maps Latchkey's name of each field to its name in the secret. A field that is missing has Latchkey's name. */
export type FieldNames<Value = ClientCredentialsValue & ApiKeyValue> = { [Name in keyof Value]?: string };

/** The kinds of credentials that the issuer gives out. */
export function issuedKindsOf({ profile }: Pick<DeploymentFile, 'profile'>): readonly CredentialKind[] {
  return credentialKindsOf(profile.offers?.includes('api-keys') === true ? {} : { apiKey: false });
}

/** The kinds of credentials for which a tenant has a secret. */
export function credentialKindsOf({ apiKey }: Pick<DeploymentTenant, 'apiKey'>): readonly CredentialKind[] {
  return apiKey === false ? CREDENTIAL_KINDS.filter((kind) => kind !== 'api-key') : CREDENTIAL_KINDS;
}

/** The kinds of credentials for which a deployment has secrets. API keys only if its issuer gives them out and any tenant has one. */
export function deployedKindsOf(
  deployment: Pick<DeploymentFile, 'profile' | 'tenants'>,
): readonly CredentialKind[] {
  const { tenants } = deployment;
  // Tenants may still be added.
  const hasApiKeys = tenants.length === 0 || tenants.some(({ apiKey }) => apiKey !== false);
  return issuedKindsOf(deployment).filter((kind) => kind !== 'api-key' || hasApiKeys);
}

/** The `SecretId` of a tenant's credential: the ARN of an adopted secret, otherwise the name. */
export function credentialSecretId(
  { prefix, tenants }: Pick<DeploymentFile, 'prefix' | 'tenants'>,
  tenant: TenantKey,
  kind: CredentialKind,
): string {
  return adoptedSecret({ tenants }, tenant, kind)?.arn ?? credentialSecretName(prefix, tenant, kind);
}

/** The secret that a tenant adopted for a credential; undefined if the stack created one. */
export function adoptedSecret(
  { tenants }: Pick<DeploymentFile, 'tenants'>,
  tenant: Pick<TenantKey, 'tenantId'>,
  kind: CredentialKind,
): AdoptedSecret | undefined {
  const adopted = tenants.find(({ tenantId }) => tenantId === tenant.tenantId)?.adopted;
  const secret = kind === 'api-key' ? adopted?.apiKey : adopted?.clientCredentials;
  return typeof secret === 'string' ? { arn: secret } : secret;
}

/** Base URL of the token endpoint of an interface; may have placeholders. Undefined if neither configuration nor profile has one. */
export function tokenBaseUrl(
  { platform, profile }: Pick<DeploymentFile, 'platform' | 'profile'>,
  tokenInterface: string,
): string | undefined {
  const configured = { content: platform.contentTokenBaseUrl, webhooks: platform.webhooksTokenBaseUrl };
  const { bases = [] } = profile.tokenEndpoint;
  return (
    (Object.hasOwn(configured, tokenInterface)
      ? configured[tokenInterface as keyof typeof configured]
      : undefined) ??
    platform.tokenBaseUrl ??
    bases.find((base) => base.interface === undefined || base.interface === tokenInterface)?.url
  );
}

/** Values of the profile's parameters for one token: the tenant's, overridden by the token's. */
export function parametersOf(
  { tenants }: { readonly tenants: readonly IssuerTenant[] },
  { tenantId, tokenType }: { tenantId: string; tokenType: TokenType },
): Readonly<Record<string, string>> {
  const tenant = tenants.find((each) => each.tenantId === tenantId);
  const token = tenant?.tokens.find((each) => isSameTokenType(each, tokenType));
  return { ...tenant?.parameters, ...token?.parameters };
}
