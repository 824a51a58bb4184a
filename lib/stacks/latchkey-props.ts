import { Duration } from 'aws-cdk-lib';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as events from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as route53 from 'aws-cdk-lib/aws-route53';
import * as sns from 'aws-cdk-lib/aws-sns';
import { type Construct } from 'constructs';

import { requiredTagsOf } from '../options/required-tags-settings';
import { replicasOf } from '../options/replica-regions-settings';
import { type Configuration, type DeploymentConfiguration } from '../options/schema';
import { type LatchkeyProps } from '../constructs/latchkey';
import { type RestoreApiOptions } from '../constructs/restore/restore-api';

/** The properties that a deployment of a configuration stands for. Imports what it names into the scope. */
export function latchkeyPropsOf(
  scope: Construct,
  { local, prefix, endpoints, requiredTags }: Configuration,
  deployment: DeploymentConfiguration,
): LatchkeyProps {
  const { environment, platformRegion, restoreApi, credentials, alarms, secretReaders } = deployment;
  const { topicArn, topicKmsKeyArn, emails, ...alarmThresholds } = alarms;
  const keyOf = (id: string, arn: string) => kms.Key.fromKeyArn(scope, id, arn);
  const optionalKey = (id: string, arn?: string) => (arn === undefined ? undefined : keyOf(id, arn));
  return {
    ...{ local, prefix, environment, platformRegion, alarmThresholds },
    endpoints: endpoints[environment]![platformRegion]!,
    tenants: deployment.tenants,
    createTenants: false,
    restoreOperation: deployment.restore,
    restoreApi: restoreApi.enabled,
    restoreAuth: restoreApi.auth,
    apiKeyGrace: Duration.hours(restoreApi.apiKeyGraceHours),
    restoreApiOptions: restoreApiOptionsOf(scope, restoreApi),
    // It has a stack of its own, for all deployments in an account and region.
    apiGatewayLogging: false,
    roles: deployment.roles,
    maxCredentialAge: Duration.days(credentials.maxAgeDays),
    rotationSchedule: credentials.rotationSchedule,
    maxReaderCache: Duration.seconds(deployment.readerCacheSec),
    tokenRequestsPerSec: deployment.tokenRequestsPerSec,
    reserveConcurrency: deployment.reservedConcurrency === 1,
    encryptionKey: optionalKey('KmsKey', deployment.kmsKeyArn),
    formerEncryptionKeys: deployment.formerKmsKeyArns?.map((arn, index) =>
      keyOf(`FormerKmsKey${index}`, arn),
    ),
    replicaRegions: replicaRegionsOf(scope, deployment),
    ...networkOf(scope, deployment),
    proxy: deployment.proxy,
    certificateAuthorities: deployment.certificateAuthorities,
    logRetention: deployment.logRetentionDays,
    encryptLogsAndQueue: deployment.encryptLogsAndQueue,
    logsEncryptionKey: optionalKey('LogsKmsKey', deployment.logsKmsKeyArn),
    alarmTopicKey: optionalKey('TopicKmsKey', topicKmsKeyArn),
    logSubscription: deployment.logSubscription,
    codeSigning: deployment.codeSigning,
    tracing: tracingOf(deployment),
    auditSecrets: deployment.auditSecrets,
    dashboard: deployment.dashboard,
    fullMonitoring: deployment.fullMonitoring,
    secretReaders: secretReaders && {
      ...secretReaders,
      breakGlassRole: iam.Role.fromRoleArn(scope, 'BreakGlassRole', secretReaders.breakGlassRoleArn, {
        mutable: false,
      }),
    },
    events: deployment.events && {
      ...(deployment.events !== true && {
        eventBus: events.EventBus.fromEventBusArn(scope, 'EventBus', deployment.events.eventBusArn),
      }),
    },
    alarmTopic: topicArn === undefined ? undefined : sns.Topic.fromTopicArn(scope, 'Topic', topicArn),
    alarmEmails: emails,
    requiredTags: requiredTagsOf(requiredTags),
  };
}

/** The replicas of a deployment. Imports their keys into the scope. */
export function replicaRegionsOf(
  scope: Construct,
  { replicaRegions }: Pick<DeploymentConfiguration, 'replicaRegions'>,
): LatchkeyProps['replicaRegions'] {
  if (replicaRegions === undefined) return undefined;
  return replicasOf(replicaRegions).map(({ region, kmsKeyArn }) => ({
    region,
    encryptionKey:
      kmsKeyArn === undefined ? undefined : kms.Key.fromKeyArn(scope, `ReplicaKey-${region}`, kmsKeyArn),
  }));
}

function tracingOf({ tracing }: DeploymentConfiguration): LatchkeyProps['tracing'] {
  if (tracing === undefined || tracing === 'xray') return tracing && {};
  const { xray, ...openTelemetry } = tracing.opentelemetry;
  return { xray, openTelemetry };
}

function restoreApiOptionsOf(
  scope: Construct,
  { domain, vpcEndpointIds, auditRetentionDays, ...options }: DeploymentConfiguration['restoreApi'],
): RestoreApiOptions {
  const { callerAccounts, callerOrganizations, rateLimit, burstLimit, usagePlan, webAclArn, ratePerIp } =
    options;
  const { name, certificateArn, hostedZoneId } = domain ?? {};
  return {
    ...{ callerAccounts, callerOrganizations, rateLimit, burstLimit, usagePlan, webAclArn, ratePerIp },
    domainName: name,
    certificate:
      certificateArn === undefined
        ? undefined
        : acm.Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    hostedZone:
      hostedZoneId === undefined
        ? undefined
        : route53.HostedZone.fromHostedZoneId(scope, 'HostedZone', hostedZoneId),
    vpcEndpoints: vpcEndpointIds?.map((vpcEndpointId) =>
      ec2.InterfaceVpcEndpoint.fromInterfaceVpcEndpointAttributes(scope, vpcEndpointId, {
        vpcEndpointId,
        port: 443,
      }),
    ),
    auditRetention: auditRetentionDays,
  };
}

function networkOf(
  scope: Construct,
  { vpc }: DeploymentConfiguration,
): Pick<LatchkeyProps, 'vpc' | 'vpcSubnets' | 'securityGroups'> {
  if (vpc === undefined) return {};
  const { vpcId, subnetIds, securityGroupIds } = vpc;
  return {
    vpc: ec2.Vpc.fromVpcAttributes(scope, 'Vpc', { vpcId, availabilityZones: ['unused'] }),
    vpcSubnets: { subnets: subnetIds.map((id) => ec2.Subnet.fromSubnetId(scope, id, id)) },
    securityGroups: securityGroupIds.map((id) =>
      ec2.SecurityGroup.fromSecurityGroupId(scope, id, id, { mutable: false }),
    ),
  };
}
