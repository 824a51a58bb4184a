import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfiguration } from '../../lib/options/load';
import { installPackage } from '../support/installed-package';
import { Synthesis, synthesize } from '../support/lib/synthesis';
import { CloudAssembly } from 'aws-cdk-lib/cx-api';

const ROOT = join(__dirname, '../..');
const CONFIGURATION = join(ROOT, 'config/example.json');
/** All that an application with the constructs installs besides the package. */
const PEERS = ['aws-cdk-lib', 'constructs'];
jest.setTimeout(180_000);

/** An application of its own. */
const APP = `
  const { App } = require('aws-cdk-lib');
  const { addStacks, loadConfiguration } = require('latchkey/constructs');
  const app = new App({ outdir: 'cdk.out' });
  addStacks(app, loadConfiguration('latchkey.json'));
  app.synth();`;

const projects: string[] = [];
afterAll(() => projects.forEach((project) => rmSync(project, { recursive: true, force: true })));

/** An empty folder outside the repository, with the package installed. */
function newProject(packages = PEERS): string {
  const project = mkdtempSync(join(tmpdir(), 'latchkey-app-'));
  projects.push(project);
  installPackage(project, packages);
  return project;
}

function run(project: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, CDK_VALIDATION: 'false' };
  return execFileSync(process.execPath, args, { cwd: project, env, encoding: 'utf8' });
}

function synthesized(): Synthesis {
  const project = newProject();
  cpSync(CONFIGURATION, join(project, 'latchkey.json'));
  writeFileSync(join(project, 'app.js'), APP);
  run(project, 'app.js');
  return new Synthesis(new CloudAssembly(join(project, 'cdk.out')));
}

const templatesOf = ({ assembly }: Synthesis) =>
  assembly.stacks.map(({ stackName, template }) => ({ stackName, template: template as object }));

describe('the constructs of the package', () => {
  let foreign: Synthesis;
  beforeAll(() => (foreign = synthesized()));

  it('synthesize the templates and function code of a checkout, with only the CDK beside them', () => {
    const own = synthesize(loadConfiguration(CONFIGURATION));

    expect(own.codeFolders().length).toBeGreaterThan(4);
    expect(templatesOf(foreign)).toEqual(templatesOf(own));
  });

  it('synthesize the same templates and function code in any folder', () => {
    expect(templatesOf(synthesized())).toEqual(templatesOf(foreign));
  });

  it('require only the CDK and Node', () => {
    const code = readFileSync(join(newProject([]), 'node_modules/latchkey/dist/constructs/index.js'), 'utf8');
    const required = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name!);
    const packages = required.filter((name) => !isBuiltin(name)).map((name) => name.split('/')[0]);

    expect([...new Set(packages)].sort()).toEqual(PEERS);
  });

  it('synthesize the app of the package’s README', () => {
    const project = newProject();
    const readme = readFileSync(join(project, 'node_modules/latchkey/README.md'), 'utf8');
    const [, block] = /```ts\n(.*?)```/s.exec(readme)!;
    const lines = block!.trim().split('\n');
    const service = `import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
      const service = new Role(stack, 'Service', { assumedBy: new AccountRootPrincipal() });`;
    const synth = `console.log(stack.node.root.synth().getStackByName('learning').template.Resources)`;
    writeFileSync(join(project, 'app.mjs'), [...lines.slice(0, -1), service, lines.at(-1), synth].join('\n'));

    expect(lines.length).toBeLessThanOrEqual(25);
    expect(run(project, 'app.mjs')).toMatch(/AWS::SecretsManager::Secret/);
  });

  it('are the same classes for ES modules, which import them by name', () => {
    const project = newProject();
    writeFileSync(
      join(project, 'both.mjs'),
      `import { createRequire } from 'node:module';
       import { LatchkeyStage } from 'latchkey/constructs';
       console.log(createRequire(import.meta.url)('latchkey/constructs').LatchkeyStage === LatchkeyStage);`,
    );

    expect(run(project, 'both.mjs')).toBe('true\n');
  });

  it.each([
    ['Node’s modules', ['--module', 'nodenext', '--skipLibCheck', 'false']],
    ['a bundler', ['--module', 'esnext', '--moduleResolution', 'bundler', '--skipLibCheck', 'true']],
  ])('type-check in a strict project for %s', (_, options) => {
    const project = newProject([...PEERS, '@types/node', 'undici-types']);
    const app = `
      import { App } from 'aws-cdk-lib';
      import { LatchkeyStage, loadConfiguration, TokenRefresher } from 'latchkey/constructs';
      const configuration = loadConfiguration('latchkey.json');
      const environment: string = configuration.deployments[0]!.environment;
      new LatchkeyStage(new App(), 'Staging', { configuration, environment });
      // @ts-expect-error what is required is missing
      new TokenRefresher(new App(), 'TokenRefresher', {});`;
    for (const file of ['app.mts', 'app.cts']) writeFileSync(join(project, file), app);
    const tsc = [require.resolve('typescript/bin/tsc'), '--noEmit', '--strict', '--target', 'es2022'];

    expect(run(project, ...tsc, '--types', 'node', ...options, 'app.mts', 'app.cts')).toBe('');
  });

  it('declare no type of their implementation’s packages', () => {
    const types = join(newProject([]), 'node_modules/latchkey/dist/types');
    const declarations = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.d.ts'),
    );

    expect(declarations.length).toBeGreaterThan(20);
    expect(
      declarations.filter((file) => /["'](zod|esbuild)["']/.test(readFileSync(join(types, file), 'utf8'))),
    ).toEqual([]);
  });
});
