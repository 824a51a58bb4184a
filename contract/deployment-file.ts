import { type TokenType, type PlatformInterface } from './platform';
import { type CredentialKind, credentialSecretName } from './secret-names';
import { type DeploymentKey, type TenantKey } from './token-key';

/**
 * `deployment.json`, which lies beside the code of every function: what a deployment serves.
 * A file, because a function's environment variables end at 4 KB. Nothing in it is secret.
 */
export interface DeploymentFile extends DeploymentKey {
  /** Prefix of secret and parameter names. */
  prefix: string;
  platform: PlatformAddresses;
  restore: RestoreOperation;
  restoreApi: {
    /** How long an API key authenticates after another one took its place. */
    apiKeyGraceSec: number;
  };
  credentials: {
    /** Age, in days, at which a credential's rotation is due. */
    maxAgeDays: number;
  };
  tenants: DeploymentTenant[];
}

/** The addresses of one deployment; https, without a slash at the end. */
export interface PlatformAddresses {
  contentBaseUrl: string;
  contentTokenBaseUrl: string;
  webhooksBaseUrl?: string;
  webhooksTokenBaseUrl?: string;
  tenantServiceUrl?: string;
}

/** How the platform offers its restore operation, which its specification leaves provisional. */
export interface RestoreOperation {
  available: boolean;
  method: 'POST' | 'PUT' | 'PATCH';
  /** Path below the content base; `{contentId}` stands for the id. */
  path: string;
  successStatus: number;
  actingUserIn: 'body' | 'header';
  /** Field of an item that carries the reason of its failure. */
  failureReasonField: string;
}

export interface DeploymentTenant {
  tenantId: string;
  tokens: TokenType[];
  /** ARNs of credential secrets that existed before the stack and were adopted. */
  adopted: { clientCredentials?: string; apiKey?: string };
}

/** The secret of a tenant's credential, as Secrets Manager finds it: the ARN of an adopted one, else the name. */
export function credentialSecretId(
  { prefix, tenants }: Pick<DeploymentFile, 'prefix' | 'tenants'>,
  tenant: TenantKey,
  kind: CredentialKind,
): string {
  const adopted = tenants.find(({ tenantId }) => tenantId === tenant.tenantId)?.adopted;
  const arn = kind === 'api-key' ? adopted?.apiKey : adopted?.clientCredentials;
  return arn ?? credentialSecretName(prefix, tenant, kind);
}

/** The token base address of an interface; configuration demands it wherever a token of the interface is declared. */
export function tokenBaseUrl(
  platform: PlatformAddresses,
  platformInterface: PlatformInterface,
): string | undefined {
  return platformInterface === 'content' ? platform.contentTokenBaseUrl : platform.webhooksTokenBaseUrl;
}
