/**
 * A CDK app of somebody else, as a program: `foreign-app.ts OUTDIR KIND`. Its platform has real addresses, and its stacks name
 * no account or region.
 */
import { App, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { type Construct } from 'constructs';

import { addStacks } from '../../../lib/stacks/add-stacks';
import { Latchkey } from '../../../lib/constructs/latchkey';
import { LatchkeyStage } from '../../../lib/stacks/latchkey-stage';
import { parseConfiguration } from '../../../lib/options/load';

const CONFIGURATION = parseConfiguration(
  {
    endpoints: {
      staging: {
        global: {
          contentBaseUrl: 'https://api.staging.platform.example/rest/v1',
          contentTokenBaseUrl: 'https://auth.staging.platform.example',
          tenantServiceUrl: 'https://tenants.staging.platform.example',
        },
      },
    },
    deployments: [
      {
        environment: 'staging',
        restore: { available: true },
        tenants: [
          {
            tenantId: 'eu-west-2_StagingAb',
            tokens: [
              { interface: 'content', scope: 'api/read' },
              { interface: 'content', scope: 'api/write' },
            ],
          },
        ],
      },
    ],
  },
  'the foreign app',
);

/** A service beside Latchkey, with resources that the laptop does not have. */
class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const bucket = new s3.Bucket(this, 'Uploads', { enforceSSL: true });
    const service = new lambda.Function(this, 'Service', {
      runtime: lambda.Runtime.PYTHON_3_13,
      handler: 'index.handler',
      code: lambda.Code.fromInline('def handler(event, context): pass'),
      environment: { BUCKET: bucket.bucketName },
    });
    bucket.grantRead(service);
    new CfnOutput(this, 'UploadsName', { value: bucket.bucketName });
  }
}

/** A stack of its own with the construct in it. */
function addConstruct(stack: Stack): void {
  new Latchkey(stack, 'Latchkey', {
    environment: 'staging',
    endpoints: {
      contentBaseUrl: 'https://api.staging.platform.example/rest/v1',
      contentTokenBaseUrl: 'https://auth.staging.platform.example',
    },
    tenants: ['eu-west-2_StagingAb', 'eu-west-2_StagingCd'].map((tenantId) => ({
      tenantId,
      tokens: (['api/read', 'api/write'] as const).map((scope) => ({ interface: 'content', scope })),
    })),
    restore: { available: true },
  });
}

const [outdir, kind] = process.argv.slice(2);
const app = new App({ outdir: outdir!, analyticsReporting: false });
if (kind === 'stages') {
  new LatchkeyStage(app, 'Staging', { configuration: CONFIGURATION });
} else if (kind === 'construct') {
  addConstruct(new Stack(app, 'learning'));
} else {
  addStacks(app, CONFIGURATION);
  new ServiceStack(app, 'service');
}
app.synth();
