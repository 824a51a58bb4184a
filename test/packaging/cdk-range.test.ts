import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { NEWEST_COMPILER, synthesizeInitApp, writeInitApp } from '../support/init-app';
import { tarball } from '../support/installed-package';

const ROOT = join(__dirname, '../..');
const COMPILERS = [require.resolve('typescript/bin/tsc'), NEWEST_COMPILER];
jest.setTimeout(600_000);

/** An app that uses the constructs in each of their ways. */
const APP = `
import { App, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { addStacks, Latchkey, LatchkeyTenant, loadConfiguration } from 'latchkey/constructs';

const app = new App({ outdir: 'range.out' });
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

const { peerDependencies, dependencies } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as Record<'peerDependencies' | 'dependencies', Record<string, string>>;
const CDK = ['aws-cdk-lib', 'constructs'];
const LOWEST = CDK.map((name) => `${name}@${/\d+\.\d+\.\d+/.exec(peerDependencies[name]!)![0]}`);
const CURRENT = CDK.map((name) => `${name}@${dependencies[name]!}`);

const run = (project: string, program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

// Installs from the registry.
const projects = new Map<readonly string[], string>();
beforeAll(() => {
  for (const versions of [LOWEST, CURRENT]) projects.set(versions, newProject(versions));
});
afterAll(() => {
  for (const project of projects.values()) rmSync(dirname(project), { recursive: true });
});

/** A project of `cdk init` with these versions, and another app beside its own. */
function newProject(versions: readonly string[]): string {
  const project = join(mkdtempSync(join(tmpdir(), 'latchkey-range-')), 'learning');
  writeInitApp(project);
  rmSync(join(project, 'test'), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  writeFileSync(join(project, 'app.cts'), APP);
  cpSync(join(ROOT, 'config/example.json'), join(project, 'latchkey.json'));
  const others = ['esbuild', '@types/node@24', '@types/jest@30'];
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  run(project, 'npm', 'install', ...options, tarball(), ...versions, ...others);
  return project;
}

/** The templates of the app in a project with these versions. */
function templatesWith(versions: readonly string[]): Record<string, Template> {
  const project = projects.get(versions)!;
  run(project, process.execPath, '--require', require.resolve('tsx/cjs'), 'app.cts');
  const files = readdirSync(join(project, 'range.out')).filter((file) => file.endsWith('.template.json'));
  return Object.fromEntries(
    files.map((file) => [
      file,
      comparable(JSON.parse(readFileSync(join(project, 'range.out', file), 'utf8')) as Template),
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

it('stacks are the same with the lowest and the current version of the CDK', () => {
  const [low, high] = [LOWEST, CURRENT].map(templatesWith);

  expect(Object.keys(high!).length).toBeGreaterThan(5);
  expect(low).toEqual(high);
});

// own-app.test.ts says the same of the current version.
it('an app of `cdk init` with the lowest version compiles with each TypeScript, and runs on the laptop', () => {
  const project = projects.get(LOWEST)!;
  const latchkey = join(project, 'node_modules/latchkey/bin/latchkey.cjs');
  const start = ['local', 'start', '--assembly', 'cdk.out', '--once'];

  const compiled = COMPILERS.map((compiler) => run(project, process.execPath, compiler));
  synthesizeInitApp(project);
  const shown = run(project, process.execPath, latchkey, ...start);

  expect(compiled).toEqual(['', '']);
  expect(shown).toMatch(/restored .+: published, \d+ items/);
});
