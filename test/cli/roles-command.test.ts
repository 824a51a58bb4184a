import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { roles } from '../../cli/roles-command';
import { bundlingOncePerRun } from '../support/bundling-once-per-run';
import { written, type WrittenDeployment } from '../support/lib/configuration';
import { TEST_RUN_VARIABLE, testRunFolder } from '../support/test-run';
import { FakeTerminal } from './support/fake-terminal';

const ROOT = join(__dirname, '../..');
const PLACE = { account: '222233334444', region: 'eu-west-1' };
const environment = { ...process.env };

// It starts a process that synthesizes.
jest.setTimeout(60_000);

let folder: string;
beforeAll(() => {
  Object.assign(process.env, { ...bundlingOncePerRun(), [TEST_RUN_VARIABLE]: testRunFolder() });
  folder = mkdtempSync(join(tmpdir(), 'latchkey-roles-'));
});
afterAll(() => {
  process.env = environment;
  rmSync(folder, { recursive: true });
});

/** Runs the command with a configuration of one deployment. */
async function run(deployment: Partial<WrittenDeployment>, flags: Parameters<typeof roles>[1] = {}) {
  const config = join(folder, 'latchkey.json');
  writeFileSync(config, JSON.stringify(written(deployment)));
  const terminal = new FakeTerminal();
  const context = { terminal, projectRoot: ROOT, workingDir: folder } as unknown as Parameters<
    typeof roles
  >[0];
  const exitCode = await roles(context, { config, ...flags });
  return { exitCode, ...terminal.results[0]! };
}

describe('latchkey roles', () => {
  it('prints the trust and the policy of each role, without an account', async () => {
    const { exitCode, document, text } = await run({ account: undefined, region: undefined }, PLACE);

    expect(exitCode).toBe(0);
    expect(document).toMatchObject({
      deployments: [
        {
          environment: 'staging',
          platformRegion: 'global',
          operatorPolicy: { Version: '2012-10-17' },
          readers: [{ tenantId: 'tenant-a' }],
        },
      ],
    });
    expect(text).toContain('tokenRefresh  Role of token-refresh of staging global\nTrust policy:\n{\n');
    expect(text).toContain('arn:aws:secretsmanager:eu-west-1:222233334444:secret:latchkey/staging/global/');
    expect(text).toContain('AWS managed policy: arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPush');
    expect(text).toContain('reader  Policy of services that read the tokens of tenant-a\n');
  });

  it.each<[string, Partial<WrittenDeployment>, object, string]>([
    [
      'without an account',
      { account: undefined },
      {},
      'account: found nothing; allowed: --account, or "account" of staging-global in the configuration',
    ],
    [
      'without an AWS region',
      { region: undefined },
      {},
      'region: found nothing; allowed: --region, or "region" of staging-global in the configuration',
    ],
    [
      'with another account than the configuration’s',
      {},
      { account: '999999999999' },
      '--account: found 999999999999; allowed: 222233334444, as the configuration says',
    ],
    [
      'for a deployment that is none',
      {},
      { environment: 'production' },
      'deployment: found production; allowed: staging-global',
    ],
  ])('refuses to run %s', async (_, deployment, flags, message) => {
    await expect(run(deployment, flags)).rejects.toMatchObject({ exitCode: 2, message });
  });
});
