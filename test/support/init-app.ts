import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** The TypeScript that `cdk init` asks for. */
export const NEWEST_COMPILER = join(ROOT, 'test/packaging/node_modules/typescript-newest/bin/tsc');
const TENANT_ID = 'eu-west-2_StagingAb';

/** Latchkey with resources of the app: network, key, topic, domain, and functions, one of which reads a token. */
const STACK = `
import * as cdk from 'aws-cdk-lib/core';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as kms from 'aws-cdk-lib/aws-kms';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import * as route53 from 'aws-cdk-lib/aws-route53';
import * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { Latchkey } from 'latchkey/constructs';

export class LearningStack extends cdk.Stack {
  constructor(scope: Construct, id: string, props?: cdk.StackProps) {
    super(scope, id, props);
    const zone = new route53.PublicHostedZone(this, 'Zone', { zoneName: 'learning.example.org' });
    const name = 'restore.learning.example.org';
    const validation = acm.CertificateValidation.fromDns(zone);
    const { certificateArn } = new acm.Certificate(this, 'Certificate', { domainName: name, validation });
    const vpc = new ec2.Vpc(this, 'Vpc', { maxAzs: 2 });
    const latchkey = new Latchkey(this, 'Latchkey', {
      environment: 'staging',
      endpoints: {
        contentBaseUrl: 'https://api.staging.platform.example/rest/v1',
        contentTokenBaseUrl: 'https://auth.staging.platform.example',
      },
      tenants: [
        {
          tenantId: '${TENANT_ID}',
          tokens: [
            { interface: 'content', scope: 'api/read' },
            { interface: 'content', scope: 'api/write' },
          ],
        },
      ],
      restore: { available: true },
      restoreApi: { domain: { name, certificateArn, hostedZoneId: zone.hostedZoneId } },
      resources: {
        encryptionKey: new kms.Key(this, 'Key', { enableKeyRotation: true }),
        alarmTopic: new sns.Topic(this, 'Topic'),
        vpc,
      },
    });
    const token = latchkey.token('${TENANT_ID}', 'content', 'api/read');
    const service = new NodejsFunction(this, 'Service', {
      entry: 'lib/service.ts',
      functionName: 'learning-service',
      runtime: Runtime.NODEJS_22_X,
      vpc,
      environment: { ...token.environment() },
    });
    token.grantReadToken(service);
    latchkey.grantEnsureFresh(service);
    new Function(this, 'InPython', {
      runtime: Runtime.PYTHON_3_13,
      handler: 'index.handler',
      code: Code.fromInline('def handler(event, context): pass'),
    });
  }
}
`;
const SERVICE = `
import { createTokenSource, parseTokenKey } from 'latchkey/client';

const source = createTokenSource({ tokenRefresh: process.env.TOKEN_REFRESH_ARN });

export async function handler(): Promise<string> {
  const token = await source.getToken(parseTokenKey(process.env.LATCHKEY_TOKEN));
  return token.expiresAt;
}
`;

/**
 * Writes the project of `cdk init app --language typescript` with Latchkey in its stack. Its compiler checks declarations, too.
 * @param folder whose name is `learning`, for the names in the project
 */
export function writeInitApp(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const cdk = join(ROOT, 'node_modules/aws-cdk/bin/cdk');
  const args = ['init', 'app', '--language', 'typescript', '--generate-only'];
  const env = { PATH: process.env.PATH, HOME: folder, CDK_DISABLE_VERSION_CHECK: '1' };
  execFileSync(process.execPath, [cdk, ...args], { cwd: folder, env, stdio: 'pipe' });
  writeFileSync(join(folder, 'lib/learning-stack.ts'), STACK);
  writeFileSync(join(folder, 'lib/service.ts'), SERVICE);
  // NodejsFunction looks for one.
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  const settings = join(folder, 'tsconfig.json');
  const written = readFileSync(settings, 'utf8');
  writeFileSync(settings, written.replace('"skipLibCheck": true', '"skipLibCheck": false'));
}

/** Synthesizes the project into `cdk.out`, with the flags of its `cdk.json`, as `cdk synth` does. */
export function synthesizeInitApp(folder: string): void {
  const { context } = JSON.parse(readFileSync(join(folder, 'cdk.json'), 'utf8')) as { context: object };
  const env = {
    PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    CDK_OUTDIR: 'cdk.out',
    CDK_CONTEXT_JSON: JSON.stringify(context),
    CDK_VALIDATION: 'false',
  };
  const program = ['--require', require.resolve('tsx/cjs'), 'bin/learning.ts'];
  execFileSync(process.execPath, program, { cwd: folder, env, stdio: 'pipe' });
}
