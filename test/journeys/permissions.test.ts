import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { JOURNEYS, type JourneyName, placeOf } from './support/journeys';
import { PROJECT_ROOT } from './support/local-process';
import { RunningSystem } from './support/running-system';
import { copyAssembly, type StatementPlace, statementsOf } from './support/statements';

/**
 * What each statement is there for: the journey that fails without it, and the denial that it then names.
 * A statement that no journey needs has no place in a template.
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
  'TokensTokenRefreshRole: kms:Decrypt on client-credentials': {
    journey: 'a token is fetched on request',
    denied: /client-credentials was denied: the role may not kms:Decrypt on arn:aws:kms:/,
  },
  'TokensTokenRefreshRole: kms:Decrypt, kms:GenerateDataKey on token/*': {
    journey: 'a token is fetched on request',
    denied: /token\S+ was denied: the role may not kms:\w+ on arn:aws:kms:/,
  },
  'TokensTokenRefreshRole: sqs:SendMessage on the dead-letter queue': {
    journey: 'a request that token-refresh had no time for leaves a dead letter',
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
  'TokensTokenSweepRole: kms:Decrypt on client-credentials': {
    journey: 'a sweep fetches every token',
    denied: /client-credentials was denied: the role may not kms:Decrypt on arn:aws:kms:/,
  },
  'TokensTokenSweepRole: kms:Decrypt, kms:GenerateDataKey on token/*': {
    journey: 'a sweep fetches every token',
    denied: /token\S+ was denied: the role may not kms:\w+ on arn:aws:kms:/,
  },
  'TokensTokenSweepRole: sqs:SendMessage on the dead-letter queue': {
    journey: 'a sweep that had no time leaves a dead letter',
    denied: /sqs:SendMessage on resource: arn:aws:sqs:\S+DeadLetters/,
  },
  'TokensScheduleRole: lambda:InvokeFunction on TokenSweep': {
    journey: 'the schedule starts a sweep',
    denied: /lambda:InvokeFunction on resource: arn:aws:lambda:\S+TokenSweep/,
  },
  'TokensScheduleRole: sqs:SendMessage on the dead-letter queue': {
    journey: 'a schedule that cannot start its sweep leaves a dead letter',
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
    denied: /api-write was denied: the role may not kms:Decrypt on arn:aws:kms:/,
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
    denied: /secretsmanager:GetSecretValue on arn:aws:secretsmanager:\S+api-key/,
  },
  'RestoreAuthorizerRole: kms:Decrypt on api-key': {
    journey: 'a caller with an API key restores a record',
    denied: /api-key was denied: the role may not kms:Decrypt on arn:aws:kms:/,
  },
  'RestoreAuthorizerRole: secretsmanager:GetSecretValue on token/content/*': {
    journey: 'a caller with a token restores a record',
    denied: /secretsmanager:GetSecretValue on arn:aws:secretsmanager:\S+token/,
  },
  'RestoreAuthorizerRole: kms:Decrypt on token/content/*': {
    journey: 'a caller with a token restores a record',
    denied: /token\S+ was denied: the role may not kms:Decrypt on arn:aws:kms:/,
  },
  'OperatorPolicy: secretsmanager:PutSecretValue on client-credentials and api-key': {
    journey: 'an operator loads credentials',
    denied: /secretsmanager:PutSecretValue on resource: arn:aws:secretsmanager:\S+client-credentials/,
  },
  'OperatorPolicy: kms:GenerateDataKey, kms:Decrypt on client-credentials and api-key': {
    journey: 'an operator loads credentials',
    denied: /kms:\w+ on resource: arn:aws:kms:/,
  },
  'OperatorPolicy: lambda:InvokeFunction on TokenRefresh and TokenSweep': {
    journey: 'a token is fetched on request',
    denied: /lambda:InvokeFunction on resource: arn:aws:lambda:\S+TokenRefresh/,
  },
};

const CELLS = [
  ['staging', 'global'],
  ['staging', 'mea'],
  ['production', 'global'],
  ['production', 'mea'],
] as const;

let folder: string;
let assembly: string;
let configFile: string;
let sandboxPort: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-permissions-'));
  sandboxPort = await freePort();
  configFile = join(folder, 'config.json');
  assembly = join(folder, 'assembly');
  const text = readFileSync(join(PROJECT_ROOT, 'config/local.json'), 'utf8');
  writeFileSync(configFile, text.replaceAll('https://127.0.0.1:8443', `https://127.0.0.1:${sandboxPort}`));
  const { status, stderr } = spawnSync(process.execPath, ['--require', 'tsx/cjs', 'bin/app.ts'], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, LATCHKEY_CONFIG: configFile, CDK_OUTDIR: assembly, CDK_VALIDATION: 'false' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stackOf = ([environment, region]: (typeof CELLS)[number]) => `latchkey-${environment}-${region}`;

function statements(): StatementPlace[] {
  return statementsOf(readTemplate(`${stackOf(CELLS[0])}.template.json`));
}

function readTemplate(file: string): Parameters<typeof statementsOf>[0] {
  return JSON.parse(readFileSync(join(assembly, file), 'utf8')) as Parameters<typeof statementsOf>[0];
}

async function startWithout(name: string, removed: (StatementPlace | undefined)[]): Promise<RunningSystem> {
  const copy = join(folder, name);
  copyAssembly(
    assembly,
    copy,
    removed.flatMap((place, index) =>
      place === undefined ? [] : [{ stack: stackOf(CELLS[index]!), place }],
    ),
  );
  const args = [
    '--config',
    configFile,
    '--assembly',
    copy,
    '--sandbox-port',
    String(sandboxPort),
    '--no-job',
  ];
  return RunningSystem.start(args);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

it('names a journey for every statement of every role', () => {
  expect(
    statements()
      .map(({ label }) => label)
      .sort(),
  ).toEqual(Object.keys(NEEDED_FOR).sort());
});

it('finds no statement outside the stacks of deployments', () => {
  const others = readdirSync(assembly).filter(
    (file) =>
      file.endsWith('.template.json') && !CELLS.some((cell) => file === `${stackOf(cell)}.template.json`),
  );

  expect(others.length).toBeGreaterThan(4);
  expect(others.flatMap((file) => statementsOf(readTemplate(file)))).toEqual([]);
});

it('lets every journey succeed with the templates as they are', async () => {
  const system = await startWithout('whole', []);
  try {
    const place = placeOf(system, ...CELLS[0]);
    for (const journey of Object.values(JOURNEYS)) await journey(place);
  } finally {
    await system.stop();
  }
});

for (const batch of batches(Object.entries(NEEDED_FOR), CELLS.length)) {
  describe(`without one statement in each cell, from "${batch[0]![0]}"`, () => {
    let system: RunningSystem;

    beforeAll(async () => {
      const removed = batch.map(([label]) => statements().find((place) => place.label === label));
      system = await startWithout(batch[0]![0].replaceAll(/\W+/g, '-'), removed);
    });

    afterAll(() => system.stop());

    it.each(batch.map(([label, needed], index) => ({ label, ...needed, cell: CELLS[index]! })))(
      '$label: "$journey" fails and names the denied action and resource',
      async ({ journey, denied, cell }) => {
        await expect(JOURNEYS[journey](placeOf(system, cell[0], cell[1]))).rejects.toThrow(denied);
      },
    );
  });
}

function batches<T>(all: T[], size: number): T[][] {
  return all.length === 0 ? [] : [all.slice(0, size), ...batches(all.slice(size), size)];
}
