import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';

import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SSMClient } from '@aws-sdk/client-ssm';
import { z } from 'zod';

import { type LocalDeployment, type LocalRun } from '../contract/local-run';
import { deploymentName } from '../contract/token-key';
import { sendHttpsTrusting } from '../lambdas/shared/adapters/https-client';
import { CommandError } from './command-error';
import { shellWord } from './command-text';
import { noRestoreApi, parameterReader, restoreAuthOf } from './deployment-parameters';
import { EXIT } from './exit-codes';
import { type Deployment, type System, USUAL_STATE_DIR } from './system';

const FUNCTIONS: Partial<
  Record<Parameters<Deployment['functionArn']>[0], keyof LocalDeployment['functions']>
> = {
  'token-refresh-arn': 'tokenRefresh',
  'token-sweep-arn': 'tokenSweep',
  'restore-arn': 'restore',
  'rotate-credentials-arn': 'rotateCredentials',
  'credential-watch-arn': 'credentialWatch',
};

/** The fields that the command needs: fewer than are written, so that files of older versions work. */
const LOCAL_RUN = z.looseObject({
  aws: z.looseObject({ endpoint: z.url(), region: z.string() }),
  operator: z.looseObject({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  caFile: z.string(),
  deployments: z.array(
    z.looseObject({
      stack: z.string(),
      functions: z.looseObject({}),
      platform: z.looseObject({}),
      tenants: z.array(z.looseObject({ tenantId: z.string(), tokens: z.array(z.looseObject({})) })),
    }),
  ),
});

/**
 * The running laptop system, with an operator's permissions.
 * @param projectRoot paths in `local.json` are relative to this
 * @throws {CommandError} unavailable, if none is running
 */
export async function openLocalSystem(
  projectRoot: string,
  stateDir: string | undefined,
  interrupted: AbortSignal,
): Promise<System> {
  const dir = resolve(projectRoot, stateDir ?? USUAL_STATE_DIR);
  // The message does not name it: it may be a misplaced secret.
  if (!existsSync(dir)) throw notRunning('its state directory does not exist');
  const run = readRun(join(dir, 'local.json'));
  const { endpoint, region } = run.aws;
  await checkRunning(new URL(endpoint));
  const { accessKeyId, secretAccessKey } = run.operator;
  const options = { endpoint, region, credentials: { accessKeyId, secretAccessKey }, maxAttempts: 5 };
  const clients = {
    secretsManager: new SecretsManagerClient(options),
    lambda: new LambdaClient(options),
    cloudWatch: new CloudWatchClient(options),
    scheduler: new SchedulerClient(options),
  };
  const ssm = new SSMClient(options);
  return {
    deployments: run.deployments.map((deployment) => ({
      ...describeDeployment(deployment, ssm, interrupted),
      ...clients,
    })),
    flags: stateDir === undefined ? '--local' : `--local --state-dir ${shellWord(stateDir)}`,
    sendRequest: sendHttpsTrusting(readFile(resolve(projectRoot, run.caFile))),
  };
}

function describeDeployment(
  local: LocalDeployment,
  ssm: SSMClient,
  interrupted: AbortSignal,
): Omit<Deployment, 'secretsManager' | 'lambda' | 'cloudWatch' | 'scheduler'> {
  const { environment, platformRegion, stack, functions, platform, tenants, restoreApiUrl } = local;
  const named = {
    environment,
    platformRegion,
    stackName: stack,
    prefix: stack.slice(0, -`-${deploymentName(local)}`.length),
  };
  return {
    ...named,
    configured: undefined,
    platform,
    tenants: tenants.map(({ tenantId, clientCredentialsArn, apiKeyArn, tokens }) => ({
      tenantId,
      secretIds: { 'client-credentials': clientCredentialsArn, 'api-key': apiKeyArn },
      tokens: tokens.map(({ arn, ...token }) => ({ ...token, secretId: arn })),
    })),
    functionArn: async (leaf) => {
      const name = FUNCTIONS[leaf];
      const arn = name === undefined ? undefined : functions[name];
      if (arn !== undefined) return arn;
      throw new CommandError(EXIT.failed, 'not_found', `${stack} has no function for ${leaf}`);
    },
    restoreApi: async () => {
      if (restoreApiUrl === undefined) throw noRestoreApi(stack);
      return { url: restoreApiUrl, auth: await restoreAuthOf(parameterReader(ssm, named, interrupted)) };
    },
  };
}

function readRun(file: string): LocalRun {
  const text = readFile(file);
  try {
    return LOCAL_RUN.parse(JSON.parse(text)) as unknown as LocalRun;
  } catch {
    throw notRunning(`${file} is not valid`);
  }
}

/** A killed run leaves its file behind, so check the port. */
async function checkRunning({ hostname, port }: URL): Promise<void> {
  const socket = connect({ host: hostname, port: Number(port) });
  try {
    await once(socket, 'connect');
  } catch (error) {
    throw notRunning(`nothing answers on port ${port} (${(error as NodeJS.ErrnoException).code})`);
  } finally {
    socket.destroy();
  }
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw notRunning(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function notRunning(reason: string): CommandError {
  return new CommandError(EXIT.unavailable, 'not_running', `no laptop system is running: ${reason}`, {
    advice: 'Start it with `npm start`, and wait for the line that begins with ready.',
  });
}
