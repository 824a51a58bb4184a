import { type Duration } from 'aws-cdk-lib';

import { type DeploymentFile, type PlatformAddresses } from '../../core/deployment/deployment-file';
import { type Environment, type PlatformRegion, type TokenType } from '../../core/deployment/platform';
import { type RestoreAuth } from '../../core/restore/restore-operation';
import { type DeploymentKey } from '../../core/tokens/token-key';
import { deploymentFileOf } from '../options/compose-deployment-file';
import { type DeploymentConfiguration } from '../options/schema';
import { authoritiesPemOf } from './internal/authorities-file';
import { type RoleOptions } from './internal/deployment-role';
import { checkTypes } from './internal/check-types';
import { checkProps, type WrittenDeployment, writtenSettings } from './internal/written-configuration';

/** A token to keep fresh, in its own secret. */
export type TokenOptions = Readonly<TokenType> & {
  /** Other AWS accounts that may let their roles read the token. @default none */
  readonly readerAccounts?: readonly string[];
  /** Ids of organizations whose other accounts may all do the same. @default none */
  readonly readerOrganizations?: readonly string[];
};

/** An existing secret to use for a credential, instead of a new one. */
export interface AdoptedSecretOptions {
  /** Full ARN of the secret. */
  readonly arn: string;
  /**
   * Names of the credential's fields in the secret's JSON object, by Latchkey's names: `clientId` and `clientSecret`, or
   * `apiKey` and `validUntil`.
   * @default Latchkey's names
   */
  readonly fields?: Readonly<Record<string, string>>;
  /** ARN of the secret's key. @default the deployment's key, or the AWS managed one */
  readonly kmsKeyArn?: string;
}

/** A tenant of a deployment. */
export interface TenantOptions {
  /** As the platform issued it. It differs between staging and production. */
  readonly tenantId: string;
  /** At least one token. Declare only the scopes that you need. */
  readonly tokens: readonly TokenOptions[];
  /** Existing secrets with the tenant's credentials: their full ARNs, or more about them. @default new secrets */
  readonly adopt?: {
    readonly clientCredentials?: string | AdoptedSecretOptions;
    readonly apiKey?: string | AdoptedSecretOptions;
  };
}

/** The platform's restore operation, where it differs from the defaults. */
export interface RestoreOperationOptions {
  /** Whether the platform offers restore to you. It is announced as “coming soon”. @default false */
  readonly available?: boolean;
  /** @default 'POST' */
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  /** Path relative to `contentBaseUrl`, with `{contentId}` once. @default '/contents/{contentId}/restore' */
  readonly path?: string;
  /** Status of a successful response, which must have a body. @default 200 */
  readonly successStatus?: number;
  /** Where the platform expects the acting user. @default 'body' */
  readonly actingUserIn?: 'body' | 'header';
  /** Names of the headers if `actingUserIn` is `header`. @default X-Author-Ref and X-Collaboration-Id */
  readonly actingUserHeaders?: { readonly authorRef?: string; readonly collaborationId?: string };
  /** Field of an item in the response with the reason why the item failed. @default 'failureReason' */
  readonly failureReasonField?: string;
}

/** An HTTP proxy through which the functions call the platform. */
export interface ProxyOptions {
  /** `http://HOST:PORT` or `https://HOST:PORT`, without credentials. */
  readonly url: string;
  /** Full ARN of a secret with `username` and `password` for the proxy, in the deployment's AWS region. @default none */
  readonly credentialsSecretArn?: string;
  /** ARN of that secret's key. @default the AWS managed key */
  readonly credentialsKmsKeyArn?: string;
  /** Hosts that are called without the proxy, with the meaning of `NO_PROXY`. @default none */
  readonly noProxy?: readonly string[];
  /** Whether calls to AWS take the proxy too; only without `credentialsSecretArn`. @default 'direct' */
  readonly awsCalls?: 'direct' | 'proxy';
}

/** Certificate authorities that the functions trust besides the usual ones: exactly one of the two. */
export interface CertificateAuthoritiesOptions {
  /** Name of an SSM parameter of type String with certificates in PEM, which functions read at their cold start. */
  readonly parameterName?: string;
  /** A PEM file, relative to the working directory, which is deployed with the functions. */
  readonly file?: string;
}

/** What a deployment serves: the settings that all its parts share. */
export interface DeploymentSettingsProps {
  /** The platform's environment. */
  readonly environment: Environment;
  /** Region of the platform, not of AWS. @default 'global', which is every region except MEA */
  readonly platformRegion?: PlatformRegion;
  /** The platform's https addresses in this environment and platform region. */
  readonly endpoints: Readonly<PlatformAddresses>;
  /** @default none */
  readonly tenants?: readonly TenantOptions[];
  /** Prefix of the names of secrets, parameters, alarms and the dashboard. @default 'latchkey' */
  readonly prefix?: string;
  /** @default the platform offers no restore yet; otherwise as its specification announces it */
  readonly restoreOperation?: RestoreOperationOptions;
  /** Whether the deployment has a restore API. @default true */
  readonly restoreApi?: boolean;
  /**
   * How callers of the restore API authenticate. `platform`: with the platform's Basic or Bearer scheme. `iam`: as principals
   * with `grantRestore` that sign their requests.
   * @default 'platform'
   */
  readonly restoreAuth?: RestoreAuth;
  /** How long the restore API accepts the previous API key after a rotation. At most 30 days. @default Duration.hours(24) */
  readonly apiKeyGrace?: Duration;
  /** Age at which a credential must be rotated, from 15 to 365 days. @default Duration.days(90) */
  readonly maxCredentialAge?: Duration;
  /**
   * When Secrets Manager rotates credentials: a cron expression in UTC. `none`: only on request.
   * @default 'cron(0 8 1 *\/3 ? *)'
   */
  readonly rotationSchedule?: string;
  /** Maximum time that any reader caches a token; less than 10 minutes. @default Duration.minutes(5) */
  readonly maxReaderCache?: Duration;
  /**
   * Token requests per second that token-sweep sends at most, for all tenants together; 5 to 25. It decides how many tokens
   * the deployment keeps fresh.
   * @default 10
   */
  readonly tokenRequestsPerSec?: number;
  /** @default none */
  readonly proxy?: ProxyOptions;
  /** Authorities to trust besides the usual ones, for example of a proxy that opens TLS. @default none */
  readonly certificateAuthorities?: CertificateAuthoritiesOptions;
  /**
   * Whether to add alarms that notify nobody, and metrics that no alarm needs, for about USD 2 a month. Without them, findings
   * are in `latchkey status`, and the values in the log.
   * @default false
   */
  readonly fullMonitoring?: boolean;
  /** Path and names of roles and managed policies, or those that exist already. @default they are created */
  readonly roles?: RoleOptions;
  /** Whether all addresses are on loopback with a port, for the laptop system. @default false */
  readonly local?: boolean;
}

/**
 * What a deployment serves, for its parts. A {@link Latchkey} makes its own; you need one only to compose the parts yourself.
 */
export class DeploymentSettings implements DeploymentKey {
  readonly environment: Environment;
  readonly platformRegion: PlatformRegion;
  /** Prefix of the names of secrets, parameters, alarms and the dashboard. */
  readonly prefix: string;
  readonly tenantIds: readonly string[];
  /** @internal */
  readonly configured: DeploymentConfiguration;
  /** @internal */
  readonly roles: RoleOptions | undefined;
  /** @internal */
  readonly file: DeploymentFile;
  /** @internal Certificates in PEM, to deploy with the functions. */
  readonly authoritiesPem: string | undefined;
  private readonly props: DeploymentSettingsProps;

  /** @throws {ConfigurationError} lists every fault: the property, the value found, and what is allowed */
  constructor(props: DeploymentSettingsProps) {
    checkTypes('DeploymentSettings', props);
    const { configuration, configured } = checkProps('DeploymentSettings', writtenSettings(props));
    this.props = props;
    this.roles = props.roles;
    this.configured = configured;
    this.file = deploymentFileOf(configuration, configured);
    this.authoritiesPem = authoritiesPemOf(props.certificateAuthorities?.file);
    this.environment = configured.environment;
    this.platformRegion = configured.platformRegion;
    this.prefix = configuration.prefix;
    this.tenantIds = configured.tenants.map(({ tenantId }) => tenantId);
  }

  /**
   * Checks what a part adds, together with these settings.
   * @param names of the part's properties that have others in a {@link Latchkey}
   * @internal
   */
  with(place: string, more: WrittenDeployment, names?: Record<string, string>): DeploymentConfiguration {
    return checkProps(place, writtenSettings(this.props, more), names).configured;
  }
}
