import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DeploymentFile } from '../../../../../core/deployment/deployment-file';
import { LEARNING_PLATFORM } from '../../../../../core/issuers/learning-platform';
import { type DeploymentKey } from '../../../../../core/tokens/token-key';

/** A stand-in for the app: it writes the cloud assembly of one small deployment, as `cdk synth` would. */

const DEPLOYMENT_KEY: DeploymentKey = { environment: 'staging', platformRegion: 'mea' };
const TOKEN = { interface: 'content', scope: 'api/read' } as const;
const HANDLER = `exports.handler = async () => {
  console.log('pid ' + process.pid);
  console.log('calls', require('./deployment.json').platform.contentBaseUrl, process.env.CONTENTS);
  if (process.env.HANG) await new Promise(() => setInterval(() => {}, 1000));
};`;
const outDir = process.env.CDK_OUTDIR!;
const configuration = JSON.parse(readFileSync(process.env.LATCHKEY_CONFIG!, 'utf8')) as {
  fail?: string;
  hang?: boolean;
  contentBaseUrl: string;
};
if (configuration.fail !== undefined) {
  process.stderr.write(`${configuration.fail}\n`);
  process.exit(1);
}

const json = (name: string, content: unknown): void =>
  writeFileSync(join(outDir, name), JSON.stringify(content));
const role = (service: string, statements: object[]): object => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Statement: { Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' },
    },
    Policies: [{ PolicyName: 'p', PolicyDocument: { Statement: statements } }],
  },
});
const parameter = (leaf: string, value: object | string): object => ({
  Type: 'AWS::SSM::Parameter',
  Properties: { Name: `/latchkey/staging/mea/${leaf}`, Type: 'String', Value: value },
});
const secret = (name: string): object => ({
  Type: 'AWS::SecretsManager::Secret',
  Properties: { Name: `latchkey/staging/mea/tenant-1/${name}` },
});
const arnOf = (id: string): object => ({ 'Fn::GetAtt': [id, 'Arn'] });
const deployment: Partial<DeploymentFile> = {
  ...DEPLOYMENT_KEY,
  prefix: 'latchkey',
  profile: LEARNING_PLATFORM,
  platform: {
    contentBaseUrl: configuration.contentBaseUrl,
    contentTokenBaseUrl: configuration.contentBaseUrl,
  },
  tenants: [{ tenantId: 'tenant-1', tokens: [TOKEN], adopted: {} }],
};
const Resources = {
  KeyArn: parameter('key-arn', 'arn:aws:kms:eu-west-1:111111111111:key/own'),
  SweepRole: role('lambda.amazonaws.com', [{ Effect: 'Allow', Action: 'logs:*', Resource: '*' }]),
  Sweep: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Code: { S3Bucket: 'assets', S3Key: 'code.zip' },
      Handler: 'index.handler',
      Role: arnOf('SweepRole'),
      Runtime: 'nodejs24.x',
      Timeout: 30,
      Environment: {
        Variables: {
          ...(configuration.hang && { HANG: '1' }),
          CONTENTS: `${configuration.contentBaseUrl}/contents`,
        },
      },
    },
  },
  SweepArn: parameter('token-sweep-arn', arnOf('Sweep')),
  ScheduleRole: role('scheduler.amazonaws.com', [
    { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: arnOf('Sweep') },
  ]),
  Schedule: {
    Type: 'AWS::Scheduler::Schedule',
    Properties: {
      FlexibleTimeWindow: { Mode: 'OFF' },
      ScheduleExpression: 'rate(5 minutes)',
      Target: { Arn: arnOf('Sweep'), RoleArn: arnOf('ScheduleRole') },
    },
  },
  ClientCredentials: secret('client-credentials'),
  ApiKey: secret('api-key'),
  Token: secret('token/content/api-read'),
};
mkdirSync(join(outDir, 'asset.code'), { recursive: true });
writeFileSync(join(outDir, 'asset.code/index.js'), HANDLER);
json('asset.code/deployment.json', deployment);
json('small.template.json', { Resources });
json('small.assets.json', {
  files: {
    code: {
      source: { path: 'asset.code', packaging: 'zip' },
      destinations: { here: { objectKey: 'code.zip' } },
    },
  },
});
json('manifest.json', {
  artifacts: {
    'latchkey-staging-mea': {
      type: 'aws:cloudformation:stack',
      properties: { templateFile: 'small.template.json' },
    },
    'small.assets': { type: 'cdk:asset-manifest', properties: { file: 'small.assets.json' } },
  },
});
