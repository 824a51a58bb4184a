import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { type LocalDeployment, type LocalTenant } from '../../../contract/local-run';
import { type TokenValue } from '../../../contract/secret-values';
import { type LocalSystem } from '../../../local/main-job/local-system';
import { buildClient } from '../build';
import { count, median, milliseconds } from '../figures';
import { OwnLocalSystem } from '../own-local-system';
import { Program } from '../child-program';
import { type BenchOptions, type Answer, roundsOf } from '../question';

const PROCESSES = 8;
const ASKS = 125;
const OURS = 'latchkey/client over token-refresh';
const DESIGNS = ['nothing shared', 'single flight in each process', OURS];

interface Asked {
  requests: number;
  wallMs: number;
}

/** Counts the platform's token requests when many processes need one token, with a running laptop system. */
export async function processes(options: BenchOptions): Promise<Answer> {
  options.progress('processes: starting a laptop system');
  const own = await OwnLocalSystem.start();
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-askers-'));
  try {
    const clientFile = join(folder, 'client.js');
    writeFileSync(clientFile, buildClient().text);
    const results = new Map<string, Asked[]>();
    const rounds = roundsOf(options, 3, 1);
    for (let round = 1; round <= rounds; round += 1) {
      options.progress(`processes: round ${round} of ${rounds}`);
      for (const design of DESIGNS) {
        const asked = await ask(own.system, design, clientFile);
        results.set(design, [...(results.get(design) ?? []), asked]);
      }
    }
    return { tables: [tableOf(results)], goals: [goalOf(results.get(OURS)!)] };
  } finally {
    rmSync(folder, { recursive: true });
    await own.stop();
  }
}

/** Asks with new processes that have nothing in memory, when the stored token has expired. */
async function ask(system: LocalSystem, design: string, clientFile: string): Promise<Asked> {
  const { run } = system;
  const deployment = run.deployments[0]!;
  const tenant = deployment.tenants[0]!;
  const programs = Array.from(
    { length: PROCESSES },
    () =>
      new Program('asker.mjs', {
        arguments: [design, clientFile, JSON.stringify(requestFor(deployment, tenant))],
        environment: {
          NODE_EXTRA_CA_CERTS: resolve(__dirname, '../../..', run.caFile),
          AWS_ENDPOINT_URL: run.aws.endpoint,
          AWS_REGION: run.aws.region,
          AWS_ACCESS_KEY_ID: run.aws.accessKeyId,
          AWS_SECRET_ACCESS_KEY: run.aws.secretAccessKey,
        },
      }),
  );
  try {
    await Promise.all(programs.map((program) => program.ask({ ready: true })));
    await endStoredToken(system, tenant);
    const before = await tokenRequests(system, tenant);
    const startedMs = performance.now();
    const answers = await Promise.all(
      programs.map((program) => program.ask<{ failed: number }>({ asks: ASKS })),
    );
    const wallMs = performance.now() - startedMs;
    const failed = answers.reduce((sum, answer) => sum + answer.failed, 0);
    if (failed > 0) throw new Error(`${design}: ${failed} of ${PROCESSES * ASKS} asks failed`);
    return { wallMs, requests: (await tokenRequests(system, tenant)) - before };
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
  }
}

const tokenOf = ({ tokens }: LocalTenant) => tokens.find(({ scope }) => scope === 'api/write')!;

function requestFor(
  { environment, platformRegion, platform, functions }: LocalDeployment,
  tenant: LocalTenant,
) {
  const { interface: platformInterface, scope } = tokenOf(tenant);
  const { tenantId, clientCredentialsArn } = tenant;
  return {
    key: { environment, platformRegion, tenantId, interface: platformInterface, scope },
    tokenRefresh: functions.tokenRefresh,
    tokenUrl: `${platform.contentTokenBaseUrl}/oauth2/token/${tenantId}`,
    clientCredentialsArn,
  };
}

/** Sets the stored token's expiry to the past, as the account's administrator. */
async function endStoredToken(system: LocalSystem, tenant: LocalTenant): Promise<void> {
  const { arn } = tokenOf(tenant);
  const { endpoint, region, accessKeyId, secretAccessKey } = system.run.aws;
  const client = new SecretsManagerClient({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
  });
  const value = await system.readSecret<TokenValue>(arn);
  const ended = { ...value, expiresAt: new Date(Date.now() - 60_000).toISOString() };
  await client.send(new PutSecretValueCommand({ SecretId: arn, SecretString: JSON.stringify(ended) }));
  client.destroy();
}

interface Counter {
  target: string;
  path: string;
  count: number;
}

/** The number of token requests that the sandbox has received for a tenant. */
async function tokenRequests(system: LocalSystem, { tenantId }: LocalTenant): Promise<number> {
  const { body } = await system.control('GET', '/counters');
  return (body as { requests: Counter[] }).requests
    .filter(({ target, path }) => target === 'token' && path.endsWith(`/${tenantId}`))
    .reduce((sum, counter) => sum + counter.count, 0);
}

function tableOf(results: Map<string, Asked[]>) {
  return {
    title: `${PROCESSES} processes x ${ASKS} asks for one token, over a running laptop system`,
    columns: ['design', 'token requests', 'wall'],
    rows: [...results].map(([design, asked]) => [
      design,
      count(median(asked.map(({ requests }) => requests))),
      milliseconds(median(asked.map(({ wallMs }) => wallMs))),
    ]),
  };
}

function goalOf(asked: Asked[]) {
  return {
    number: 4,
    subject: `${PROCESSES} processes x ${ASKS} asks through token-refresh`,
    wanted: 'exactly 1 token request',
    measured: [...new Set(asked.map(({ requests }) => requests))].sort().join(', '),
    isMet: asked.every(({ requests }) => requests === 1),
    isTimed: false,
  };
}
