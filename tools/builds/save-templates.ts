import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { App } from 'aws-cdk-lib';

import { loadConfiguration } from '../../lib/options/load';
import { addStacks } from '../../lib/stacks/add-stacks';

const ROOT = join(__dirname, '../..');

/**
 * `npm run save:templates`, once per release: saves the templates of the shipped configurations, with which every later
 * synthesis is compared.
 */
function main(): void {
  const file = join(ROOT, 'test/upgrade/templates.json.gz');
  const release = { example: templatesOf('config/example.json'), local: templatesOf('config/local.json') };
  writeFileSync(file, gzipSync(JSON.stringify(release)));
  console.log(`wrote ${file}`);
}

function templatesOf(configuration: string): Record<string, unknown> {
  const outdir = mkdtempSync(join(tmpdir(), 'latchkey-templates-'));
  try {
    const app = new App({ outdir });
    addStacks(app, loadConfiguration(join(ROOT, configuration)));
    return Object.fromEntries(app.synth().stacks.map(({ stackName, template }) => [stackName, template]));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

main();
