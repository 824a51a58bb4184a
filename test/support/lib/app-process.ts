import { AsyncLocalStorage } from 'node:async_hooks';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { bundlingOncePerRun } from '../bundling-once-per-run';
import { TEST_RUN_VARIABLE, testRunFolder } from '../test-run';

const ROOT = join(__dirname, '../../..');

/** Without stack traces of constructs, which no test reads. */
export const QUIET_CONTEXT = {
  'aws:cdk:disable-creation-stack-traces': true,
  'aws:cdk:disable-stack-trace': true,
};

export interface AppRun {
  status: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs the app of a folder's cdk.json in its own process, as the CDK CLI does, and waits until it ends.
 * @param outdir for the assembly
 * @param environment additional variables; none of the test's own
 * @param folder the project's root unless given
 */
export function runApp(outdir: string, environment: Record<string, string>, folder = ROOT): AppRun {
  const { app } = JSON.parse(readFileSync(join(folder, 'cdk.json'), 'utf8')) as { app: string };
  const [, ...args] = app.split(' ');
  return spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      CDK_VALIDATION: 'false',
      CDK_OUTDIR: outdir,
      [TEST_RUN_VARIABLE]: testRunFolder(),
      ...bundlingOncePerRun(),
      ...environment,
    },
  });
}

/** The process outside jest's sandbox, where the CDK runs. */
const outside = (AsyncLocalStorage as unknown as Record<symbol, { load(name: string): NodeJS.Process }>)[
  Symbol.for('latchkey.outside')
]!.load('node:process');

/**
 * Like {@link runApp} in the project's root, but in this process, where the CDK is loaded already. For tests that do not speak
 * of the process, and of synthesis without validation.
 */
export function runAppHere(outdir: string, environment: Record<string, string>): AppRun {
  const variables = { ...process.env };
  const listeners = outside.listeners('beforeExit');
  let stderr = '';
  const outputs = [
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      stderr += String(text);
      return true;
    }),
    jest.spyOn(console, 'error').mockImplementation((text) => void (stderr += `${String(text)}\n`)),
  ];
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  replaceEnvironment({
    CDK_VALIDATION: 'false',
    CDK_OUTDIR: outdir,
    [TEST_RUN_VARIABLE]: testRunFolder(),
    ...environment,
  });
  process.exitCode = undefined;
  try {
    jest.isolateModules(() => jest.requireActual('../../../bin/app'));
    const written = stdout.mock.calls.map(([text]) => String(text)).join('');
    return { status: Number(process.exitCode ?? 0), stdout: written, stderr };
  } finally {
    process.exitCode = undefined;
    replaceEnvironment(variables);
    for (const output of [...outputs, stdout]) output.mockRestore();
    // An app synthesizes again at the end of its process.
    for (const listener of outside.listeners('beforeExit')) {
      if (!listeners.includes(listener)) outside.off('beforeExit', listener);
    }
  }
}

function replaceEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const [name, value] of Object.entries(variables)) if (value !== undefined) process.env[name] = value;
}
