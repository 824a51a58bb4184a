import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { type Built } from './build';
import { MEASURED_KEY } from './measured-key';

const START = join(__dirname, 'programs/start.cjs');

/** The caller's token, which is also the stored one. */
export const ACCESS_TOKEN = 'any-token';

const { tenantId } = MEASURED_KEY;
/** A restore, as authorizer and restore function get it. */
export const REST_CALL = {
  path: `/tenants/${tenantId}/contents/any-content/restore`,
  pathParameters: { tenantId, contentId: 'any-content' },
  multiValueHeaders: { Authorization: [`Bearer ${ACCESS_TOKEN}`], 'Content-Type': ['application/json'] },
  body: '{"authorRef":"any"}',
  requestContext: { requestId: 'any' },
  methodArn: 'any',
};

/** A Node version to start functions with. */
export interface NodeBinary {
  name: string;
  path: string;
}

/** The start of a process, measured from loading the bundle, without Node's own start. */
export interface Start {
  /** Time until the bundle was loaded. */
  loadedMs: number;
  /** Time until Secrets Manager's first response. */
  answeredMs: number;
  /** CPU time until that response. */
  cpuMs: number;
  /** CPU time of the invocation alone. Lambda gives loading a whole vCPU, and an invocation a share of one. */
  invocationCpuMs: number;
}

/**
 * Writes a bundle to a folder of its own, with the deployment file.
 * @returns the path of the bundle
 */
export function writeBundle(folder: string, { name, text }: Built, deployment: DeploymentFile): string {
  const place = join(folder, name.replaceAll(/[^a-z]+/g, '-'));
  mkdirSync(place);
  const file = join(place, 'handler.js');
  writeFileSync(file, text);
  writeFileSync(join(place, 'deployment.json'), JSON.stringify(deployment));
  return file;
}

/**
 * Starts a process as Lambda does: loads the bundle, then calls its handler.
 * @param environment besides the one that all functions have
 */
export async function startOnce(
  { path }: NodeBinary,
  file: string,
  event: object,
  environment: Record<string, string>,
): Promise<Start> {
  const { stdout } = await promisify(execFile)(path, [START, file, JSON.stringify(event)], {
    env: {
      PATH: process.env.PATH,
      AWS_SESSION_TOKEN: 'any',
      // Lambda has no such files, and a process would read this machine's.
      AWS_CONFIG_FILE: '/none',
      AWS_SHARED_CREDENTIALS_FILE: '/none',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      NODE_NO_WARNINGS: '1',
      ...environment,
    },
  });
  return JSON.parse(stdout) as Start;
}

/**
 * The Node versions of Lambda's runtimes, from packages of tools/bench for Linux on x86-64.
 * On other machines, the current Node, and the figures hold for that version only.
 */
export function nodeBinaries(): NodeBinary[] {
  const packaged = ['22', '24'].map((major) => ({
    name: `Node ${major}`,
    path: join(__dirname, 'node_modules', `node-${major}-linux-x64`, 'bin', 'node'),
  }));
  const found = packaged.filter(({ path }) => existsSync(path));
  if (found.length > 0) return found;
  return [{ name: `Node ${process.versions.node} (22 and 24 are not available)`, path: process.execPath }];
}
