import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { QUIET_CONTEXT, runApp, runAppHere } from '../support/lib/app-process';
import { written } from '../support/lib/configuration';
import { temporaryFolder } from '../support/lib/synthesis';

const ROOT = join(__dirname, '../..');

/** Runs the app with the environment that the CDK CLI gives it: context in a variable. */
function runWith(
  context: Record<string, unknown>,
  environment: Record<string, string> = {},
  runs = runAppHere,
) {
  const folder = temporaryFolder();
  const { status, stdout, stderr } = runs(folder, {
    CDK_CONTEXT_JSON: JSON.stringify({ ...QUIET_CONTEXT, ...context }),
    ...environment,
  });
  const written = <T>(name: string, missing: T): T =>
    existsSync(join(folder, name)) ? (JSON.parse(readFileSync(join(folder, name), 'utf8')) as T) : missing;
  const { artifacts } = written<{ artifacts: Record<string, { type: string; environment: string }> }>(
    'manifest.json',
    { artifacts: {} },
  );
  const { pluginReports } = written<{ pluginReports: { pluginName: string }[] }>('validation-report.json', {
    pluginReports: [],
  });
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === 'aws:cloudformation:stack');
  return {
    status,
    output: stdout + stderr,
    stacks: stacks.map(([name]) => name),
    accounts: [...new Set(stacks.map(([, { environment }]) => environment.split('/')[2]!))],
    /** Names of what has checked the stacks. */
    checks: pluginReports.map(({ pluginName }) => pluginName),
  };
}

function file(name: string, value: unknown): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

describe('the CDK app', () => {
  const one = file('one.json', { ...written(), prefix: 'one' });
  const two = file('two.json', { ...written(), prefix: 'two' });

  it('takes the configuration of -c config, before that of LATCHKEY_CONFIG', () => {
    const run = runWith({ config: one }, { LATCHKEY_CONFIG: two, CDK_VALIDATION: 'false' });

    expect(run.checks).toEqual([]);
    expect(run.stacks).toContain('one-staging-global');
    expect(run.stacks).not.toContain('two-staging-global');
  });

  it('synthesizes the example unchanged, checked by cdk-nag', () => {
    const run = runWith({ config: join(ROOT, 'config/example.json') }, { CDK_VALIDATION: '' }, runApp);

    expect(run.status).toBe(0);
    expect(run.stacks).toEqual(
      expect.arrayContaining(['latchkey-staging-global', 'latchkey-production-global']),
    );
    expect(run.checks).toEqual(expect.arrayContaining(['AwsSolutions', 'NIST.800.53.R5', 'Serverless']));
  });

  // A developer's own configuration would be used.
  const itWithoutOwn = existsSync(join(ROOT, 'config/latchkey.json')) ? it.skip : it;
  const ofCredentials = { CDK_DEFAULT_ACCOUNT: '222233334444', CDK_DEFAULT_REGION: 'eu-west-1' };

  itWithoutOwn('synthesizes the example for no real account without a configuration, and says so', () => {
    const run = runWith({}, ofCredentials);

    expect(run).toMatchObject({ status: 0, accounts: ['000000000000'] });
    expect(run.output.split('\n').slice(-4, -1)).toEqual([
      '! No configuration: this is the example, for an account that does not exist, so it cannot be deployed',
      '  npx latchkey init              writes config/latchkey.json',
      '  -c config=config/example.json  uses the example with your account',
    ]);
  });

  it('uses the account of the AWS credentials for the example if it is named', () => {
    const run = runWith({ config: join(ROOT, 'config/example.json') }, ofCredentials);

    expect(run.accounts).toEqual(['222233334444']);
    expect(run.output).not.toContain('!');
  });

  it('warns if the AWS region is the default of CDK', () => {
    const unnamed = file('unnamed.json', written({ account: undefined, region: undefined }));
    const at = (region: string, environment = {}) =>
      runWith({ config: unnamed }, { CDK_DEFAULT_REGION: region, ...environment }).output;

    expect(at('us-east-1')).toContain(
      '! No AWS region is set, so CDK uses that of your AWS profile, or us-east-1',
    );
    expect(at('eu-west-1')).not.toContain('No AWS region');
    expect(at('us-east-1', { AWS_REGION: 'us-east-1' })).not.toContain('No AWS region');
  });

  it('lists every fault of an invalid configuration on its own line, without a stack trace', () => {
    const broken = file('broken.json', { ...written({ readerCacheSec: 900 }), prefix: 'UPPER' });

    const { status, output } = runWith({ config: broken }, {}, runApp);

    expect(status).toBe(1);
    expect(output.trim().split('\n')).toEqual([
      `${broken} cannot be used:`,
      '  prefix: found "UPPER"; allowed: 1–29 lower-case letters, digits and -, starting with a letter',
      '  deployments[0].readerCacheSec: found 900; allowed: less than 600 s, the guaranteed validity of a stored token',
    ]);
  });
});
