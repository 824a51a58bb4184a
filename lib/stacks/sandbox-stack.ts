import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Stage } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { type Construct } from 'constructs';

import { bundle } from '../bundling/bundle';

/** Two tenants of one deployment. */
const DEFAULT_SEED = {
  deployments: [
    {
      environment: 'staging',
      platformRegion: 'global',
      tenants: [{ tenantId: 'eu-west-2_StagingOne' }, { tenantId: 'eu-west-2_StagingTwo' }],
    },
  ],
};
/** Longer than API Gateway waits. */
const TIMEOUT = Duration.seconds(30);

export interface SandboxStackProps extends StackProps {
  /** Deployments and tenants, in the format of the sandbox's seed files. Must not contain secrets. @default two tenants */
  readonly seed?: object;
}

/**
 * The sandbox of the platform in an AWS account: a function behind a REST API, for as long as a deployment is tried out.
 * Deleting the stack leaves nothing behind. Only the holder of the control secret can issue credentials.
 * @see docs/decisions/0032-where-the-sandbox-keeps-its-state.md
 */
export class SandboxStack extends Stack {
  constructor(scope: Construct, id: string, { seed = DEFAULT_SEED, ...props }: SandboxStackProps = {}) {
    super(scope, id, {
      description: 'Latchkey: a sandbox of the platform, to try out a deployment',
      ...props,
    });
    const removalPolicy = RemovalPolicy.DESTROY;
    const table = new dynamodb.Table(this, 'State', {
      partitionKey: { name: 'id', type: dynamodb.AttributeType.STRING },
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      removalPolicy,
    });
    const controlSecret = new secretsmanager.Secret(this, 'ControlSecret', {
      // CloudFormation would name it by its logical id alone, so policies could not name it.
      secretName: `${this.stackName}/control`,
      description: 'Gives access to the control of the sandbox',
      generateSecretString: { excludePunctuation: true, passwordLength: 64 },
      removalPolicy,
    });
    const logGroup = new logs.LogGroup(this, 'Logs', {
      retention: logs.RetentionDays.ONE_DAY,
      removalPolicy,
    });
    const role = new iam.Role(this, 'Role', {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      description: 'Role of the platform sandbox',
    });
    logGroup.grantWrite(role);
    const allow = (resource: string, ...actions: string[]) =>
      role.addToPolicy(new iam.PolicyStatement({ actions, resources: [resource] }));
    allow(table.tableArn, 'dynamodb:GetItem', 'dynamodb:PutItem');
    allow(controlSecret.secretArn, 'secretsmanager:GetSecretValue');
    const handler = new lambda.Function(this, 'Function', {
      description: 'Platform sandbox',
      code: lambda.Code.fromAsset(this.writeCode(seed)),
      handler: 'handler.handler',
      // By its name, because older versions of aws-cdk-lib have no constant for it.
      runtime: new lambda.Runtime('nodejs24.x', lambda.RuntimeFamily.NODEJS),
      architecture: lambda.Architecture.ARM_64,
      memorySize: 512,
      timeout: TIMEOUT,
      role,
      logGroup,
      environment: { STATE_TABLE: table.tableName, CONTROL_SECRET_ARN: controlSecret.secretArn },
    });
    const api = new apigateway.LambdaRestApi(this, 'Api', {
      handler,
      // The console's test button would need two more permissions.
      integrationOptions: { allowTestInvoke: false },
      description: 'Platform sandbox',
      endpointConfiguration: { types: [apigateway.EndpointType.REGIONAL] },
      // The account has one logging role for all its APIs, which a stack that comes and goes must not replace.
      cloudWatchRole: false,
    });
    new CfnOutput(this, 'SandboxUrl', {
      description: 'Base address of the sandbox; its control is below /_sandbox',
      value: api.url.replace(/\/$/, ''),
    });
    new CfnOutput(this, 'ControlSecretName', {
      description: 'Secret whose value authorizes requests to control, as a bearer token',
      value: controlSecret.secretName,
    });
  }

  /** Writes the bundle and its seed to a folder of the cloud assembly. */
  private writeCode(seed: object): string {
    const folder = join(Stage.of(this)!.outdir, 'code', this.artifactId, 'sandbox');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'handler.js'), bundle('sandbox'));
    writeFileSync(join(folder, 'seed.json'), JSON.stringify(seed, null, 2));
    return folder;
  }
}
