import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Assembly, DEPLOYMENT_KEYS } from './support/assembly';
import { placeOf } from './support/journeys';
import { RunningSystem } from './support/running-system';
import { copyAssembly } from './support/statements';
import { argumentsToRun } from './support/synthesized-app';
import { JOURNEYS, type JourneyName } from './support/user-journeys';

const STACK = 'latchkey-local-roles';
const NAMES = [
  ...['tokenRefresh', 'tokenSweep', 'credentialWatch', 'rotateCredentials', 'restore', 'authorizer'],
  ...['tokenSweepSchedule', 'credentialWatchSchedule', 'credentialProofSchedule', 'apiGatewayLogging'],
];

/** For each of the other deployments: the statement that its roles lack, what fails then, and the denial. */
const LACKING: { role: string; statement: RegExp; journey: JourneyName; denied: RegExp }[] = [
  {
    role: 'tokenRefresh',
    statement: /: secretsmanager:GetSecretValue, secretsmanager:DescribeSecret on client-credentials$/,
    journey: 'a token is fetched on request',
    denied: /secretsmanager:GetSecretValue on arn:aws:secretsmanager:\S+client-credentials/,
  },
  {
    role: 'rotateCredentials',
    statement:
      /: secretsmanager:DescribeSecret, secretsmanager:GetSecretValue, secretsmanager:PutSecretValue/,
    journey: 'a rotation promotes the candidate',
    denied: /secretsmanager:DescribeSecret on arn:aws:secretsmanager:\S+client-credentials/,
  },
  {
    role: 'restore',
    statement: /: secretsmanager:GetSecretValue on token\/content\/api-write$/,
    journey: 'a caller with an API key restores a record',
    denied: /secretsmanager:GetSecretValue on arn:aws:secretsmanager:\S+api-write/,
  },
];

let folder: string;
let assembly: Assembly;
let system: RunningSystem;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-existing-roles-'));
  assembly = await Assembly.synthesize(({ deployments }) => {
    for (const deployment of deployments) {
      const path = `${deployment.environment}/${deployment.platformRegion}`;
      const arn = (type: string, name: string) =>
        `arn:aws:iam::111111111111:${type}/${path}/${path.replace('/', '-')}-${name}`;
      const existing = Object.fromEntries(NAMES.map((name) => [name, arn('role', name)]));
      Object.assign(deployment, {
        roles: { existing: { ...existing, operatorPolicy: arn('policy', 'operators') } },
      });
    }
  });
  const all = assembly.statementsIn(`${STACK}.template.json`);
  const without = LACKING.map(({ role, statement }, index) => {
    const [environment, platformRegion] = DEPLOYMENT_KEYS[index + 1]!;
    const holder = `${environment}${platformRegion}${role}`;
    const place = all.find(({ label }) => label.startsWith(`${holder}:`) && statement.test(label));
    if (place === undefined) throw new Error(`no such statement of ${holder}`);
    return { stack: STACK, place };
  });
  const copy = join(folder, 'assembly');
  copyAssembly(assembly.folderOfApp, copy, without);
  system = await RunningSystem.start([...argumentsToRun({ assembly: copy }), '--no-job']);
}, 120_000);

afterAll(async () => {
  await system.stop();
  assembly.dispose();
  rmSync(folder, { recursive: true });
});

it('only the roles’ own stack has roles and policies', () => {
  const types = [...assembly.templates<{ Resources: Record<string, { Type: string }> }>()].flatMap(
    ([stack, { Resources }]) => (stack === STACK ? [] : Object.values(Resources).map(({ Type }) => Type)),
  );

  expect(types.length).toBeGreaterThan(100);
  expect(types.filter((type) => type.startsWith('AWS::IAM::'))).toEqual([]);
});

it.each<JourneyName>([
  'an operator loads credentials',
  'a token is fetched on request',
  'a sweep fetches every token',
  'the schedule starts a sweep',
  'a rotation promotes the candidate',
  'a caller with an API key restores a record',
  'a caller with a token restores a record',
  'an operator runs credential-watch',
  'an operator disables and enables a schedule',
])('with the printed policies, %s', async (journey) => {
  await JOURNEYS[journey](placeOf(system, ...DEPLOYMENT_KEYS[0]));
});

it.each(LACKING.map((lacking, index) => ({ ...lacking, deploymentKey: DEPLOYMENT_KEYS[index + 1]! })))(
  'without a printed statement of $role, "$journey" fails and names the denied action and resource',
  async ({ journey, denied, deploymentKey }) => {
    await expect(JOURNEYS[journey](placeOf(system, deploymentKey[0], deploymentKey[1]))).rejects.toThrow(
      denied,
    );
  },
);
