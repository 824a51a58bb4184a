import { setTimeout as sleep } from 'node:timers/promises';

import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

import { CommandError } from '../../../cli/command-error';
import { EXIT } from '../../../cli/exit-codes';
import { clockOf, type RunningLaptop } from '../../../cli/local-run';
import { sendHttpsTrusting } from '../../../lambdas/shared/adapters/https-client';
import {
  DeploymentFailed,
  type ListedStack,
  type Outputs,
  type Ports,
  type Stacks,
  KMS_KEY_TYPE,
  timeOf,
  whenSettled,
} from './ports';

/** Address and credentials of the laptop's endpoint, and how far its clock is ahead. */
type LaptopAccess = Omit<ReturnType<typeof laptopConfig>, 'maxAttempts'>;

/** Settings of SDK clients with the permissions of the laptop system's administrator. */
export function laptopConfig({ aws }: RunningLaptop['run'], systemClockOffset: number) {
  const { endpoint, region, accessKeyId, secretAccessKey } = aws;
  const credentials = { accessKeyId, secretAccessKey };
  return { endpoint, region, credentials, systemClockOffset, maxAttempts: 5 };
}

/** A running laptop system, which stands for an account. @throws {CommandError} `unavailable`, `not_running` */
export async function laptopPorts(
  { run, ca }: Pick<RunningLaptop, 'run' | 'ca'>,
  common: Pick<Ports, 'location' | 'synthesize'>,
): Promise<Ports> {
  const restoreApiUrl = run.deployments.find((deployment) => deployment.restoreApiUrl)?.restoreApiUrl;
  if (restoreApiUrl === undefined)
    throw new CommandError(EXIT.failed, 'unavailable', 'the laptop system serves no restore API');
  // Questions may have moved the clock since the command began.
  let config = laptopConfig(run, (await clockOf(new URL(run.aws.endpoint))) - Date.now());
  const access = () => config;
  const send = sendHttpsTrusting(ca, 'localhost');
  return {
    ...common,
    clientConfig: access,
    time: timeOf(
      () => Date.now() + config.systemClockOffset,
      async (sec) => {
        // The laptop's clock advances by whole seconds.
        const advanceSec = Math.ceil(sec);
        await callLaptop(config, 'clock', { advanceSec });
        config = laptopConfig(run, config.systemClockOffset + advanceSec * 1000);
      },
    ),
    stacks: laptopStacks(access),
    // The laptop's API Gateway has one address for all APIs, and tells them apart by `Host`.
    sendRequest: (request) => {
      const { host, pathname, search } = request.url;
      const headers = { ...request.headers, host };
      return send({ ...request, url: new URL(pathname + search, restoreApiUrl), headers });
    },
  };
}

/**
 * Calls `POST /_local/NAME` of a laptop system.
 * @throws {DeploymentFailed} if a stack was refused or rolled back
 * @throws {Error} with the name of AWS's error, if the call was refused
 * @see docs/local-aws.md
 */
export async function callLaptop(access: LaptopAccess, name: string, input: object): Promise<unknown> {
  const { endpoint, region, credentials, systemClockOffset } = access;
  const url = new URL(`/_local/${name}`, endpoint);
  const body = JSON.stringify(input);
  const signer = new SignatureV4({ service: 'loopback', region, credentials, sha256: Sha256 });
  const { headers } = await signer.sign(
    {
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      port: Number(url.port),
      body,
      path: url.pathname,
      headers: { host: url.host, 'content-type': 'application/json' },
    },
    { signingDate: new Date(Date.now() + systemClockOffset) },
  );
  const answer = await fetch(url, { method: 'POST', headers, body });
  const document = (await answer.json()) as { __type?: string; message?: string };
  if (answer.ok) return document;
  const { __type: error = 'UnknownError', message = `status ${answer.status}` } = document;
  if (error === 'DeploymentFailed' || error === 'ValidationError') throw new DeploymentFailed(message);
  throw Object.assign(new Error(message), { name: error });
}

/** A stack takes some milliseconds. */
const POLL_INTERVAL_MS = 50;

/** The stacks of a laptop system, which stands for an account. Its endpoint deploys them. */
export function laptopStacks(access: () => LaptopAccess): Stacks {
  const call = async (input: object) =>
    (await callLaptop(access(), 'stacks', input)) as {
      readonly outputs: Record<string, Outputs>;
      readonly stacks: ListedStack[];
      readonly resources: { type: string; id: string }[];
    };
  const list = async (prefix: string) => (await call({ action: 'list', prefix })).stacks;
  const settled = (name: string) => whenSettled({ list }, name, () => sleep(POLL_INTERVAL_MS));
  return {
    deployAssembly: async (assemblyDir) => (await call({ action: 'deploy', assemblyDir })).outputs,
    list,
    delete: async (name) => {
      await settled(name);
      await call({ action: 'delete', names: [name] });
    },
    keys: async (name) => {
      await settled(name);
      const { resources } = await call({ action: 'resources', names: [name] });
      return resources.filter(({ type }) => type === KMS_KEY_TYPE).map(({ id }) => id);
    },
  };
}
