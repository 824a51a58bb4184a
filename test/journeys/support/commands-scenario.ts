import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  type ApiKeyValue,
  type ClientCredentialsValue,
  type TokenValue,
} from '../../../core/secrets/secret-values';
import { type VisibleText } from '../../support/canaries';
import { CanaryRecorder } from './canary-recorder';
import { type CommandOptions, latchkey } from './command';
import { ExposureWatch } from './exposure-watch';
import { OperatedTenant } from './operated-tenant';
import { RunningSystem } from './running-system';

/** A canary for programs that replace the command and leak it on purpose. */
export const LEAK_NAME = 'leak';
const LEAKING_COMMAND = join(__dirname, 'leaking-command.cjs');

const LATER = '2099-01-01T00:00:00Z';

/** Runs every command with valid and invalid credentials, and records everything visible meanwhile. */
export class CommandsScenario extends CanaryRecorder {
  /** For temporary files, as home, and as working folder of the commands. */
  readonly folder: string;
  readonly #env: Record<string, string>;
  readonly #watch: ExposureWatch;

  private constructor(system: RunningSystem, folder: string, env: Record<string, string>) {
    super(system);
    this.folder = folder;
    this.#env = env;
    this.#watch = new ExposureWatch(folder);
  }

  static async start(): Promise<CommandsScenario> {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-exposure-'));
    for (const name of ['work', 'temporary', 'home']) mkdirSync(join(folder, name));
    const env = { TMPDIR: join(folder, 'temporary'), HOME: join(folder, 'home') };
    return new CommandsScenario(await RunningSystem.start(['--no-job', '--verbose'], env), folder, env);
  }

  /** Runs a command and records its output. */
  async run(name: string, args: readonly string[], options: CommandOptions = {}): Promise<void> {
    const { exitCode, stdout, stderr } = await latchkey(this.system, args, {
      ...options,
      env: { ...this.#env, ...options.env },
      workingDir: join(this.folder, 'work'),
    });
    this.outcomes[name] = exitCode ?? 'killed';
    this.answers.push({ place: `output of ${name}`, text: `${stdout}\n${stderr}` });
  }

  tenant(...place: [environment: string, platformRegion: string, tenant?: number]): OperatedTenant {
    return new OperatedTenant(this.system, ...place);
  }

  /** Valid client credentials; both parts are canaries. */
  async pair(name: string, tenant: OperatedTenant): Promise<ClientCredentialsValue> {
    const pair = await tenant.newPair();
    this.add(name, pair.clientSecret);
    return pair;
  }

  async key(name: string, tenant: OperatedTenant): Promise<ApiKeyValue> {
    const key = await tenant.newKey();
    this.add(name, key.apiKey);
    return key;
  }

  async session(name: string, tenant: OperatedTenant) {
    const session = await tenant.newSession();
    this.add(`authorization of ${name}`, session.authorization.replace('Bearer ', ''));
    this.add(`correlation id of ${name}`, session.correlationId);
    return session;
  }

  /**
   * Stops recording.
   * @returns what was visible only briefly
   */
  stopWatch(): VisibleText[] {
    return this.#watch.stop();
  }
}

/** Runs every command, with tenants in parallel. */
export async function runCommands(): Promise<CommandsScenario> {
  const scenario = await CommandsScenario.start();
  try {
    await Promise.all([
      goodCommands(scenario),
      badInput(scenario),
      generatedKeys(scenario),
      atTerminals(scenario),
      leaks(scenario),
    ]);
    return scenario;
  } catch (error) {
    scenario.stopWatch();
    await scenario.system.stop();
    throw error;
  }
}

async function goodCommands(scenario: CommandsScenario): Promise<void> {
  const tenant = scenario.tenant('staging', 'global');
  const { flags } = tenant;
  const run = (words: string, input?: object, more: string[] = []) =>
    scenario.run(words, [...words.split(' '), ...flags, ...more], input && { input: JSON.stringify(input) });

  await run('credentials put', await scenario.pair('first pair', tenant));
  await run('api-key put', await scenario.key('first key', tenant), ['--json']);
  await run('token refresh --all');
  for (const { interface: name, scope, arn } of tenant.place.tenant.tokens) {
    const { accessToken } = await scenario.system.secret<TokenValue>(arn);
    scenario.add(`${name} token ${scope}`, accessToken);
  }
  await restoreContents(scenario, tenant);
  await run('credentials put --revoke-previous', await scenario.pair('second pair', tenant), ['--json']);
  const slow = await scenario.key('key that lags', tenant);
  await tenant.fail('content', { status: 401, body: { message: `no such key ${slow.apiKey}` }, times: 1 });
  await run('api-key put --replace', slow);
  await run('rollback --kind api-key --yes');
  await run('credentials revoke-previous --kind api-key --yes');
  await run('credentials rotate --kind api-key');
  await run('status', undefined, ['--json']);
  await run('doctor --fix --yes');
  await run('token show --interface content --scope api/read');
  await run('token show --interface content --scope api/read --reveal');
  const reveal = ['token', 'show', '--interface', 'content', '--scope', 'api/write', '--reveal'];
  await scenario.run('token show --reveal at a terminal', [...reveal, ...flags], { answers: [] });
  const token = await scenario.system.secret<TokenValue>(
    tenant.place.tenant.tokens.find(({ scope }) => scope === 'api/write')!.arn,
  );
  scenario.add('revealed token', token.accessToken);
}

async function restoreContents(scenario: CommandsScenario, { place, flags }: OperatedTenant): Promise<void> {
  const [first = '', ...others] = place.tenant.archivedContentIds;
  const who = ['--author-ref', place.tenant.authorRefs[0]!];
  writeFileSync(join(scenario.folder, 'work/ids.txt'), [first, ...others].join('\n'));
  await scenario.run('restore', ['restore', first, ...who, ...flags]);
  await scenario.run('restore --from', ['restore', '--from', 'ids.txt', ...who, ...flags, '--json']);
}

/** What a person types where it does not belong. test/cli has every kind of invalid input and of an answer to it. */
async function badInput(scenario: CommandsScenario): Promise<void> {
  const tenant = scenario.tenant('staging', 'global', 1);
  const argument = (name: string, words: string[], more: (value: string) => string[]) =>
    scenario.run(name, [...words, ...more(scenario.plant(`${name}${IN_ARGUMENTS}`, 'token'))]);

  const clientSecret = scenario.plant('echoed in a refusal');
  const body = { error: 'invalid_client', error_description: clientSecret };
  await tenant.fail('token', { status: 400, body, times: 1 });
  await scenario.run('credentials that the platform refuses', ['credentials', 'put', ...tenant.flags], {
    input: JSON.stringify({ clientId: 'unknown', clientSecret }),
  });
  await argument('secret behind a flag', ['credentials', 'put'], (value) => ['--client-secret', value]);
  await argument('secret as a word', ['api-key', 'put', '--json'], (value) => [value]);
  await argument('secret as a tenant', ['status'], (value) => ['--tenant', value]);
}

/** Suffix of canaries that are typed as arguments, where the command cannot hide them. */
export const IN_ARGUMENTS = ', in the arguments';

async function generatedKeys(scenario: CommandsScenario): Promise<void> {
  const tenant = scenario.tenant('staging', 'mea');
  const args = ['api-key', 'generate', ...tenant.flags];
  const addCurrent = async (name: string) =>
    scenario.add(name, (await tenant.current<ApiKeyValue>('api-key')).apiKey);

  const input = JSON.stringify(await scenario.session('generate', tenant));
  await scenario.run('generate', [...args, '--json'], { input });
  await addCurrent('generated key');
  const session = await scenario.session('session at a terminal', tenant);
  await scenario.run('generate at a terminal', args, {
    answers: [
      { after: /Authorization.*hidden/, type: `${session.authorization}\r` },
      { after: /Correlation-Id.*hidden/, type: `${session.correlationId}\r` },
    ],
  });
  await addCurrent('key generated at a terminal');
}

async function atTerminals(scenario: CommandsScenario): Promise<void> {
  const tenant = scenario.tenant('production', 'global');
  const put = ['credentials', 'put', ...tenant.flags];
  const asked = ({ clientId, clientSecret }: ClientCredentialsValue, end: string) => [
    { after: /Client id/, type: `${clientId}\r` },
    { after: /Client secret/, type: `${clientSecret}${end}` },
  ];

  await scenario.run('put at a terminal', put, {
    answers: asked(await scenario.pair('pair at a terminal', tenant), '\r'),
  });
  const typed = { clientId: 'unknown', clientSecret: scenario.plant('secret that was being typed', 'token') };
  await scenario.run('Ctrl-C in the prompt', put, { answers: asked(typed, '\u0003') });
  await scenario.run('API key at a terminal', ['api-key', 'put', ...tenant.flags], {
    answers: [
      { after: /API key/, type: `${(await scenario.key('key at a terminal', tenant)).apiKey}\r` },
      { after: /Valid until/, type: `${LATER}\r` },
    ],
  });

  const pair = await scenario.pair('pair of the interrupted', tenant);
  await tenant.fail('token', { delayMs: 2_000, times: 1 });
  await scenario.run('Ctrl-C in the proof', put, {
    input: JSON.stringify(pair),
    signal: { after: /Testing the/, name: 'SIGINT' },
  });
  await scenario.run('Ctrl-C in the rotation', put, {
    input: JSON.stringify(pair),
    signal: { after: /Starting the rotation/, name: 'SIGINT' },
  });
}

async function leaks(scenario: CommandsScenario): Promise<void> {
  const options = { program: LEAKING_COMMAND, input: scenario.plant(LEAK_NAME, 'token') };
  for (const way of ['argv', 'env', 'title', 'temp-file', 'working-folder', 'results', 'stdout', 'stderr']) {
    await scenario.run(`leak by ${way}`, [way], options);
  }
}
