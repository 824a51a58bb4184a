import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { z } from 'zod';

import { type LocalRun } from '../core/deployment/local-run';
import { isLoopback } from '../core/deployment/platform-address';
import { CommandError } from './command-error';
import { EXIT } from './exit-codes';
import { DEFAULT_STATE_DIR } from './system';

/** Loopback answers within milliseconds, unless the laptop is busy. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Where to look for the state directory of the laptop system. */
export interface StateDirOptions {
  /** `--state-dir` */
  readonly stateDir: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingDir: string;
  /** Of the command: the checkout, or the folder of an installed package. */
  readonly projectRoot: string;
}

/** A running laptop system, as its `local.json` describes it. */
export interface RunningLaptop {
  readonly run: LocalRun;
  /** Absolute path of the PEM file. */
  readonly caFile: string;
  /** PEM of the certificates to trust. */
  readonly ca: string;
  /** How far its clock is ahead of this machine's. */
  readonly clockAheadMs: number;
}

/** An address on this machine. Nothing else may receive what a command sends to the laptop system: keys, credentials, tokens. */
const onLaptop = (protocol: RegExp) =>
  z.url({ protocol }).refine((url) => URL.canParse(url) && isLoopback(new URL(url).hostname));
const https = onLaptop(/^https$/);

/** The fields that the command needs: fewer than are written, so that files of older versions work. */
const LOCAL_RUN = z.looseObject({
  aws: z.looseObject({
    endpoint: onLaptop(/^https?$/),
    region: z.string(),
    accessKeyId: z.string(),
    secretAccessKey: z.string(),
  }),
  operator: z.looseObject({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  caFile: z.string(),
  sandboxControl: https,
  deployments: z.array(
    z.looseObject({
      issuer: z.string().optional(),
      environment: z.string(),
      platformRegion: z.string().optional(),
      stack: z.string(),
      functions: z.record(z.string(), z.string()),
      restoreApiUrl: https.optional(),
      platform: z.record(z.string(), https),
      profile: z.looseObject({ tokenEndpoint: z.looseObject({ path: z.string() }) }),
      tenants: z.array(
        z.looseObject({
          tenantId: z.string(),
          clientCredentialsArn: z.string(),
          apiKeyArn: z.string().optional(),
          tokens: z.array(z.looseObject({ interface: z.string(), scope: z.string(), arn: z.string() })),
        }),
      ),
    }),
  ),
});

/** Finds and reads the running laptop system. @throws {CommandError} unavailable, if none is running */
export async function findLocalRun(options: StateDirOptions): Promise<RunningLaptop> {
  const dir = stateDirOf(options);
  // The message does not name it: it may be a misplaced secret.
  if (!existsSync(dir)) throw notRunning('its state directory does not exist');
  const run = readRun(join(dir, 'local.json'));
  const clockAheadMs = (await clockOf(new URL(run.aws.endpoint))) - Date.now();
  const caFile = caFileOf(run, dir);
  return { run, caFile, ca: readFile(caFile), clockAheadMs };
}

/** By default the nearest one of a running system, from the working directory upward; else the project's. */
function stateDirOf({ stateDir, env, workingDir, projectRoot }: StateDirOptions): string {
  const named = stateDir ?? (env.LATCHKEY_STATE_DIR === '' ? undefined : env.LATCHKEY_STATE_DIR);
  if (named !== undefined) {
    const candidates = [resolve(workingDir, named), resolve(projectRoot, named)];
    return candidates.find(hasRun) ?? candidates.find((dir) => existsSync(dir)) ?? candidates[0]!;
  }
  for (let folder = resolve(workingDir); ; folder = dirname(folder)) {
    const dir = join(folder, DEFAULT_STATE_DIR);
    if (hasRun(dir) && isOwn(dir)) return dir;
    if (folder === dirname(folder)) return resolve(projectRoot, DEFAULT_STATE_DIR);
  }
}

function hasRun(dir: string): boolean {
  return existsSync(join(dir, 'local.json'));
}

/** Whether the caller owns it. Another owner could have the command send secrets to another endpoint. */
function isOwn(dir: string): boolean {
  return statSync(join(dir, 'local.json')).uid === (process.getuid?.() ?? 0);
}

/** Relative to the project root, which is usually the state directory's parent. Otherwise it is next to `local.json`. */
function caFileOf({ caFile }: LocalRun, dir: string): string {
  const inProject = resolve(dirname(dir), caFile);
  return existsSync(inProject) ? inProject : join(dir, basename(caFile));
}

function readRun(file: string): LocalRun {
  const text = readFile(file);
  try {
    return LOCAL_RUN.parse(JSON.parse(text)) as unknown as LocalRun;
  } catch {
    throw notRunning(`${file} is not valid`);
  }
}

/**
 * The time of the laptop system, which can be ahead of this machine's. Requests are signed with it.
 * A killed run leaves its file behind, so this also checks that the system is up.
 */
export async function clockOf(endpoint: URL): Promise<number> {
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const { headers } = await fetch(new URL('/_local/clock', endpoint), { signal });
    const nowMs = Date.parse(headers.get('date') ?? '');
    return Number.isNaN(nowMs) ? Date.now() : nowMs;
  } catch (error) {
    const { code = 'timeout' } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    throw notRunning(`nothing answers on port ${endpoint.port} (${code})`);
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
  return new CommandError(EXIT.unavailable, 'not_running', `no running laptop system was found: ${reason}`, {
    advice:
      'Start it with `npm start` in a checkout, or with `latchkey local start`, and wait for the line that begins with ready. ' +
      'If one runs from another folder: --state-dir THAT_FOLDER/.latchkey',
  });
}
