import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { QUIET_CONTEXT, runAppHere } from '../../support/lib/app-process';
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

/** @param file from the project's root */
export function readConfiguration(file: string): LocalConfiguration {
  return JSON.parse(readFileSync(join(PROJECT_ROOT, file), 'utf8')) as LocalConfiguration;
}

/** The artifacts of a deployment and its tenants. */
const DEPLOYMENT = /^latchkey-(staging|production)-/;

/** The assembly of the app with `config/local.json`, synthesized once per jest process. */
export async function sharedApp(): Promise<string> {
  const run = testRunFolder();
  if (run === undefined) throw new Error('found no run of jest, whose journeys share the app');
  const assembly = join(run, `app-${process.env.JEST_WORKER_ID}`);
  if (existsSync(join(assembly, 'manifest.json'))) return assembly;
  const { status, stderr } = runAppHere(assembly, {
    ...(process.env as Record<string, string>),
    LATCHKEY_CONFIG: join(PROJECT_ROOT, 'config/local.json'),
    CDK_CONTEXT_JSON: JSON.stringify(QUIET_CONTEXT),
  });
  if (status !== 0) throw new Error(stderr);
  return assembly;
}

/**
 * The assembly of some deployments of `config/local.json`: a system with fewer stacks starts fewer functions, and its schedules run
 * less when time advances.
 * @param stacks names of the deployments' stacks
 */
export async function partOfSharedApp(stacks: readonly string[]): Promise<string> {
  const whole = await sharedApp();
  const assembly = `${whole}-of-${stacks.join('-and-')}`;
  if (existsSync(join(assembly, 'manifest.json'))) return assembly;
  const { artifacts, ...rest } = JSON.parse(readFileSync(join(whole, 'manifest.json'), 'utf8')) as {
    artifacts: Record<string, object>;
  };
  const isLeftOut = (id: string) => DEPLOYMENT.test(id) && !stacks.some((stack) => id.startsWith(stack));
  const taken = Object.entries(artifacts).filter(([id]) => !isLeftOut(id));
  mkdirSync(assembly);
  for (const entry of readdirSync(whole)) {
    if (entry !== 'manifest.json') symlinkSync(join(whole, entry), join(assembly, entry));
  }
  writeFileSync(
    join(assembly, 'manifest.json'),
    JSON.stringify({ ...rest, artifacts: Object.fromEntries(taken) }),
  );
  return assembly;
}
