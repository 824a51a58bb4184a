import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as events from 'aws-cdk-lib/aws-events';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as sns from 'aws-cdk-lib/aws-sns';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import { Construct, type IConstruct } from 'constructs';

import { type Metric } from '../../core/alarms/metrics';
import { parameterName, type ParameterLeaf } from '../../core/deployment/parameter-names';
import {
  type PlatformInterface,
  type Environment,
  type PlatformRegion,
  type ScopeOf,
} from '../../core/deployment/platform';
import { DEFAULT_PREFIX } from '../../core/secrets/secret-names';
import { deploymentKeyOf, tenantKeyOf, tokenKeyOf } from '../../core/tokens/token-key';
import { type DeploymentKey, type TokenKey } from '../../core/tokens/published-keys';
import { type CredentialRotator } from './credentials/credential-rotator';
import { type DeploymentSettings } from './deployment-settings';
import { type ChangeEventOptions, onChange } from './events/change-events';
import { checkNames } from './internal/check-names';
import { grantInvoke } from './internal/grant-statement';
import { deploymentMetric } from './observability/deployment-metric';
import { type RestoreApi } from './restore/restore-api';
import { type ITokenSecret, TokenSecret } from './tokens/token-secret';

/** A deployment, created here or by another stack. */
export interface ILatchkey extends IConstruct {
  /** The name of the issuer's profile. Undefined for the learning platform. */
  readonly issuer: string | undefined;
  readonly environment: string;
  /** Undefined if the issuer has no regions. */
  readonly platformRegion: string | undefined;
  /** Prefix of the names of secrets, parameters, alarms and the dashboard. */
  readonly prefix: string;
  /** ARN of the function that returns a valid token's version on request. */
  readonly tokenRefreshArn: string;
  /**
   * Base URL without a trailing slash. Undefined without a restore API. After `Latchkey.fromLookup` always set: it refers to
   * an SSM parameter that exists only with a restore API.
   */
  readonly restoreApiUrl: string | undefined;
  /** One of the tenants' tokens. */
  token<Interface extends PlatformInterface | (string & {})>(
    tenantId: string,
    platformInterface: Interface,
    scope: ScopeOf<Interface>,
  ): ITokenSecret;
  /** Grants requesting a valid token of any tenant from token-refresh. The response contains no token. */
  grantEnsureFresh(grantee: iam.IGrantable): iam.Grant;
  /** A metric that the functions of this deployment emit; by default the sum over five minutes. */
  metric(metricName: Metric, options?: cloudwatch.MetricOptions): cloudwatch.Metric;
  /**
   * Creates a rule for the event that a new token became current.
   * @throws {Error} if the deployment's event bus is unknown or in another account
   */
  onTokenRenewed(id: string, options?: ChangeEventOptions): events.Rule;
  /**
   * Creates a rule for the event that another version of a credential became current.
   * @throws {Error} if the deployment's event bus is unknown or in another account
   */
  onCredentialRotated(id: string, options?: ChangeEventOptions): events.Rule;
  /**
   * Creates a rule for the event that the previous version of a credential was revoked.
   * @throws {Error} if the deployment's event bus is unknown or in another account
   */
  onCredentialRevoked(id: string, options?: ChangeEventOptions): events.Rule;
}

/** A tenant that this app creates. */
export interface ICreatedTenant extends IConstruct {
  /** The secret of one of the tenant's tokens. @throws {Error} if the tenant does not declare it */
  token(platformInterface: TokenKey['interface'], scope: TokenKey['scope']): ITokenSecret;
}

/** A deployment that this app creates. */
export interface ICreatedLatchkey extends ILatchkey {
  readonly encryptionKey: kms.IKey;
  readonly alarmTopic: sns.ITopic;
  readonly credentialRotator: CredentialRotator;
  /** Undefined without a restore API. */
  readonly restoreApi: RestoreApi | undefined;
  /** @internal */
  readonly settings: DeploymentSettings;
  /** @internal The tenants whose constructs exist, by tenant id. */
  readonly createdTenants: Map<string, ICreatedTenant>;
  /** @internal ARNs of the function roles that read secret values, by the SSM parameter that publishes them. */
  readers(): Partial<Record<ParameterLeaf, string[]>>;
}

/** Identifies a deployment by issuer, environment, platform region and prefix. */
export type LatchkeyLookupOptions = (
  | {
      readonly issuer?: undefined;
      readonly environment: Environment;
      /** @default 'global' */
      readonly platformRegion?: PlatformRegion;
    }
  | {
      /** The name of the issuer's profile. */
      readonly issuer: string;
      readonly environment: string;
      /** @default the issuer has no regions */
      readonly platformRegion?: string;
    }
) & {
  /** @default 'latchkey' */
  readonly prefix?: string;
};

/** What a deployment published, for stacks in other accounts or AWS regions. */
export type LatchkeyAttributes = LatchkeyLookupOptions & {
  /** Account of the deployment. */
  readonly account: string;
  /** AWS region of the deployment. */
  readonly region: string;
  /** The value of its parameter `key-arn`. */
  readonly encryptionKeyArn: string;
  /** The value of its parameter `token-refresh-arn`. */
  readonly tokenRefreshArn: string;
  /** The value of its parameter `restore-api-url`. @default the deployment has no restore API */
  readonly restoreApiUrl?: string;
};

/** A deployment that another stack created. */
abstract class LatchkeyReference extends Construct implements ILatchkey {
  readonly issuer: string | undefined;
  readonly environment: string;
  readonly platformRegion: string | undefined;
  readonly prefix: string;
  protected readonly key: DeploymentKey;
  abstract readonly tokenRefreshArn: string;
  abstract readonly restoreApiUrl: string | undefined;

  constructor(scope: Construct, id: string, options: LatchkeyLookupOptions) {
    super(scope, id);
    const { prefix = DEFAULT_PREFIX, platformRegion = 'global' } = options;
    this.key = deploymentKeyOf(
      options.issuer === undefined ? { ...options, platformRegion } : options,
    ) as DeploymentKey;
    checkNames(this.node.path, this.key, prefix);
    this.issuer = this.key.issuer;
    this.environment = this.key.environment;
    this.platformRegion = this.key.platformRegion;
    this.prefix = prefix;
  }

  token<Interface extends PlatformInterface | (string & {})>(
    tenantId: string,
    platformInterface: Interface,
    scope: ScopeOf<Interface>,
  ): ITokenSecret {
    const tokenType = { interface: platformInterface, scope };
    return this.secretOf(tokenKeyOf(tenantKeyOf(this.key, tenantId), tokenType) as TokenKey);
  }

  grantEnsureFresh(grantee: iam.IGrantable): iam.Grant {
    return grantInvoke(grantee, this.tokenRefreshArn);
  }

  metric(metricName: Metric, options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric({ ...this.key, prefix: this.prefix }, metricName, options);
  }

  onTokenRenewed(id: string, options?: ChangeEventOptions): events.Rule {
    return onChange(this, id, 'Token Renewed', this.eventBus(), options);
  }

  onCredentialRotated(id: string, options?: ChangeEventOptions): events.Rule {
    return onChange(this, id, 'Credential Rotated', this.eventBus(), options);
  }

  onCredentialRevoked(id: string, options?: ChangeEventOptions): events.Rule {
    return onChange(this, id, 'Credential Revoked', this.eventBus(), options);
  }

  /** The bus that gets the deployment's events. @throws {Error} if it is unknown */
  protected abstract eventBus(): events.IEventBus;

  protected abstract secretOf(key: TokenKey): ITokenSecret;
}

/** Reads the SSM parameters of the deployment when the stack is deployed. */
export class LookedUpLatchkey extends LatchkeyReference {
  get tokenRefreshArn(): string {
    return this.published('token-refresh-arn');
  }

  get restoreApiUrl(): string {
    return this.published('restore-api-url');
  }

  protected secretOf(key: TokenKey): ITokenSecret {
    return TokenSecret.fromKey(this, key, { prefix: this.prefix });
  }

  protected eventBus(): events.IEventBus {
    const existingBus = this.node.tryFindChild('EventBus') as events.IEventBus | undefined;
    return existingBus ?? events.EventBus.fromEventBusArn(this, 'EventBus', this.published('event-bus-arn'));
  }

  private published(leaf: ParameterLeaf): string {
    return ssm.StringParameter.valueForStringParameter(this, parameterName(this.prefix, this.key, leaf));
  }
}

/** Takes the deployment's values from its {@link LatchkeyAttributes}. */
export class LatchkeyFromAttributes extends LatchkeyReference {
  readonly tokenRefreshArn: string;
  readonly restoreApiUrl: string | undefined;
  private readonly attributes: LatchkeyAttributes;

  constructor(scope: Construct, id: string, attributes: LatchkeyAttributes) {
    super(scope, id, attributes);
    this.attributes = attributes;
    this.tokenRefreshArn = attributes.tokenRefreshArn;
    this.restoreApiUrl = attributes.restoreApiUrl;
  }

  protected secretOf(key: TokenKey): ITokenSecret {
    const { account, region, encryptionKeyArn, tokenRefreshArn } = this.attributes;
    const owner = { account, region, encryptionKeyArn, tokenRefreshArn };
    return TokenSecret.fromKey(this, key, { prefix: this.prefix, owner });
  }

  protected eventBus(): never {
    const { account, region } = this.attributes;
    throw new Error(
      `${this.node.path}: found a deployment by its attributes; allowed for rules: one that this app creates, or Latchkey.fromLookup in a stack of ${account} in ${region}, because rules are created in the account and AWS region of their bus`,
    );
  }
}
