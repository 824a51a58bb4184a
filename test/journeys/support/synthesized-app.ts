import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { bundlingOncePerRun } from '../../support/bundling-once-per-run';
import { testRunFolder } from '../../support/test-run';
import { PROJECT_ROOT } from './local-process';

/** The parts of `config/local.json` that tests edit. */
export interface LocalConfiguration {
  endpoints: Record<string, Record<string, { contentBaseUrl: string; webhooksTokenBaseUrl: string }>>;
  deployments: {
    environment: string;
    platformRegion: string;
    restore: { available: boolean };
    tenants: object[];
  }[];
}

/**
 * `config/local.json`.
 * @param sandbox the platform's origin, if it differs
 */
export function localConfiguration(sandbox = 'https://127.0.0.1:8443'): LocalConfiguration {
  const text = readFileSync(join(PROJECT_ROOT, 'config/local.json'), 'utf8');
  return JSON.parse(text.replaceAll('https://127.0.0.1:8443', sandbox)) as LocalConfiguration;
}

/** A cloud assembly with what it takes to run it. */
export interface SynthesizedApp {
  assembly: string;
  configFile: string;
  /** Fixed, since the functions' environment contains the sandbox's address. */
  sandboxPort: number;
}

/**
 * Synthesizes the app.
 * @param folder for the assembly; it is created if needed
 * @param change edits `config/local.json`
 * @default none
 */
export async function synthesizeApp(
  folder: string,
  change: (configuration: LocalConfiguration) => void = () => undefined,
): Promise<SynthesizedApp> {
  const app = {
    assembly: join(folder, 'assembly'),
    configFile: join(folder, 'config.json'),
    sandboxPort: await keptPort(),
  };
  mkdirSync(folder, { recursive: true });
  const configuration = localConfiguration(`https://127.0.0.1:${app.sandboxPort}`);
  change(configuration);
  writeFileSync(app.configFile, JSON.stringify(configuration));
  const { status, stderr } = spawnSync(process.execPath, ['--require', 'tsx/cjs', 'bin/app.ts'], {
    cwd: PROJECT_ROOT,
    env: {
      ...process.env,
      ...bundlingOncePerRun(),
      LATCHKEY_CONFIG: app.configFile,
      CDK_OUTDIR: app.assembly,
      CDK_VALIDATION: 'false',
    },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return app;
}

/**
 * The unchanged app of `config/local.json`, synthesized once per jest process. Journeys in a process run one
 * after another, so they can share the port.
 */
export async function sharedApp(): Promise<SynthesizedApp> {
  const run = testRunFolder();
  if (run === undefined) throw new Error('found no run of jest, whose journeys share the app');
  const folder = join(run, `app-${process.env.JEST_WORKER_ID}`);
  const description = join(folder, 'app.json');
  if (!existsSync(description)) writeFileSync(description, JSON.stringify(await synthesizeApp(folder)));
  return JSON.parse(readFileSync(description, 'utf8')) as SynthesizedApp;
}

/** Arguments that make `npm start` run the app without synthesizing it. */
export function argumentsToRun({ assembly, configFile, sandboxPort }: SynthesizedApp): string[] {
  return ['--config', configFile, '--assembly', assembly, '--sandbox-port', String(sandboxPort)];
}

/** Below the ephemeral ports of Linux, macOS and Windows, which might be taken between two runs. */
const PORTS = { first: 20_000, count: 10_000 };

/** A free port that the operating system does not assign. */
async function keptPort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
