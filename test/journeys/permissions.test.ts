import { Assembly, DEPLOYMENT_KEYS } from './support/assembly';
import { placeOf } from './support/journeys';
import { type RunningSystem } from './support/running-system';
import { JOURNEYS, type JourneyName } from './support/user-journeys';

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
      'Restore: InvokeFunction on TokenRefresh': 'a caller with an API key restores a record',
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
      'WatchSchedule: InvokeFunction on CredentialWatch': 'the schedule starts credential-watch',
      'TokensTokenSweep: UpdateSecretVersionStage on client-credentials and api-key':
        'token-sweep ends an abandoned rotation',
      'TokensTokenRefresh: DescribeSecret on everything':
        'a request for a token whose secret is gone finds no missing permission',
    },
    {
      'RestoreAuthorizer: Decrypt on token/content/*': 'a caller with a token restores a record',
      'WatchCredentialWatch: BatchGetSecretValue on everything': 'credential-watch reads values together',
      'TokensSchedule: InvokeFunction on TokenSweep': 'the schedule starts a sweep',
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
      'OperatorPolicy: InvokeFunction on TokenRefresh and TokenSweep and CredentialWatch and RotateCredentials':
        'a token is fetched on request',
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
      'RotationProofSchedule: InvokeFunction on RotateCredentials': 'the schedule has an API key proven',
      'RotationRotateCredentials: DescribeSecret on everything':
        'the proof of an API key whose secret is gone finds no missing permission',
    },
  ],
];

let assembly: Assembly;

beforeAll(async () => {
  assembly = await Assembly.synthesize();
});

afterAll(() => assembly.dispose());

it('each statement of each role has a journey that needs it', () => {
  const labels = assembly.statements().map(({ label }) => label);

  expect(labels.sort()).toEqual(SYSTEMS.flat().flatMap(Object.keys).sort());
});

it('only stacks of deployments contain statements', () => {
  const others = assembly.otherTemplates();

  expect(others.length).toBeGreaterThan(4);
  expect(others.flatMap((file) => assembly.statementsIn(file))).toEqual([]);
});

it('every journey succeeds with unchanged templates', async () => {
  const system = await assembly.startWhole();
  try {
    const place = placeOf(system, ...DEPLOYMENT_KEYS[0]);
    for (const journey of Object.values(JOURNEYS)) await journey(place);
  } finally {
    await system.stop();
  }
}, 300_000);

describe.each(SYSTEMS.map((deployments, index) => ({ index, deployments })))(
  'without some statements in each deployment of system $index',
  ({ index, deployments }) => {
    let system: RunningSystem;
    beforeAll(async () => {
      system = await assembly.startWithout(`system-${index}`, deployments.map(Object.keys));
    });
    afterAll(() => system.stop());

    const removed = deployments.flatMap((needed, deployment) =>
      Object.entries(needed).map(([label, journey]) => ({
        label,
        journey,
        deploymentKey: DEPLOYMENT_KEYS[deployment]!,
      })),
    );
    it.each(removed)(
      '$label: "$journey" fails and names what is denied',
      async ({ label, journey, deploymentKey }) => {
        const failing = JOURNEYS[journey](placeOf(system, deploymentKey[0], deploymentKey[1]));

        await expect(failing).rejects.toThrow(assembly.denialWithout(label));
      },
    );
  },
);
