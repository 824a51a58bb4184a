import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadConfiguration } from '../../lib/options/load';
import { installPackage } from '../support/installed-package';
import { synthesize } from '../support/lib/synthesis';
import { newFolder } from '../support/new-folder';
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

/** An empty folder outside the repository, with the package installed. */
function newProject(packages = PEERS): string {
  const project = newFolder();
  installPackage(project, packages);
  return project;
}

function run(project: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, CDK_VALIDATION: 'false' };
  return execFileSync(process.execPath, args, { cwd: project, env, encoding: 'utf8' });
}

const templatesOf = ({ stacks }: CloudAssembly) =>
  stacks.map(({ stackName, template }) => ({ stackName, template: template as object }));

describe('the constructs of the package', () => {
  it('synthesize the templates and function code of a checkout, with only the CDK beside them', () => {
    const own = synthesize(loadConfiguration(CONFIGURATION));
    const project = newProject();
    cpSync(CONFIGURATION, join(project, 'latchkey.json'));
    writeFileSync(join(project, 'app.js'), APP);

    run(project, 'app.js');

    const foreign = new CloudAssembly(join(project, 'cdk.out'));
    expect(own.codeFolders().length).toBeGreaterThan(4);
    expect(templatesOf(foreign)).toEqual(templatesOf(own.assembly));
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

  // package.test.ts checks the examples, which have Node’s modules.
  it('type-check in a strict project for a bundler', () => {
    const project = newProject([...PEERS, '@types/node', 'undici-types']);
    const app = `
      import { App } from 'aws-cdk-lib';
      import { LatchkeyStage, loadConfiguration, TokenRefresher } from 'latchkey/constructs';
      const configuration = loadConfiguration('latchkey.json');
      const environment: string = configuration.deployments[0]!.environment;
      new LatchkeyStage(new App(), 'Staging', { configuration, environment });
      // @ts-expect-error what is required is missing
      new TokenRefresher(new App(), 'TokenRefresher', {});`;
    writeFileSync(join(project, 'app.mts'), app);
    const tsc = require.resolve('typescript/bin/tsc');
    const options = '--noEmit --strict --skipLibCheck --target es2022 --types node';
    const modules = '--module esnext --moduleResolution bundler';

    expect(run(project, tsc, ...`${options} ${modules}`.split(' '), 'app.mts')).toBe('');
  });
});
