import { Fn, Stack, type StackProps } from 'aws-cdk-lib';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import { type Construct } from 'constructs';

import { adoptedSecret } from '../../contract/deployment-file';
import { parameterName, type ParameterLeaf } from '../../contract/parameter-names';
import { type CredentialKind } from '../../contract/secret-names';
import { type TenantKey, type TokenKey, tokenTypeName } from '../../contract/token-key';
import { type Configuration, type DeploymentConfiguration, type TenantConfiguration } from '../config/schema';
import { CredentialSecret } from '../constructs/credentials/credential-secret';
import { TenantAlarms } from '../constructs/observability/tenant-alarms';
import { TokenSecret } from '../constructs/tokens/token-secret';
import { UsagePlanMember } from '../constructs/restore/restore-usage-plan';
import { addTenantOutputs } from './stack-outputs';

export interface TenantStackProps extends StackProps {
  readonly configuration: Configuration;
  readonly deployment: DeploymentConfiguration;
  readonly tenant: TenantConfiguration;
}

/** The stack of one tenant: secrets, rotation and alarms. Separate, so that a tenant can be added and removed alone. */
export class TenantStack extends Stack {
  readonly clientCredentials: CredentialSecret;
  readonly apiKey: CredentialSecret;
  readonly alarms: TenantAlarms;
  private readonly tokens: { key: TokenKey; secret: TokenSecret }[];

  constructor(scope: Construct, id: string, props: TenantStackProps) {
    super(scope, id, props);
    const { prefix } = props.configuration;
    const { environment, platformRegion, kmsKeyArn, formerKmsKeyArns } = props.deployment;
    const { credentials, alarms, restoreApi, secretReaders } = props.deployment;
    const { tenantId, tokens, adopt } = props.tenant;
    const tenant: TenantKey = { environment, platformRegion, tenantId };
    const published = (leaf: ParameterLeaf) =>
      ssm.StringParameter.valueForStringParameter(this, parameterName(prefix, tenant, leaf));
    const encryptionKeyArn = kmsKeyArn ?? published('key-arn');

    const onlyReaders = (leaf: ParameterLeaf, principals = secretReaders?.credentials) =>
      secretReaders &&
      principals && {
        functionRoleArns: Fn.split(',', published(leaf)),
        principals: [secretReaders.breakGlassRoleArn, ...principals],
      };
    const adopted = (kind: CredentialKind) =>
      adoptedSecret({ tenants: [{ tenantId, tokens, adopted: adopt }] }, tenant, kind)?.arn;
    const shared = {
      prefix,
      tenant,
      encryptionKeyArn,
      rotation: {
        functionArn: published('rotate-credentials-arn'),
        schedule: credentials.rotationSchedule,
      },
    };
    this.clientCredentials = new CredentialSecret(this, 'ClientCredentials', {
      ...shared,
      kind: 'client-credentials',
      onlyReaders: onlyReaders('client-credentials-readers'),
      adoptedSecretArn: adopted('client-credentials'),
    });
    this.apiKey = new CredentialSecret(this, 'ApiKey', {
      ...shared,
      kind: 'api-key',
      onlyReaders: onlyReaders('api-key-readers'),
      adoptedSecretArn: adopted('api-key'),
    });
    this.tokens = tokens.map(({ readerAccounts, ...target }) => {
      const key: TokenKey = { ...tenant, ...target };
      const secret = new TokenSecret(this, `Token-${tokenTypeName(target, '-')}`, {
        prefix,
        key,
        encryptionKeyArn,
        formerKeyArns: formerKmsKeyArns,
        readerAccounts,
        onlyReaders: secretReaders?.tokens && onlyReaders('token-readers', secretReaders.tokens),
      });
      return { key, secret };
    });
    if (restoreApi.enabled && restoreApi.usagePlan !== undefined) {
      const usagePlanId = published('restore-usage-plan-id');
      new UsagePlanMember(this, 'UsagePlan', { prefix, tenant, usagePlanId });
    }
    const topicArn = alarms.topicArn ?? published('alarm-topic-arn');
    this.alarms = new TenantAlarms(this, 'Alarms', {
      prefix,
      tenant,
      topic: sns.Topic.fromTopicArn(this, 'Topic', topicArn),
    });
    if (adopt.clientCredentials === undefined) addTenantOutputs(this, tenant);
  }

  /**
   * The secret of one of the tenant's tokens.
   * @throws {Error} if the configuration does not declare it
   */
  token(platformInterface: TokenKey['interface'], scope: TokenKey['scope']): TokenSecret {
    const found = this.tokens.find(({ key }) => key.interface === platformInterface && key.scope === scope);
    if (found !== undefined) return found.secret;
    const declared = this.tokens.map(({ key }) => `${key.interface} ${key.scope}`).join(', ');
    throw new Error(`token: found ${platformInterface} ${scope}; allowed: ${declared}`);
  }
}
