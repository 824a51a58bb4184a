import { Aws, DefaultStackSynthesizer, Fn, Stack, Token } from 'aws-cdk-lib';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';

import { adoptedSecret } from '../../core/deployment/deployment-file';
import { parameterName, type ParameterLeaf } from '../../core/deployment/parameter-names';
import { type CredentialKind } from '../../core/secrets/secret-names';
import { tenantKeyOf, tokenKeyOf, tokenName, tokenTypeName } from '../../core/tokens/token-key';
import { type TenantKey, type TokenKey } from '../../core/tokens/published-keys';
import { type TenantConfiguration } from '../options/schema';
import { CredentialSecret } from './credentials/credential-secret';
import { areApart } from './internal/are-apart';
import { deployAfter } from './internal/deploy-after';
import { outermostStack } from './internal/outermost-stack';
import { requireTags } from './internal/required-tags';
import { type OnlyReaders } from './internal/secret-shell';
import { type ICreatedLatchkey } from './latchkey-reference';
import { TenantAlarms } from './observability/tenant-alarms';
import { UsagePlanMember } from './restore/restore-usage-plan';
import { TokenSecret } from './tokens/token-secret';

export interface LatchkeyTenantProps {
  /** The deployment, in the same account and AWS region, with `createTenants` false. */
  readonly latchkey: ICreatedLatchkey;
  /** One of the deployment's tenants, which has its tokens and credentials. */
  readonly tenantId: string;
}

/**
 * One tenant of a deployment: its secrets, their rotation, and its alarms. In a stack of its own, it finds the deployment by
 * SSM parameters, so that nothing is exported and either stack can be updated alone.
 */
export class LatchkeyTenant extends Construct {
  readonly clientCredentials: CredentialSecret;
  /** Undefined if the tenant's `apiKey` is false. */
  readonly apiKey: CredentialSecret | undefined;
  readonly alarms: TenantAlarms;
  private readonly tokens: { readonly key: TokenKey; readonly secret: TokenSecret }[];
  private readonly latchkey: ICreatedLatchkey;

  /** @throws {Error} if the deployment does not have the tenant, or already created it */
  constructor(scope: Construct, id: string, { latchkey, tenantId }: LatchkeyTenantProps) {
    super(scope, id);
    // A reference, which JavaScript would let in, has no tenants.
    if ((latchkey as ICreatedLatchkey | undefined)?.settings === undefined)
      throw new Error(`${this.node.path}: latchkey: found no Latchkey; allowed: one that this app creates`);
    this.latchkey = latchkey;
    const { prefix } = latchkey;
    const { options, replicas } = latchkey.settings;
    const { credentials, restoreApi } = options;
    const { tokens, apiKey, adopt } = this.claim(tenantId);
    requireTags(this, options.requiredTags);
    if (!this.isInSameStack()) deployAfter(Stack.of(this), Stack.of(latchkey), 'its parameters');
    const tenant = tenantKeyOf(latchkey.settings.file, tenantId) as TenantKey;
    const encryptionKeyArn = this.valueOrParameter('key-arn', latchkey.encryptionKey.keyArn);
    const adopted = (kind: CredentialKind) =>
      adoptedSecret({ tenants: [{ tenantId, tokens, adopted: adopt }] }, tenant, kind)?.arn;
    const shared = {
      prefix,
      tenant,
      encryptionKeyArn,
      replicas,
      rotation: {
        functionArn: this.valueOrParameter(
          'rotate-credentials-arn',
          latchkey.credentialRotator.rotateCredentialsArn,
        ),
        schedule: credentials.rotationSchedule,
      },
    };
    const credentialReaders = options.secretReaders?.credentials ?? [];
    this.clientCredentials = new CredentialSecret(this, 'ClientCredentials', {
      ...shared,
      kind: 'client-credentials',
      onlyReaders: this.onlyReaders('client-credentials-readers', credentialReaders),
      adoptedSecretArn: adopted('client-credentials'),
    });
    this.apiKey = apiKey
      ? new CredentialSecret(this, 'ApiKey', {
          ...shared,
          kind: 'api-key',
          recorders: [
            this.valueOrParameter('rotate-credentials-role-arn', latchkey.credentialRotator.roleArn),
            ...this.executionRoles(),
          ],
          onlyReaders: this.onlyReaders('api-key-readers', credentialReaders),
          adoptedSecretArn: adopted('api-key'),
        })
      : undefined;
    this.tokens = tokens.map((token) => this.createToken(tenant, token, encryptionKeyArn));
    if (restoreApi.enabled && restoreApi.usagePlan !== undefined) {
      const usagePlanId = this.valueOrParameter('restore-usage-plan-id', latchkey.restoreApi!.usagePlanId!);
      new UsagePlanMember(this, 'UsagePlan', { prefix, tenant, usagePlanId });
    }
    const topicArn = this.valueOrParameter('alarm-topic-arn', latchkey.alarmTopic.topicArn);
    this.alarms = new TenantAlarms(this, 'Alarms', {
      prefix,
      tenant,
      topic: sns.Topic.fromTopicArn(this, 'Topic', topicArn),
    });
    // Secrets Manager tries the function when it gets a schedule.
    if (this.isInSameStack()) this.node.addDependency(latchkey.credentialRotator);
  }

  /**
   * The secret of one of the tenant's tokens.
   * @throws {Error} if the tenant does not declare it
   */
  token(platformInterface: TokenKey['interface'], scope: TokenKey['scope']): TokenSecret {
    const found = this.tokens.find(({ key }) => key.interface === platformInterface && key.scope === scope);
    if (found !== undefined) return found.secret;
    const declared = this.tokens.map(({ key }) => tokenName(key)).join(', ');
    throw new Error(`${this.node.path}: token: found ${platformInterface} ${scope}; allowed: ${declared}`);
  }

  private createToken(
    tenant: TenantKey,
    { readerAccounts, readerOrganizations, ...tokenType }: TenantConfiguration['tokens'][number],
    encryptionKeyArn: string,
  ): { key: TokenKey; secret: TokenSecret } {
    const { prefix, settings, tokenRefreshArn } = this.latchkey;
    const readers = settings.options.secretReaders?.tokens;
    const key = tokenKeyOf(tenant, tokenType) as TokenKey;
    const secret = new TokenSecret(this, `Token-${tokenTypeName(key, '-')}`, {
      prefix,
      key,
      encryptionKeyArn,
      otherKeyArns: settings.keys.formerKeyArns,
      replicas: settings.replicas,
      readerAccounts,
      readerOrganizations,
      onlyReaders: readers && this.onlyReaders('token-readers', readers),
      tokenRefreshArn: this.isInSameStack() ? tokenRefreshArn : undefined,
    });
    return { key, secret };
  }

  /** Two constructs for one tenant would create its secrets twice, and the second deployment would fail. */
  private claim(tenantId: string): TenantConfiguration {
    const { latchkey } = this;
    const { createTenants, tenants } = latchkey.settings.options;
    const refusal = (allowed: string) =>
      new Error(`${this.node.path}: tenantId: found ${JSON.stringify(tenantId)}; allowed: ${allowed}`);
    const tenant = tenants.find((each) => each.tenantId === tenantId);
    if (tenant === undefined) throw refusal(latchkey.settings.tenantIds.join(', '));
    const other = latchkey.createdTenants.get(tenantId);
    if (other !== undefined) throw refusal(`a tenant that ${other.node.path} does not create`);
    if (createTenants && this.node.scope !== latchkey)
      throw refusal(
        `none, because ${latchkey.node.path} creates its tenants: set its createTenants to false`,
      );
    if (areApart(this, latchkey)) throw refusal(`one in the account and AWS region of ${latchkey.node.path}`);
    latchkey.createdTenants.set(tenantId, this);
    return tenant;
  }

  /** Whether tenant and deployment are in one stack. CloudFormation could not read the deployment's parameters there yet. */
  private isInSameStack(): boolean {
    return outermostStack(this) === outermostStack(this.latchkey);
  }

  /** A value of the deployment: itself in the same stack or if it is known at synthesis, otherwise read from its parameter. */
  private valueOrParameter(leaf: ParameterLeaf, value: string): string {
    if (this.isInSameStack() || !Token.isUnresolved(value)) return value;
    return this.published(leaf);
  }

  private published(leaf: ParameterLeaf): string {
    const { prefix } = this.latchkey;
    return ssm.StringParameter.valueForStringParameter(
      this,
      parameterName(prefix, this.latchkey.settings.file, leaf),
    );
  }

  private onlyReaders(leaf: ParameterLeaf, principals: readonly string[]): OnlyReaders | undefined {
    const { secretReaders } = this.latchkey.settings.options;
    if (secretReaders === undefined) return undefined;
    return {
      functionRoleArns: this.isInSameStack()
        ? this.latchkey.readers()[leaf]!
        : Fn.split(',', this.published(leaf)),
      principals: [secretReaders.breakGlassRoleArn, ...this.executionRoles(), ...principals],
    };
  }

  /**
   * The role that CloudFormation deploys with. Its handler of secrets may need to read the value. People cannot assume the role,
   * and who deploys with it can change the policies of secrets anyway. Empty if the stack is deployed without one.
   * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/fas-requests-and-permission-evaluation.html
   */
  private executionRoles(): string[] {
    const { synthesizer } = Stack.of(this);
    if (!(synthesizer instanceof DefaultStackSynthesizer)) return [];
    return [
      synthesizer.cloudFormationExecutionRoleArn
        .replaceAll('${AWS::Partition}', Aws.PARTITION)
        .replaceAll('${AWS::AccountId}', Aws.ACCOUNT_ID)
        .replaceAll('${AWS::Region}', Aws.REGION),
    ];
  }
}
