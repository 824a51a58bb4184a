import { writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type DeploymentFile } from '../core/deployment/deployment-file';
import { type LocalRun } from '../core/deployment/local-run';
import {
  Account,
  type AccountServices,
  type CloudAssembly,
  type Omission,
  readAssembly,
  type Reporter,
  RunClock,
  startAccountServices,
} from 'cdk-on-loopback';
import { type ConsoleOptions, startConsole } from './console/console';
import { type HostOptions } from './host-messages';
import { readLocalConfiguration } from './local-configuration';
import { neededByLatchkey } from './needed-resources';
import { describeDeployments, operatorPolicyArns } from './run-description';
import { SandboxControl } from './sandbox-control';
import { aborted, freePort, type SandboxProcess, startSandbox } from './sandbox-process';
import { issuerSeeds, sandboxSeed, type SandboxSeed } from './sandbox-seed';
import { onSandbox, ownAuthorities, servedDeployments } from './served-deployments';
import { type StateDir, takeStateDir } from './state-dir';
import { synthesize } from './synthesis';

/** One run. */
interface Run {
  readonly options: HostOptions;
  readonly reporter: Reporter;
  /** Aborted to stop the run. */
  readonly signal: AbortSignal;
  /** Cleanup steps, run in reverse order. */
  readonly endings: (() => void | Promise<void>)[];
}

/**
 * Runs the app's stacks until `signal` is aborted, and cleans up however the run ends. Aborting is never an error.
 * @param onUp called once `local.json` is written and the run is ready for use
 * @throws {HostError | TemplateError} if the run cannot start, or the sandbox exits
 */
export async function runHost(
  options: HostOptions,
  reporter: Reporter,
  signal: AbortSignal,
  onUp: (consoleUrl: string | undefined) => void,
): Promise<void> {
  const run: Run = { options, reporter, signal, endings: [] };
  try {
    const { sandbox, consoleUrl } = await startUp(run);
    signal.throwIfAborted();
    onUp(consoleUrl);
    await Promise.race([sandbox.died, aborted(signal)]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await end(run);
  }
}

/** Runs every cleanup step, even if some fail. */
async function end({ endings, reporter }: Run): Promise<void> {
  for (const ending of endings.reverse()) {
    try {
      await ending();
    } catch (error) {
      reporter.warning(`could not clean up all of the run: ${(error as Error).message}`);
    }
  }
}

/** What start-up returns. */
interface Started {
  sandbox: SandboxProcess;
  /** Undefined if the run has no console. */
  consoleUrl: string | undefined;
}

async function startUp(run: Run): Promise<Started> {
  const { options, signal, endings } = run;
  const { projectRoot } = options;
  const files = takeStateDir(resolve(projectRoot, options.stateDir ?? '.latchkey'));
  endings.push(() => files.remove());
  const deployable = await (options.assemblyDir === undefined
    ? synthesized(run, files)
    : given(run, files, resolve(projectRoot, options.assemblyDir)));
  signal.throwIfAborted();
  return { sandbox: deployable.sandbox, consoleUrl: await deploy(run, files, deployable) };
}

/** What to deploy, and the platform that it calls. */
interface Deployable {
  readonly assembly: CloudAssembly;
  readonly sandbox: SandboxProcess;
}

/** The app, synthesized with the sandbox's address. */
async function synthesized(run: Run, files: StateDir): Promise<Deployable> {
  const { projectRoot, checkout = projectRoot, configFile, sandboxPort } = run.options;
  const sourceFile =
    configFile === undefined ? resolve(checkout, 'config/local.json') : resolve(projectRoot, configFile);
  const configuration = readLocalConfiguration(sourceFile);
  // Synthesis needs the sandbox's address. Choosing the port first lets both run in parallel.
  const port = sandboxPort || (await freePort());
  writeFileSync(files.configFile, configuration.withOrigin(`https://127.0.0.1:${port}`));

  const attempt = new AbortController();
  const untilAssemblyFails = { ...run, signal: AbortSignal.any([run.signal, attempt.signal]) };
  // Synthesis continues if the sandbox fails, because the app's messages about a bad configuration are better.
  const assembling = assemble(run, files, sourceFile);
  assembling.catch((error: unknown) => attempt.abort(error));
  const seeding = configuration.hasOtherIssuers
    ? assembling.then((assembly) => seedOf(sourceFile, servedDeployments(sourceFile, assembly)))
    : Promise.resolve(configuration.sandboxSeed);
  const serving = seeding.then((seed) => serveSandbox(untilAssemblyFails, port, seed));
  await Promise.allSettled([serving, assembling]);
  return { assembly: await assembling, sandbox: await serving };
}

/** A given assembly, with the sandbox's addresses. */
async function given(run: Run, files: StateDir, dir: string): Promise<Deployable> {
  const read = readAssembly(dir);
  const deployments = servedDeployments(dir, read);
  run.reporter.step(`read ${read.stacks.length} stacks with ${deployments.length} deployments from ${dir}`);
  const sandbox = await serveSandbox(run, run.options.sandboxPort ?? 0, seedOf(dir, deployments));
  return { assembly: onSandbox(read, sandbox.addresses, files.outDir), sandbox };
}

/** What the sandbox serves if all issuers are the user's own: it does not start with nothing to serve. */
const IDLE_DEPLOYMENT = { environment: 'staging', platformRegion: 'global', tenants: [] };

function seedOf(source: string, deployments: readonly DeploymentFile[]): SandboxSeed {
  const seed = { ...sandboxSeed(source, deployments), issuers: issuerSeeds(deployments) };
  return seed.deployments.length + seed.issuers.length > 0
    ? seed
    : { ...seed, deployments: [IDLE_DEPLOYMENT] };
}

async function serveSandbox(run: Run, port: number, seed: SandboxSeed): Promise<SandboxProcess> {
  const { options, reporter, signal, endings } = run;
  const onLine = (line: string): void => reporter.warning(line);
  const sandbox = await startSandbox({ program: options.sandboxProgram, port, seed, onLine, signal });
  endings.push(() => sandbox.end());
  reporter.step(`sandbox listens on ${sandbox.origin}`);
  return sandbox;
}

async function assemble(
  { options: { projectRoot, checkout = projectRoot, appProgram }, reporter, signal }: Run,
  { configFile, outDir }: StateDir,
  sourceFile: string,
): Promise<CloudAssembly> {
  await synthesize({ projectRoot: checkout, program: appProgram, configFile, sourceFile, outDir, signal });
  const assembly = readAssembly(outDir);
  reporter.step(`synthesized ${assembly.stacks.length} stacks`);
  return assembly;
}

/** Starts the account with the assembly in it. Returns the console's URL, if the run has a console. */
async function deploy(
  run: Run,
  files: StateDir,
  { assembly, sandbox }: Deployable,
): Promise<string | undefined> {
  const { options, reporter, signal, endings } = run;
  const { caFile, inlineCodeDir } = files;
  const control = new SandboxControl(sandbox);
  const clock = sharedClock(control, reporter);
  const account = new Account(assembly.accountId, assembly.region);
  const parts = { account, clock, reporter, caFile, inlineCodeDir };
  const services = await startAccountServices({ ...parts, port: options.port ?? 0 });
  endings.push(() => services.close());
  const { endpoint, apiGateway, alarms, metrics, restApis } = services;
  const authorities = [sandbox.caCertificate, apiGateway.caCertificate, ...ownAuthorities(assembly)];
  writeFileSync(caFile, authorities.map((each) => `${each.trim()}\n`).join(''));
  reporter.step(`AWS endpoint listens on ${endpoint.url}, API Gateway on ${apiGateway.origin}`);

  const stacks = provision(run, services, assembly, account);
  services.rotator.start();
  services.scheduler.start();
  // Rotation tests and schedules with a rate fire immediately. Finish them before anyone loads a credential.
  await Promise.race([clock.advance(0), aborted(signal)]);
  services.alarmTicks.start();
  reporter.step(`started ${account.schedules.size} schedules and ${account.alarms.size} alarms`);

  const deployments = describeDeployments(account, stacks, await control.tenants(), apiGateway);
  const shown = { account, clock, sandbox: control, alarms, metrics, restApis, deployments };
  const consoleUrl = await serveConsole(run, shown);
  const localRun: LocalRun = {
    ...accessTo(account, services),
    caFile: relative(options.projectRoot, caFile),
    sandboxControl: control.url,
    deployments,
  };
  writeFileSync(files.runFile, `${JSON.stringify(localRun, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return consoleUrl;
}

function provision(
  { options, reporter }: Run,
  services: AccountServices,
  assembly: CloudAssembly,
  { secrets, functions }: Account,
): ReturnType<AccountServices['stacks']['create']> {
  // A given assembly may also contain resources of other apps.
  const omission: Omission = {
    neededOf: neededByLatchkey,
    onLeftOut: (reason) => reporter.warning(`left out, as nothing of Latchkey needs it: ${reason}`),
  };
  const stacks = services.stacks.create(assembly, options.assemblyDir === undefined ? undefined : omission);
  reporter.step(`provisioned ${stacks.length} stacks: ${secrets.size} secrets, ${functions.size} functions`);
  return stacks;
}

/** @returns undefined if the run has no console */
async function serveConsole(
  { options, reporter, endings }: Run,
  shown: Omit<ConsoleOptions, 'reporter' | 'port'>,
): Promise<string | undefined> {
  if (options.consolePort === undefined) return undefined;
  const page = await startConsole({ ...shown, reporter, port: options.consolePort });
  endings.push(() => page.close());
  return page.url;
}

/** One clock for platform and account, so that both see a token expire at the same time. */
function sharedClock(control: SandboxControl, reporter: Reporter): RunClock {
  let sandboxOffsetMs = 0;
  return new RunClock({
    onOffset: async (offsetMs) => {
      await control.advance((offsetMs - sandboxOffsetMs) / 1000);
      sandboxOffsetMs = offsetMs;
    },
    onError: (error) => reporter.warning(`a timer failed: ${(error as Error).message}`),
  });
}

function accessTo(
  account: Account,
  { endpoint, issueAdministratorKey, addPerson }: AccountServices,
): Pick<LocalRun, 'aws' | 'operator'> {
  const { accountId, region } = account;
  return {
    aws: { endpoint: endpoint.url, region, accountId, ...issueAdministratorKey() },
    operator: addPerson('local-operator', operatorPolicyArns(account)),
  };
}
