import { Assembly, DEPLOYMENT_KEYS } from './support/assembly';
import { placeOf } from './support/journeys';
import { type RunningSystem } from './support/running-system';
import { JOURNEYS, type JourneyName } from './support/user-journeys';

/**
 * For each statement: the journey that fails without it, and the expected denial. A statement that no
 * journey needs does not belong in a template.
 */
const NEEDED_FOR: Record<string, { journey: JourneyName; denied: RegExp }> = {
  'TokensTokenRefreshRole: logs:CreateLogStream, logs:PutLogEvents on its log group': {
    journey: 'token-refresh writes its log',
    denied: /logs:CreateLogStream on resource: arn:aws:logs:\S+TokenRefresh/,
  },
  'TokensTokenRefreshRole: secretsmanager:GetSecretValue, secretsmanager:DescribeSecret on client-credentials':
    {
      journey: 'a token is fetched on request',
      denied: /secretsmanager:GetSecretValue on arn:aws:secretsmanager:\S+client-credentials/,
    },
  'TokensTokenRefreshRole: secretsmanager:GetSecretValue, secretsmanager:DescribeSecret, secretsmanager:PutSecretValue on token/*':
    {
      journey: 'a token is fetched on request',
      denied: /secretsmanager:GetSecretValue on arn:aws:secretsmanager:\S+token/,
    },
  'TokensTokenRefreshRole: secretsmanager:DescribeSecret on everything': {
    journey: 'a request for a token whose secret is gone finds no missing permission',
    denied: /secretsmanager:GetSecretValue on latchkey\/\S+token/,
  },
  'TokensTokenRefreshRole: kms:Decrypt on client-credentials': {
    journey: 'a token is fetched on request',
    denied: /client-credentials was denied: the role lacks kms:Decrypt on arn:aws:kms:/,
  },
  'TokensTokenRefreshRole: kms:Decrypt, kms:GenerateDataKey on token/*': {
    journey: 'a token is fetched on request',
    denied: /token\S+ was denied: the role lacks kms:\w+ on arn:aws:kms:/,
  },
  'TokensTokenRefreshRole: sqs:SendMessage on the dead-letter queue': {
    journey: 'an event that token-refresh could not take in time leaves a dead letter',
    denied: /sqs:SendMessage on resource: arn:aws:sqs:\S+DeadLetters/,
  },
  'TokensTokenSweepRole: logs:CreateLogStream, logs:PutLogEvents on its log group': {
    journey: 'token-sweep writes its log',
    denied: /logs:CreateLogStream on resource: arn:aws:logs:\S+TokenSweep/,
  },
  'TokensTokenSweepRole: secretsmanager:GetSecretValue, secretsmanager:DescribeSecret on client-credentials':
    {
      journey: 'a sweep fetches every token',
      denied: /secretsmanager:GetSecretValue on arn:aws:secretsmanager:\S+client-credentials/,
    },
  'TokensTokenSweepRole: secretsmanager:GetSecretValue, secretsmanager:DescribeSecret, secretsmanager:PutSecretValue on token/*':
    {
      journey: 'a sweep fetches every token',
      denied: /secretsmanager:GetSecretValue on arn:aws:secretsmanager:\S+token/,
    },
  'TokensTokenSweepRole: secretsmanager:DescribeSecret on everything': {
    journey: 'a sweep of a token whose secret is gone finds no missing permission',
    denied: /secretsmanager:GetSecretValue on latchkey\/\S+token/,
  },
  'TokensTokenSweepRole: kms:Decrypt on client-credentials': {
    journey: 'a sweep fetches every token',
    denied: /client-credentials was denied: the role lacks kms:Decrypt on arn:aws:kms:/,
  },
  'TokensTokenSweepRole: kms:Decrypt, kms:GenerateDataKey on token/*': {
    journey: 'a sweep fetches every token',
    denied: /token\S+ was denied: the role lacks kms:\w+ on arn:aws:kms:/,
  },
  'TokensTokenSweepRole: sqs:SendMessage on the dead-letter queue': {
    journey: 'a sweep that could not start in time leaves a dead letter',
    denied: /sqs:SendMessage on resource: arn:aws:sqs:\S+DeadLetters/,
  },
  'TokensScheduleRole: lambda:InvokeFunction on TokenSweep': {
    journey: 'the schedule starts a sweep',
    denied: /lambda:InvokeFunction on resource: arn:aws:lambda:\S+TokenSweep/,
  },
  'TokensScheduleRole: sqs:SendMessage on the dead-letter queue': {
    journey: 'a schedule that cannot start token-sweep leaves a dead letter',
    denied: /sqs:SendMessage on resource: arn:aws:sqs:\S+DeadLetters/,
  },
  'RestoreRole: logs:CreateLogStream, logs:PutLogEvents on its log group': {
    journey: 'restore writes its log',
    denied: /logs:CreateLogStream on resource: arn:aws:logs:\S+Restore/,
  },
  'RestoreRole: secretsmanager:GetSecretValue on token/content/api-write': {
    journey: 'a caller with an API key restores a record',
    denied: /secretsmanager:GetSecretValue on arn:aws:secretsmanager:\S+api-write/,
  },
  'RestoreRole: kms:Decrypt on token/content/api-write': {
    journey: 'a caller with an API key restores a record',
    denied: /api-write was denied: the role lacks kms:Decrypt on arn:aws:kms:/,
  },
  'RestoreRole: lambda:InvokeFunction on TokenRefresh': {
    journey: 'a caller with an API key restores a record',
    denied: /lambda:InvokeFunction on arn:aws:lambda:\S+TokenRefresh/,
  },
  'RestoreAuthorizerRole: logs:CreateLogStream, logs:PutLogEvents on its log group': {
    journey: 'the authorizer writes its log',
    denied: /logs:CreateLogStream on resource: arn:aws:logs:\S+Authorizer/,
  },
  'RestoreAuthorizerRole: secretsmanager:GetSecretValue, secretsmanager:DescribeSecret on api-key': {
    journey: 'a caller with an API key restores a record',
    denied: /secretsmanager:(GetSecretValue|DescribeSecret) on arn:aws:secretsmanager:\S+api-key/,
  },
  'RestoreAuthorizerRole: kms:Decrypt on api-key': {
    journey: 'a caller with an API key restores a record',
    denied: /api-key was denied: the role lacks kms:Decrypt on arn:aws:kms:/,
  },
  'RestoreAuthorizerRole: secretsmanager:GetSecretValue on token/content/*': {
    journey: 'a caller with a token restores a record',
    denied: /secretsmanager:GetSecretValue on arn:aws:secretsmanager:\S+token/,
  },
  'RestoreAuthorizerRole: kms:Decrypt on token/content/*': {
    journey: 'a caller with a token restores a record',
    denied: /token\S+ was denied: the role lacks kms:Decrypt on arn:aws:kms:/,
  },
  'RotationRotateCredentialsRole: logs:CreateLogStream, logs:PutLogEvents on its log group': {
    journey: 'rotate-credentials writes its log',
    denied: /logs:CreateLogStream on resource: arn:aws:logs:\S+RotateCredential/,
  },
  'RotationRotateCredentialsRole: secretsmanager:DescribeSecret, secretsmanager:GetSecretValue, secretsmanager:PutSecretValue, secretsmanager:UpdateSecretVersionStage on client-credentials and api-key':
    {
      journey: 'a rotation promotes the candidate',
      denied: /secretsmanager:DescribeSecret on arn:aws:secretsmanager:\S+client-credentials/,
    },
  'RotationRotateCredentialsRole: kms:Decrypt, kms:GenerateDataKey on client-credentials and api-key': {
    journey: 'a rotation promotes the candidate',
    denied: /client-credentials\S* was denied: the role lacks kms:\w+ on arn:aws:kms:/,
  },
  'RotationRotateCredentialsRole: sqs:SendMessage on the dead-letter queue': {
    journey: 'a failed proof of API keys leaves a dead letter',
    denied: /sqs:SendMessage on resource: arn:aws:sqs:\S+DeadLetters/,
  },
  'RotationRotateCredentialsRole: secretsmanager:TagResource on api-key': {
    journey: 'rotate-credentials records that an API key is proven',
    denied: /secretsmanager:TagResource on arn:aws:secretsmanager:\S+api-key/,
  },
  'RotationRotateCredentialsRole: secretsmanager:DescribeSecret on everything': {
    journey: 'the proof of an API key whose secret is gone finds no missing permission',
    denied: /secretsmanager:DescribeSecret on latchkey\/\S+api-key/,
  },
  'RotationProofScheduleRole: lambda:InvokeFunction on RotateCredentials': {
    journey: 'the schedule has an API key proven',
    denied: /lambda:InvokeFunction on resource: arn:aws:lambda:\S+RotateCredential/,
  },
  'RotationProofScheduleRole: sqs:SendMessage on the dead-letter queue': {
    journey: 'a schedule that cannot start rotate-credentials leaves a dead letter',
    denied: /sqs:SendMessage on resource: arn:aws:sqs:\S+DeadLetters/,
  },
  'TokensTokenSweepRole: secretsmanager:DescribeSecret, secretsmanager:ListSecretVersionIds on client-credentials and api-key':
    {
      journey: 'token-sweep ends an abandoned rotation',
      denied: /secretsmanager:(DescribeSecret|ListSecretVersionIds) on arn:aws:secretsmanager:\S+api-key/,
    },
  'TokensTokenSweepRole: secretsmanager:UpdateSecretVersionStage on client-credentials and api-key': {
    journey: 'token-sweep ends an abandoned rotation',
    denied: /secretsmanager:UpdateSecretVersionStage on arn:aws:secretsmanager:\S+api-key/,
  },
  'WatchCredentialWatchRole: logs:CreateLogStream, logs:PutLogEvents on its log group': {
    journey: 'credential-watch writes its log',
    denied: /logs:CreateLogStream on resource: arn:aws:logs:\S+CredentialWatch/,
  },
  'WatchCredentialWatchRole: secretsmanager:DescribeSecret, secretsmanager:ListSecretVersionIds on client-credentials and api-key':
    {
      journey: 'an operator runs credential-watch',
      denied: /secretsmanager:DescribeSecret on arn:aws:secretsmanager:\S+client-credentials/,
    },
  'WatchCredentialWatchRole: secretsmanager:GetSecretValue on api-key and token/*': {
    journey: 'an operator runs credential-watch',
    denied: /secretsmanager:GetSecretValue on arn:aws:secretsmanager:\S+(api-key|token)/,
  },
  'WatchCredentialWatchRole: secretsmanager:BatchGetSecretValue on everything': {
    journey: 'credential-watch reads values together',
    denied: /perform: secretsmanager:BatchGetSecretValue on resource: \*/,
  },
  'WatchCredentialWatchRole: kms:Decrypt on api-key and token/*': {
    journey: 'an operator runs credential-watch',
    denied: /kms:Decrypt on arn:aws:kms:/,
  },
  'WatchCredentialWatchRole: lambda:InvokeFunction on Restore': {
    journey: 'credential-watch learns whether the platform offers restore',
    denied: /lambda:InvokeFunction on arn:aws:lambda:\S+Restore/,
  },
  'WatchCredentialWatchRole: sqs:SendMessage on the dead-letter queue': {
    journey: 'a failed watch leaves a dead letter',
    denied: /sqs:SendMessage on resource: arn:aws:sqs:\S+DeadLetters/,
  },
  'WatchScheduleRole: lambda:InvokeFunction on CredentialWatch': {
    journey: 'the schedule starts credential-watch',
    denied: /lambda:InvokeFunction on resource: arn:aws:lambda:\S+CredentialWatch/,
  },
  'WatchScheduleRole: sqs:SendMessage on the dead-letter queue': {
    journey: 'a schedule that cannot start credential-watch leaves a dead letter',
    denied: /sqs:SendMessage on resource: arn:aws:sqs:\S+DeadLetters/,
  },
  'OperatorPolicy: secretsmanager:PutSecretValue, secretsmanager:DescribeSecret, secretsmanager:ListSecretVersionIds, secretsmanager:UpdateSecretVersionStage, secretsmanager:RotateSecret, secretsmanager:RestoreSecret on client-credentials and api-key':
    {
      journey: 'an operator loads credentials',
      denied: /secretsmanager:PutSecretValue on resource: arn:aws:secretsmanager:\S+client-credentials/,
    },
  'OperatorPolicy: secretsmanager:RestoreSecret on token/*': {
    journey: 'an operator cancels the deletion of secrets',
    denied: /secretsmanager:RestoreSecret on resource: arn:aws:secretsmanager:/,
  },
  'OperatorPolicy: secretsmanager:GetSecretValue on token/*': {
    journey: 'an operator shows a token',
    denied: /secretsmanager:GetSecretValue on resource: arn:aws:secretsmanager:\S+token/,
  },
  'OperatorPolicy: kms:Decrypt on token/*': {
    journey: 'an operator shows a token',
    denied: /kms:Decrypt on resource: arn:aws:kms:/,
  },
  'OperatorPolicy: ssm:GetParameter on the parameters of the deployment': {
    journey: 'an operator finds the functions',
    denied: /ssm:GetParameter on resource: arn:aws:ssm:\S+parameter/,
  },
  'OperatorPolicy: cloudwatch:DescribeAlarms on everything': {
    journey: 'an operator reads the alarms',
    denied: /cloudwatch:DescribeAlarms on resource: /,
  },
  'OperatorPolicy: logs:FilterLogEvents on its log group': {
    journey: 'an operator reads the history of restores',
    denied: /logs:FilterLogEvents on resource: arn:aws:logs:\S+RestoreLogs/,
  },
  'OperatorPolicy: scheduler:GetSchedule, scheduler:UpdateSchedule on the schedules': {
    journey: 'an operator disables and enables a schedule',
    denied: /scheduler:GetSchedule on resource: arn:aws:scheduler:\S+-token-sweep/,
  },
  'OperatorPolicy: iam:PassRole on the roles of the schedules': {
    journey: 'an operator disables and enables a schedule',
    denied: /iam:PassRole on resource: arn:aws:iam:\S+ScheduleRole/,
  },
  'OperatorPolicy: kms:GenerateDataKey, kms:Decrypt on client-credentials and api-key': {
    journey: 'an operator loads credentials',
    denied: /kms:\w+ on resource: arn:aws:kms:/,
  },
  'OperatorPolicy: lambda:InvokeFunction on TokenRefresh and TokenSweep and CredentialWatch and RotateCredentials':
    {
      journey: 'a token is fetched on request',
      denied: /lambda:InvokeFunction on resource: arn:aws:lambda:\S+TokenRefresh/,
    },
};

let assembly: Assembly;

beforeAll(async () => {
  assembly = await Assembly.synthesize();
});

afterAll(() => assembly.dispose());

it('each statement of each role has a journey that needs it', () => {
  const labels = assembly.statements().map(({ label }) => label);

  expect(labels.sort()).toEqual(Object.keys(NEEDED_FOR).sort());
});

it('only stacks of deployments contain statements', () => {
  const others = assembly.otherTemplates();

  expect(others.length).toBeGreaterThan(4);
  expect(others.flatMap((file) => assembly.statementsIn(file))).toEqual([]);
});

// Each batch starts its own system.
const BATCHES = batches(Object.entries(NEEDED_FOR), DEPLOYMENT_KEYS.length);

it('every journey succeeds with unchanged templates', async () => {
  const system = await assembly.startWithout('whole', []);
  try {
    const place = placeOf(system, ...DEPLOYMENT_KEYS[0]);
    for (const journey of Object.values(JOURNEYS)) await journey(place);
  } finally {
    await system.stop();
  }
}, 300_000);

for (const batch of BATCHES) {
  describe(`without one statement in each deployment, from "${batch[0]![0]}"`, () => {
    let system: RunningSystem;

    beforeAll(async () => {
      const removed = batch.map(([label]) => label);
      system = await assembly.startWithout(batch[0]![0].replaceAll(/\W+/g, '-'), removed);
    });

    afterAll(() => system.stop());

    it.each(
      batch.map(([label, needed], index) => ({ label, ...needed, deploymentKey: DEPLOYMENT_KEYS[index]! })),
    )(
      '$label: "$journey" fails and names the denied action and resource',
      async ({ journey, denied, deploymentKey }) => {
        await expect(JOURNEYS[journey](placeOf(system, deploymentKey[0], deploymentKey[1]))).rejects.toThrow(
          denied,
        );
      },
    );
  });
}

function batches<T>(all: T[], size: number): T[][] {
  return all.length === 0 ? [] : [all.slice(0, size), ...batches(all.slice(size), size)];
}
