import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { tarball } from '../support/installed-package';

const ROOT = join(__dirname, '../..');
const TSC = require.resolve('typescript/bin/tsc');
jest.setTimeout(600_000);

/** An app that uses the constructs in each of their ways. */
const APP = `
import { App, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { addStacks, Latchkey, LatchkeyTenant, loadConfiguration } from 'latchkey/constructs';

const app = new App({ outdir: 'cdk.out' });
const env = { account: '111122223333', region: 'eu-west-1' };
const tenantId = 'eu-west-2_SchoolA';
const shared = {
  environment: 'production',
  endpoints: {
    contentBaseUrl: 'https://api.platform.example/rest/v1',
    contentTokenBaseUrl: 'https://auth.platform.example',
  },
  tenants: [{ tenantId, tokens: [{ interface: 'content', scope: 'api/read', readerAccounts: ['444455556666'] }] }],
} as const;

const whole = new Stack(app, 'whole', { env });
const latchkey = new Latchkey(whole, 'Latchkey', {
  ...shared, prefix: 'whole', alarms: { emails: ['team@example.org'] }, auditSecrets: true, logsKmsKeyArn: 'deployment',
});
const service = new iam.Role(whole, 'Service', { assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com') });
latchkey.token(tenantId, 'content', 'api/read').grantReadToken(service);
latchkey.grantEnsureFresh(service);

const apart = new Latchkey(new Stack(app, 'apart', { env }), 'Latchkey', {
  ...shared, prefix: 'apart', createTenants: false, restoreApi: { auth: 'iam', rateLimit: 5 },
});
apart.restoreApi?.grantRestore(service, { tenantIds: [tenantId] });
new LatchkeyTenant(new Stack(app, 'tenant', { env }), 'Tenant', { latchkey: apart, tenantId });

addStacks(app, loadConfiguration('latchkey.json'));
app.synth();
`;

interface Template {
  Resources: Record<string, { Type: string; Metadata?: unknown; Properties?: { Tags?: unknown } }>;
}

const projects: string[] = [];
afterAll(() => projects.forEach((project) => rmSync(project, { recursive: true, force: true })));

/** The templates of the app in a project with these versions, after its types have passed. */
function templatesWith(versions: readonly string[]): Record<string, Template> {
  const project = mkdtempSync(join(tmpdir(), 'latchkey-range-'));
  projects.push(project);
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  writeFileSync(join(project, 'app.cts'), APP);
  cpSync(join(ROOT, 'config/example.json'), join(project, 'latchkey.json'));
  run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', tarball(), ...versions);
  const options = ['--strict', '--skipLibCheck', 'false', '--module', 'nodenext', '--target', 'es2022'];
  run(
    process.execPath,
    TSC,
    ...options,
    '--typeRoots',
    join(ROOT, 'node_modules/@types'),
    '--types',
    'node',
    'app.cts',
  );
  run(process.execPath, 'app.cjs');
  const files = readdirSync(join(project, 'cdk.out')).filter((file) => file.endsWith('.template.json'));
  return Object.fromEntries(
    files.map((file) => [
      file,
      comparable(JSON.parse(readFileSync(join(project, 'cdk.out', file), 'utf8')) as Template),
    ]),
  );
}

/**
 * Without what CDK writes by itself and differently in its versions: tags of dashboards, hints for its command, and the
 * computed id of an API's deployment.
 */
function comparable({ Resources, ...template }: Template): Template {
  for (const resource of Object.values(Resources)) {
    delete resource.Metadata;
    if (resource.Type === 'AWS::CloudWatch::Dashboard') delete resource.Properties?.Tags;
  }
  const text = JSON.stringify({ ...template, Resources });
  const ids = Object.keys(Resources).filter((id) => Resources[id]!.Type === 'AWS::ApiGateway::Deployment');
  return JSON.parse(ids.reduce((all, id) => all.replaceAll(id, 'Deployment'), text)) as Template;
}

// Installs from the registry.
it('stacks are the same with the lowest and the current version of the CDK', () => {
  const { peerDependencies, dependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<'peerDependencies' | 'dependencies', Record<string, string>>;
  const lowest = (name: string) => `${name}@${/\d+\.\d+\.\d+/.exec(peerDependencies[name]!)![0]}`;
  const current = (name: string) => `${name}@${dependencies[name]!}`;

  const [low, high] = [lowest, current].map((of) => templatesWith(['aws-cdk-lib', 'constructs'].map(of)));

  expect(Object.keys(high!).length).toBeGreaterThan(5);
  expect(low).toEqual(high);
});
