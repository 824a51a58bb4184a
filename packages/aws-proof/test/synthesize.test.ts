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

import { newPrefix } from '../src/clean-up/runs';
import { configurationOf, stackNamesOf } from '../src/configuration';
import { synthesizeWith } from '../src/synthesize';
import { bundlingOncePerRun } from '../../../test/support/bundling-once-per-run';
import { TEST_RUN_VARIABLE, testRunFolder } from '../../../test/support/test-run';

const ROOT = join(__dirname, '../../..');

// It starts a process that synthesizes.
jest.setTimeout(60_000);
const platform = {
  contentBaseUrl: 'https://platform.example.com/rest/v1',
  contentTokenBaseUrl: 'https://platform.example.com/auth',
};

const environment = { ...process.env };
beforeAll(() => {
  Object.assign(process.env, { ...bundlingOncePerRun(), [TEST_RUN_VARIABLE]: testRunFolder() });
});
afterAll(() => {
  process.env = environment;
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-synthesis-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const location = { accountId: '123456789012', region: 'eu-west-1' };

function synthesize(prefix: string, part: 'sandbox' | 'latchkey' = 'latchkey', projectRoot = ROOT) {
  const config = join(folder, 'latchkey.json');
  writeFileSync(config, JSON.stringify(configurationOf({ prefix, location, platform })));
  const interrupted = new AbortController().signal;
  return synthesizeWith({ workingDir: folder, projectRoot, interrupted })(part, config);
}

it('writes the stacks of a part, for the bootstrap stack of the working folder', async () => {
  const prefix = newPrefix();
  const context = { '@aws-cdk/core:bootstrapQualifier': 'mine123' };
  writeFileSync(join(folder, 'cdk.json'), JSON.stringify({ context }));

  const outDir = await synthesize(prefix, 'sandbox');

  const manifest = readFileSync(join(outDir, 'manifest.json'), 'utf8');
  const stacks = readdirSync(outDir).filter((file) => file.endsWith('.template.json'));
  expect(stacks).toEqual([`${stackNamesOf(prefix).sandbox}.template.json`]);
  expect(manifest).toContain('aws://123456789012/eu-west-1');
  expect(manifest).toContain('cdk-mine123-deploy-role');
  expect(existsSync(join(outDir, 'tree.json'))).toBe(false);
});

it('says why it could not', async () => {
  await expect(synthesize('UPPER')).rejects.toMatchObject({
    exitCode: 1,
    code: 'synthesis_failed',
    message: expect.stringMatching(/prefix: found "UPPER"; allowed: 1–29 lower-case letters/) as string,
  });
});

it('names the packages that are missing, with the command that installs them', async () => {
  const cdk = join(folder, 'node_modules/aws-cdk');
  mkdirSync(cdk, { recursive: true });
  writeFileSync(join(cdk, 'package.json'), '{}');

  await expect(synthesize(newPrefix(), 'latchkey', join(folder, 'package'))).rejects.toMatchObject({
    code: 'cdk_missing',
    message: 'packages: found no aws-cdk-lib, constructs; allowed: aws-cdk, aws-cdk-lib, constructs',
    advice: 'In the working folder: npm install aws-cdk-lib constructs',
  });
});
