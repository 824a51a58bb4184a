import { Assembly, DEPLOYMENT_KEYS } from '../support/assembly';
import { type CommandResult, documentOf } from '../support/command';
import { OperatedTenant } from '../support/operated-tenant';
import { type RunningSystem } from '../support/running-system';

const INVOKING =
  'OperatorPolicy: lambda:InvokeFunction on TokenRefresh and TokenSweep and CredentialWatch and RotateCredentials';

/**
 * Each deployment lacks one statement of the operator's policy. The command names the missing permission and
 * the policy.
 */
const REMOVED = [
  'OperatorPolicy: secretsmanager:PutSecretValue, secretsmanager:DescribeSecret, secretsmanager:ListSecretVersionIds, secretsmanager:UpdateSecretVersionStage, secretsmanager:RotateSecret, secretsmanager:RestoreSecret on client-credentials and api-key',
  INVOKING,
  INVOKING,
  'OperatorPolicy: secretsmanager:GetSecretValue on token/*',
];

let assembly: Assembly;
let system: RunningSystem;

beforeAll(async () => {
  assembly = await Assembly.synthesize();
  system = await assembly.startWithout('operator', REMOVED);
});

afterAll(async () => {
  await system.stop();
  assembly.dispose();
});

function tenantOf(deploymentKey: number): OperatedTenant {
  const [environment, platformRegion] = DEPLOYMENT_KEYS[deploymentKey]!;
  return new OperatedTenant(system, environment, platformRegion);
}

function expectDenial(result: CommandResult, right: RegExp, [environment, region]: readonly string[]): void {
  expect(result).toMatchObject({ exitCode: 77 });
  expect(result.stdout).toMatch(right);
  expect(result.stdout).toContain(`/latchkey/${environment}/${region}/operator-policy-arn`);
}

it.each(['credentials put', 'api-key put', 'api-key generate', 'credentials rotate', 'rollback'])(
  'refuses %s to a principal without permissions on credentials, before it prompts for one',
  async (words) => {
    const result = await tenantOf(0).run(`${words} --json`, { answers: [] });

    expectDenial(
      result,
      /secretsmanager:DescribeSecret on \S+(client-credentials|api-key)/,
      DEPLOYMENT_KEYS[0],
    );
  },
);

it.each(['status', 'doctor', 'token show --interface content --scope api/read', 'token refresh --all'])(
  'refuses %s to a principal that may not invoke functions',
  async (words) => {
    const result = await tenantOf(1).run(`${words} --json`);

    expectDenial(result, /lambda:InvokeFunction on arn:aws:lambda:/, DEPLOYMENT_KEYS[1]);
  },
);

it('loads credentials without that permission, and reports that the tokens could not be renewed at once', async () => {
  const tenant = tenantOf(1);

  const result = await tenant.give('credentials put --json', await tenant.newPair());

  expect(result).toMatchObject({ exitCode: 1 });
  expect(documentOf(result)).toMatchObject({ outcome: 'loaded' });
  expect(await tenant.labels('client-credentials')).toHaveProperty('AWSCURRENT');
});

it('stages a credential without permission to invoke rotate-credentials, and a permitted principal completes the rotation', async () => {
  const tenant = tenantOf(2);
  await tenant.give('credentials put', await tenant.newPair());
  const { AWSCURRENT: current } = await tenant.labels('client-credentials');

  const result = await tenant.give('credentials put --json', await tenant.newPair());

  expectDenial(result, /lambda:InvokeFunction on arn:aws:lambda:\S+RotateCredential/, DEPLOYMENT_KEYS[2]);
  expect(result.stderr).toContain('The new credential is still staged');
  expect(await tenant.labels('client-credentials')).toMatchObject({
    AWSCURRENT: current,
    LATCHKEY_CANDIDATE: expect.any(String) as string,
  });
});

it('reveals no token to a principal that may not read it', async () => {
  const tenant = tenantOf(3);
  await tenant.give('credentials put', await tenant.newPair());

  const words = 'token show --interface content --scope api/read --reveal';
  const result = await tenant.run(words, { answers: [] });

  expectDenial(result, /secretsmanager:GetSecretValue on \S+token/, DEPLOYMENT_KEYS[3]);
});
