import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { newPrefix, type ProvenConfiguration, stacksOf } from '../../prove/configuration';
import { synthesizeRun } from '../../prove/synthesize';

const ROOT = join(__dirname, '../..');

// It starts a process that synthesizes.
jest.setTimeout(60_000);
const platform = {
  contentBaseUrl: 'https://platform.example.com/rest/v1',
  contentTokenBaseUrl: 'https://platform.example.com/auth',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-synthesis-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function options(configuration: ProvenConfiguration) {
  const interrupted = new AbortController().signal;
  const output = join(folder, 'run');
  return {
    configuration,
    workingDir: folder,
    projectRoot: ROOT,
    folder: output,
    hasLoggingRole: true,
    interrupted,
  };
}

it('writes the stacks of a configuration, with the bootstrap qualifier of the working folder', async () => {
  const prefix = newPrefix();
  const place = { accountId: '123456789012', region: 'eu-west-1' };
  const given = options({ prefix, place, platform });
  const qualifier = 'mine123';
  writeFileSync(
    join(folder, 'cdk.json'),
    JSON.stringify({ context: { '@aws-cdk/core:bootstrapQualifier': qualifier } }),
  );

  const { config, assemblyDir } = await synthesizeRun(given);

  const manifest = readFileSync(join(assemblyDir, 'manifest.json'), 'utf8');
  const stacks = readdirSync(assemblyDir).filter((name) => name.endsWith('.template.json'));
  expect(stacks).toContain(`${stacksOf(prefix).deployment}.template.json`);
  expect(stacks).toHaveLength(4);
  expect(manifest).toContain('aws://123456789012/eu-west-1');
  expect(manifest).toContain(`cdk-${qualifier}-deploy-role`);
  expect(existsSync(join(assemblyDir, 'tree.json'))).toBe(false);
  expect(JSON.parse(readFileSync(config, 'utf8'))).toMatchObject({ prefix, apiGatewayAccount: 'existing' });
});

it('says why it could not', async () => {
  const given = options({ prefix: 'UPPER', place: undefined, platform });

  await expect(synthesizeRun(given)).rejects.toMatchObject({
    exitCode: 1,
    code: 'synthesis_failed',
    message: expect.stringMatching(/prefix: found "UPPER"; allowed: 1–29 lower-case letters/) as string,
  });
});

it('names the packages that are missing, with the command that installs them', async () => {
  const given = {
    ...options({ prefix: newPrefix(), place: undefined, platform }),
    projectRoot: join(folder, 'package'),
  };
  const cdk = join(folder, 'node_modules/aws-cdk');
  mkdirSync(cdk, { recursive: true });
  writeFileSync(join(cdk, 'package.json'), '{}');

  await expect(synthesizeRun(given)).rejects.toMatchObject({
    code: 'cdk_missing',
    message: 'packages: found no aws-cdk-lib, constructs; allowed: aws-cdk, aws-cdk-lib, constructs',
    advice: 'In the working folder: npm install aws-cdk-lib constructs',
  });
});
