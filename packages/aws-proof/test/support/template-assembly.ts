import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A stack as CloudFormation takes it. */
export interface StackTemplate {
  readonly name: string;
  readonly template: object;
}

/**
 * Writes templates as the cloud assembly that `cdk synth` would make of stacks without assets, in their order.
 * @returns its new folder
 */
export function writeAssembly(parentDir: string, ...stacks: readonly StackTemplate[]): string {
  const dir = mkdtempSync(join(parentDir, 'assembly-'));
  const artifacts = stacks.map(({ name, template }, n) => {
    const templateFile = `${name}.template.json`;
    writeFileSync(join(dir, templateFile), JSON.stringify(template));
    const artifact = {
      type: 'aws:cloudformation:stack',
      environment: 'aws://111111111111/eu-west-1',
      properties: { templateFile, stackName: name },
      dependencies: stacks.slice(Math.max(n - 1, 0), n).map((before) => before.name),
    };
    return [name, artifact] as const;
  });
  const manifest = { version: '36.0.0', artifacts: Object.fromEntries(artifacts) };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  return dir;
}
