import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';

import { type DeploymentSettings } from '../deployment-settings';
import { type FunctionSettings } from './bundled-function';
import { type EncryptionKeys } from './key-statement';

/** The keys of a deployment's secrets. */
export interface EncryptionOptions {
  /** The key that every secret gets. Its policy must let IAM policies of the account decide. */
  readonly encryptionKey: kms.IKey;
  /**
   * Keys that secrets had before, while the key changes: reading and writing need the key that a secret still has.
   * @default none
   */
  readonly formerEncryptionKeys?: readonly kms.IKey[];
  /**
   * AWS regions with replicas of the secrets. Writers of a secret also need the keys of its replicas.
   * @default none
   */
  readonly replicaRegions?: readonly secretsmanager.ReplicaRegion[];
}

/** Where functions run, and for how long their log lines are kept. */
export interface FunctionOptions {
  /** @default 90 days */
  readonly logRetention?: logs.RetentionDays;
  /** The platform and AWS must be reachable from there over HTTPS. @default outside any VPC */
  readonly vpc?: ec2.IVpc;
  /** @default the private subnets of `vpc` */
  readonly vpcSubnets?: ec2.SubnetSelection;
  /** They must allow outbound HTTPS. @default a new security group for each function in a VPC */
  readonly securityGroups?: readonly ec2.ISecurityGroup[];
}

/** Where the lines of log groups are delivered. A log group has at most two such subscriptions. */
export interface LogSubscriptionOptions {
  /**
   * A Lambda function, whose policy must allow `logs.amazonaws.com`, a Kinesis or Firehose stream, all of the deployment's account
   * and AWS region, or a destination of CloudWatch Logs in any account.
   */
  readonly destinationArn: string;
  /** The role with which CloudWatch Logs writes to a stream. @default none, for a function or a destination */
  readonly roleArn?: string;
  /** A filter pattern of CloudWatch Logs. @default every line */
  readonly filterPattern?: string;
}

/** Where signed bundles are. */
export interface SignedBundlesOptions {
  /** A bucket in the AWS region of the functions. */
  readonly bucket: string;
  /** What the keys begin with, before the names that the synthesis gives the bundles. @default nothing */
  readonly prefix?: string;
}

/** Has Lambda accept only code that was signed by AWS Signer. */
export interface CodeSigningOptions {
  /** ARN of a code signing configuration of Lambda, in the account and AWS region of the functions. */
  readonly configArn: string;
  /** Where the signed bundles are. The synthesis writes the bundles to sign into the cloud assembly. */
  readonly signed: SignedBundlesOptions;
}

/** A layer with the instrumentation of OpenTelemetry. */
export interface OpenTelemetryOptions {
  /** ARN of a version of the layer, in the AWS region of the functions. It must support Node 24 on arm64. */
  readonly layerArn: string;
  /** The layer's wrapper script: `/opt/otel-instrument` for AWSOpenTelemetryDistroJs. @default '/opt/otel-handler' */
  readonly execWrapper?: '/opt/otel-handler' | '/opt/otel-instrument';
  /** Variables `OTEL_…` for every function, without secrets. @default none */
  readonly environment?: Readonly<Record<string, string>>;
}

/** How traces are recorded. */
export interface TracingOptions {
  /** Whether AWS X-Ray gets them, which takes permissions. @default true */
  readonly xray?: boolean;
  /** @default Lambda alone records when functions run */
  readonly openTelemetry?: OpenTelemetryOptions;
}

/** Settings of the functions of one part. */
export interface PartFunctionOptions extends FunctionOptions {
  /**
   * Encrypts log groups and dead letters. Its policy must let CloudWatch Logs use it for them.
   * @default keys of CloudWatch Logs and SQS
   */
  readonly logEncryptionKey?: kms.IKey;
  /** Delivers the lines of each log group. @default nowhere */
  readonly logSubscription?: LogSubscriptionOptions;
  /** @default code is not signed */
  readonly codeSigning?: CodeSigningOptions;
  /** @default no traces */
  readonly tracing?: TracingOptions;
}

/** Whether AWS X-Ray gets traces. */
export function hasXray(tracing: TracingOptions | undefined): boolean {
  return tracing !== undefined && (tracing.xray ?? true);
}

/** The ARNs of the keys, for policies. */
export function keyArnsOf({
  encryptionKey,
  formerEncryptionKeys = [],
  replicaRegions = [],
}: EncryptionOptions): EncryptionKeys {
  return {
    encryptionKeyArn: encryptionKey.keyArn,
    formerKeyArns: formerEncryptionKeys.map(({ keyArn }) => keyArn),
    isReplicated: replicaRegions.length > 0,
    replicaKeyArns: replicaRegions.flatMap(({ encryptionKey: key }) => key?.keyArn ?? []),
  };
}

/** The options without those of the part itself. */
export function functionSettingsOf({
  logRetention,
  logEncryptionKey,
  logSubscription,
  codeSigning,
  tracing,
  vpc,
  vpcSubnets,
  securityGroups,
  deployment,
}: PartFunctionOptions & { readonly deployment: DeploymentSettings }): FunctionSettings {
  return {
    authoritiesPem: deployment.authoritiesPem,
    proxyKeyArn: deployment.configured.proxy?.credentialsKmsKeyArn,
    logRetention,
    roles: deployment.roles,
    encryptionKey: logEncryptionKey,
    logSubscription,
    codeSigning,
    tracing,
    network: vpc && { vpc, subnets: vpcSubnets, securityGroups: securityGroups && [...securityGroups] },
  };
}
