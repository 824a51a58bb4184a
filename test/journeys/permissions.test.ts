import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { RunningSystem } from './support/running-system';
import { copyWithout, denialWithout, type Statement, statementsOf } from './support/statements';
import { sharedApp } from './support/synthesized-app';
import { JOURNEYS, type JourneyName } from './support/user-journeys';

/** Those of `config/local.json`. Their templates have the same statements. */
const DEPLOYMENTS: [environment: string, platformRegion: string][] = [
  ['staging', 'global'],
  ['staging', 'mea'],
  ['production', 'global'],
  ['production', 'mea'],
];
const TEMPLATES = DEPLOYMENTS.map((deployment) => `latchkey-${deployment.join('-')}.template.json`);

/**
 * By system and deployment: the statements that it runs without, and for each the journey that fails for that, in order. A
 * statement that no journey needs does not belong in a template. The journeys of a deployment need none of its other statements,
 * and those that delete something are last.
 */
const SYSTEMS: Record<string, JourneyName>[][] = [
  [
    {
      'TokensTokenRefresh: GetSecretValue, DescribeSecret on client-credentials':
        'a token is fetched on request',
      'TokensTokenSweep: GetSecretValue, DescribeSecret on client-credentials': 'a sweep fetches every token',
      'Restore: GetSecretValue on token/content/api-write': 'a caller with an API key restores a record',
      'OperatorPolicy: PutSecretValue, DescribeSecret, ListSecretVersionIds, UpdateSecretVersionStage, RotateSecret, RestoreSecret on client-credentials and api-key':
        'an operator loads credentials',
      'RotationProofSchedule: SendMessage on the dead-letter queue':
        'a schedule that cannot start rotate-credentials leaves a dead letter',
    },
    {
      'TokensTokenSweep: GetSecretValue, DescribeSecret, PutSecretValue on token/*':
        'a sweep fetches every token',
      'Restore: Decrypt on token/content/api-write': 'a caller with an API key restores a record',
      'WatchCredentialWatch: DescribeSecret, ListSecretVersionIds on client-credentials and api-key':
        'an operator runs credential-watch',
      'OperatorPolicy: GenerateDataKey, Decrypt on client-credentials and api-key':
        'an operator loads credentials',
    },
    {
      'TokensTokenRefresh: Decrypt on client-credentials': 'a token is fetched on request',
      'TokensTokenSweep: Decrypt on client-credentials': 'a sweep fetches every token',
      'Restore: InvokeFunction on TokensTokenRefresh': 'a caller with an API key restores a record',
      'WatchCredentialWatch: GetSecretValue on api-key and token/*': 'an operator runs credential-watch',
      'OperatorPolicy: RestoreSecret on token/*': 'an operator cancels the deletion of secrets',
    },
    {
      'TokensTokenRefresh: Decrypt, GenerateDataKey on token/*': 'a token is fetched on request',
      'TokensTokenSweep: Decrypt, GenerateDataKey on token/*': 'a sweep fetches every token',
      'RestoreAuthorizer: GetSecretValue, DescribeSecret on api-key':
        'a caller with an API key restores a record',
      'WatchCredentialWatch: Decrypt on api-key and token/*': 'an operator runs credential-watch',
    },
  ],
  [
    {
      'RestoreAuthorizer: Decrypt on api-key': 'a caller with an API key restores a record',
      'WatchCredentialWatch: InvokeFunction on Restore':
        'credential-watch learns whether the platform offers restore',
      'TokensTokenSweep: DescribeSecret, ListSecretVersionIds on client-credentials and api-key':
        'token-sweep ends an abandoned rotation',
    },
    {
      'RestoreAuthorizer: GetSecretValue on token/content/*': 'a caller with a token restores a record',
      'WatchSchedule: InvokeFunction on WatchCredentialWatch': 'the schedule starts credential-watch',
      'TokensTokenSweep: UpdateSecretVersionStage on client-credentials and api-key':
        'token-sweep ends an abandoned rotation',
      'TokensTokenRefresh: DescribeSecret on everything':
        'a request for a token whose secret is gone finds no missing permission',
    },
    {
      'RestoreAuthorizer: Decrypt on token/content/*': 'a caller with a token restores a record',
      'WatchCredentialWatch: BatchGetSecretValue on everything': 'credential-watch reads values together',
      'TokensSchedule: InvokeFunction on TokensTokenSweep': 'the schedule starts a sweep',
      'TokensTokenSweep: DescribeSecret on everything':
        'a sweep of a token whose secret is gone finds no missing permission',
    },
    {
      'RotationRotateCredentials: DescribeSecret, GetSecretValue, PutSecretValue, UpdateSecretVersionStage on client-credentials and api-key':
        'a rotation promotes the candidate',
      'TokensTokenRefresh: SendMessage on the dead-letter queue':
        'an event that token-refresh could not take in time leaves a dead letter',
      'OperatorPolicy: GetParameter on the parameters': 'an operator finds the functions',
      'WatchSchedule: SendMessage on the dead-letter queue':
        'a schedule that cannot start credential-watch leaves a dead letter',
    },
  ],
  [
    {
      'TokensTokenRefresh: GetSecretValue, DescribeSecret, PutSecretValue on token/*':
        'a token is fetched on request',
      'RotationRotateCredentials: Decrypt, GenerateDataKey on client-credentials and api-key':
        'a rotation promotes the candidate',
      'TokensTokenSweep: SendMessage on the dead-letter queue':
        'a sweep that could not start in time leaves a dead letter',
      'OperatorPolicy: GetSecretValue on token/*': 'an operator shows a token',
      'OperatorPolicy: FilterLogEvents on the log group': 'an operator reads the history of restores',
    },
    {
      'RotationRotateCredentials: SendMessage on the dead-letter queue':
        'a failed proof of API keys leaves a dead letter',
      'WatchCredentialWatch: SendMessage on the dead-letter queue': 'a failed watch leaves a dead letter',
      'OperatorPolicy: Decrypt on token/*': 'an operator shows a token',
      'OperatorPolicy: GetSchedule, UpdateSchedule on the schedules':
        'an operator disables and enables a schedule',
    },
    {
      'RotationRotateCredentials: TagResource on api-key':
        'rotate-credentials records that an API key is proven',
      'OperatorPolicy: InvokeFunction on the functions': 'a token is fetched on request',
      'OperatorPolicy: DescribeAlarms on everything': 'an operator reads the alarms',
      'OperatorPolicy: PassRole on the roles of the schedules': 'an operator disables and enables a schedule',
      'TokensSchedule: SendMessage on the dead-letter queue':
        'a schedule that cannot start token-sweep leaves a dead letter',
    },
    {
      'TokensTokenRefresh: CreateLogStream, PutLogEvents on the log group': 'token-refresh writes its log',
      'TokensTokenSweep: CreateLogStream, PutLogEvents on the log group': 'token-sweep writes its log',
      'Restore: CreateLogStream, PutLogEvents on the log group': 'restore writes its log',
      'RestoreAuthorizer: CreateLogStream, PutLogEvents on the log group': 'the authorizer writes its log',
      'RotationRotateCredentials: CreateLogStream, PutLogEvents on the log group':
        'rotate-credentials writes its log',
      'WatchCredentialWatch: CreateLogStream, PutLogEvents on the log group':
        'credential-watch writes its log',
      'RotationProofSchedule: InvokeFunction on RotationRotateCredentials':
        'the schedule has an API key proven',
      'RotationRotateCredentials: DescribeSecret on everything':
        'the proof of an API key whose secret is gone finds no missing permission',
    },
  ],
];

let app: string;
let statements: Statement[];

beforeAll(async () => {
  app = await sharedApp();
  statements = statementsOf(join(app, TEMPLATES[0]!));
});

it('each statement of each role has a journey that needs it', () => {
  const labels = statements.map(({ label }) => label);

  expect(labels.sort()).toEqual(SYSTEMS.flat().flatMap(Object.keys).sort());
});

it('only stacks of deployments contain statements', () => {
  const templates = readdirSync(app).filter((file) => file.endsWith('.template.json'));

  const others = templates.filter((file) => !TEMPLATES.includes(file));

  expect(others.length).toBeGreaterThan(4);
  expect(others.flatMap((file) => statementsOf(join(app, file)))).toEqual([]);
});

it('every journey succeeds with unchanged templates', async () => {
  const system = await RunningSystem.startConfigured(
    (deployments) => {
      deployments.splice(1);
    },
    ['--no-job'],
  );
  const place = system.place(...DEPLOYMENTS[0]!);

  for (const journey of Object.values(JOURNEYS)) await journey(place);

  await system.stop();
}, 300_000);

describe.each(SYSTEMS.map((removed, index) => ({ index, removed })))(
  'without some statements in each deployment of system $index',
  ({ index, removed }) => {
    const statementOf = (label: string) => statements.find((each) => each.label === label)!;
    let system: RunningSystem;

    beforeAll(async () => {
      const all = removed.map((ofDeployment) => Object.keys(ofDeployment).map(statementOf));
      // Each of these would permit the operator everything.
      const everywhere = all.flat().filter(({ subject }) => subject === 'everything');
      const copy = `${app}-${index}`;
      const removedFrom = (n: number) => [...new Set([...all[n]!, ...everywhere])];
      copyWithout(app, copy, new Map(TEMPLATES.map((file, n) => [file, removedFrom(n)])));
      system = await RunningSystem.start(['--assembly', copy, '--no-job']);
    });
    afterAll(() => system.stop());

    const rows = removed.flatMap((journeys, n) =>
      Object.entries(journeys).map(([label, journey]) => ({ label, journey, n })),
    );
    it.each(rows)('$label: "$journey" fails and names what is denied', async ({ label, journey, n }) => {
      const failing = JOURNEYS[journey](system.place(...DEPLOYMENTS[n]!));

      await expect(failing).rejects.toThrow(denialWithout(statementOf(label)));
    });
  },
);
