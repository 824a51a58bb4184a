import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Duration, RemovalPolicy, Stack, Stage } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

import { allow } from './allow';
import { bundle, optionalModule } from '../../bundling/bundle';
import { acknowledge, acknowledgeOwnPolicy, ownPolicyOf } from './acknowledge';
import { acknowledgeWildcards } from './acknowledge-wildcards';
import {
  allowNetwork,
  AUTHORITIES_FILE,
  networkModules,
  TRUSTING_AUTHORITIES_FILE,
} from './function-network';
import { type DeploymentSettings } from '../deployment-settings';
import { createRole, roleOf } from './deployment-role';
import { createLogGroup } from './log-encryption';
import { signedCode } from './signed-code';
import { hasXray, openTelemetryOf, TRACED_CODE, tracedFunction } from './traced-function';

export interface BundledFunctionProps {
  /** Folder of the function under `lambdas/`. */
  readonly bundleName: string;
  readonly description: string;
  /** Its deployment file is written to `deployment.json` next to the code. */
  readonly deployment: DeploymentSettings;
  readonly timeout: Duration;
  readonly reservedConcurrency?: number;
  /** Days for which the log lines are kept, also after the stack is deleted. @default logRetentionDays, deleted with the stack */
  readonly auditRetentionDays?: logs.RetentionDays;
  /** Files under `lambdas/optional/` that its code loads, without extension. @default none */
  readonly optionalModules?: readonly string[];
  /** Must not contain secrets. @default none */
  readonly environment?: Record<string, string>;
}

/** A function with its own role, which may only write to its own log group. */
export class BundledFunction extends Construct {
  readonly function: lambda.Function;
  readonly role: iam.IRole;
  readonly logGroup: logs.LogGroup;

  constructor(scope: Construct, id: string, props: BundledFunctionProps) {
    super(scope, id);
    const { auditRetentionDays, deployment } = props;
    const { options, authoritiesPem, network } = deployment;
    this.logGroup = createLogGroup(this, 'Logs', {
      encryptionKey: deployment.logsKey,
      retention: auditRetentionDays ?? options.logRetentionDays,
      removalPolicy:
        auditRetentionDays === undefined ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.role = createRole(this, 'Role', roleOf(deployment, props.bundleName), {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      description: `Role of ${props.description}`,
    });
    this.logGroup.grantWrite(this.role);
    acknowledgeOwnPolicy(this.role);
    if (network !== undefined) this.allowNetworkInterfaces();
    allowNetwork(this.role, props.bundleName, deployment.file, options.proxy?.credentialsKmsKeyArn);
    const environment =
      authoritiesPem === undefined
        ? props.environment
        : { ...props.environment, ...TRUSTING_AUTHORITIES_FILE };
    this.function = new lambda.Function(this, 'Function', {
      description: props.description,
      ...this.createCode(props),
      handler: 'handler.handler',
      // By its name, because older versions of aws-cdk-lib have no constant for it.
      runtime: new lambda.Runtime('nodejs24.x', lambda.RuntimeFamily.NODEJS),
      architecture: lambda.Architecture.ARM_64,
      memorySize: 512,
      timeout: props.timeout,
      role: this.role,
      logGroup: this.logGroup,
      environment,
      ...tracedFunction(this, options.tracing, environment),
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
      vpc: network?.vpc,
      vpcSubnets: network?.subnets,
      securityGroups: network?.securityGroups,
    });
    this.acknowledgeDefaults(props);
  }

  private createCode(props: BundledFunctionProps): Pick<lambda.FunctionProps, 'code' | 'codeSigningConfig'> {
    const files = this.filesOf(props);
    const folder = this.writeFiles(props.bundleName, files);
    const { codeSigning } = props.deployment.options;
    if (codeSigning === undefined) return { code: lambda.Code.fromAsset(folder) };
    return signedCode(this, { ...codeSigning, bundleName: props.bundleName, files, folder });
  }

  private acknowledgeDefaults({ deployment, reservedConcurrency }: BundledFunctionProps): void {
    const cfnFunction = this.function.node.defaultChild!;
    if (hasXray(deployment.options.tracing)) {
      acknowledgeWildcards(
        ownPolicyOf(this.role),
        ['*'],
        'The actions of X-Ray have no resource-level permissions.',
      );
    } else {
      acknowledge(
        cfnFunction,
        ['Serverless-LambdaTracing'],
        'The log lines say what a trace would; X-Ray charges for traces, and its permissions cannot be limited to a resource.',
      );
    }
    if (deployment.network === undefined) {
      const reason =
        'It calls only AWS and the platform, over TLS; a VPC is the account owner’s choice (vpc).';
      acknowledge(cfnFunction, ['NIST.800.53.R5-LambdaInsideVPC'], reason);
    }
    if (reservedConcurrency === undefined) {
      acknowledge(
        cfnFunction,
        ['NIST.800.53.R5-LambdaConcurrency'],
        'Reserved concurrency is taken from the account’s other functions, and an account with a small quota has none to reserve.',
      );
    }
  }

  private filesOf({
    bundleName,
    deployment,
    optionalModules = [],
  }: BundledFunctionProps): Record<string, string> {
    const modules = [...optionalModules, ...networkModules(bundleName, deployment.file)];
    return {
      'handler.js': bundle(bundleName),
      ...Object.fromEntries(modules.map((name) => [`${name}.js`, optionalModule(name)])),
      ...(openTelemetryOf(deployment.options.tracing) && TRACED_CODE),
      ...(deployment.authoritiesPem !== undefined && { [AUTHORITIES_FILE]: deployment.authoritiesPem }),
      'deployment.json': JSON.stringify(deployment.file, null, 2),
    };
  }

  /** Writes the code to a folder of the cloud assembly. */
  private writeFiles(bundleName: string, files: Readonly<Record<string, string>>): string {
    // One folder per construct, because functions with the same bundle may serve different deployments.
    const folder = join(
      Stage.of(this)!.outdir,
      'code',
      Stack.of(this).artifactId,
      this.node.addr,
      bundleName,
    );
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  }

  /** @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-permissions */
  private allowNetworkInterfaces(): void {
    allow(
      this.role,
      [
        'ec2:CreateNetworkInterface',
        'ec2:DescribeNetworkInterfaces',
        'ec2:DescribeSubnets',
        'ec2:DeleteNetworkInterface',
        'ec2:AssignPrivateIpAddresses',
        'ec2:UnassignPrivateIpAddresses',
      ],
      ['*'],
    );
    acknowledgeWildcards(
      ownPolicyOf(this.role),
      ['*'],
      'Lambda creates the network interfaces later, and the describe actions have no resource-level permissions.',
    );
  }
}
