import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { CANDIDATE_LABEL } from '../../../core/secrets/credential-labels';
import { type CredentialKind } from '../../../core/secrets/secret-names';
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

  async session(name: string, tenant: OperatedTenant, more?: object) {
    const session = await tenant.newSession(more);
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
      failuresOnTheWay(scenario),
      leaks(scenario),
    ]);
    await outdatedTokens(scenario);
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

async function badInput(scenario: CommandsScenario): Promise<void> {
  const tenant = scenario.tenant('staging', 'global', 1);
  const put = (name: string, input: (value: string) => string) =>
    scenario.run(name, ['credentials', 'put', ...tenant.flags, '--json'], {
      input: input(scenario.plant(name)),
    });
  const refused = async (name: string, fault: (value: string) => object) => {
    const clientSecret = scenario.plant(name);
    await tenant.fail('token', { ...fault(clientSecret), times: 1 });
    const input = JSON.stringify({ clientId: 'unknown', clientSecret });
    await scenario.run(name, ['credentials', 'put', ...tenant.flags], { input });
  };
  const key = (name: string, input: (apiKey: string) => object) =>
    scenario.run(name, ['api-key', 'put', ...tenant.flags], {
      input: JSON.stringify(input(scenario.plant(name, 'ascii'))),
    });
  const argument = (name: string, words: string[], more: (value: string) => string[]) =>
    scenario.run(name, [...words, ...more(scenario.plant(`${name}${IN_ARGUMENTS}`, 'token'))]);

  await put('no JSON', (value) => value);
  await put('broken JSON', (clientSecret) => JSON.stringify({ clientId: 'a', clientSecret }).slice(0, -1));
  await put('field name', (value) => JSON.stringify({ clientId: 'a', clientSecret: 'b', [value]: 'c' }));
  await put('two lines', (value) => JSON.stringify({ clientId: 'a', clientSecret: `${value}\n${value}` }));
  await put('pair nobody knows', (clientSecret) => JSON.stringify({ clientId: 'unknown', clientSecret }));

  await refused('echoed in a refusal', (value) => ({
    status: 400,
    body: { error: 'invalid_client', error_description: value },
  }));
  await refused('told as an error code', (value) => ({ status: 400, body: { error: value } }));
  await refused('echoed in HTML', (value) => ({ status: 404, body: `<p>${value}</p>` }));
  await refused('echoed in broken JSON', (value) => ({ status: 200, body: `${value}{` }));

  await key('expired key', (apiKey) => ({ apiKey, validUntil: '2020-01-01T00:00:00Z' }));
  for (const fault of [{ status: 400 }, { status: 302, headers: { location: 'https://127.0.0.1/' } }]) {
    const name = `key told with ${fault.status}`;
    const apiKey = scenario.plant(name, 'token');
    const headers = { ...fault.headers, 'x-key': apiKey };
    await tenant.fail('content', { ...fault, headers, body: { message: apiKey }, times: 1 });
    const input = JSON.stringify({ apiKey, validUntil: LATER });
    await scenario.run(name, ['api-key', 'put', ...tenant.flags], { input });
  }

  await argument('secret behind a flag', ['credentials', 'put'], (value) => ['--client-secret', value]);
  await argument('secret as a word', ['api-key', 'put', '--json'], (value) => [value]);
  await argument('header as an argument', ['api-key', 'generate'], (value) => [`Bearer ${value}`]);
  await argument('secret as a tenant', ['status'], (value) => ['--tenant', value]);
  await argument('secret as a command', [], (value) => [value]);
}

/** Suffix of canaries that are typed as arguments, where the command cannot hide them. */
export const IN_ARGUMENTS = ', in the arguments';

async function generatedKeys(scenario: CommandsScenario): Promise<void> {
  const tenant = scenario.tenant('staging', 'mea');
  const generate = async (
    name: string,
    fault?: (session: { authorization: string; correlationId: string }) => object,
  ) => {
    const session = await scenario.session(name, tenant);
    if (fault !== undefined) await tenant.fail('tenants', { ...fault(session), times: 1 });
    await scenario.run(name, ['api-key', 'generate', ...tenant.flags, '--json'], {
      input: JSON.stringify(session),
    });
  };
  const addCurrent = async (name: string) =>
    scenario.add(name, (await tenant.current<ApiKeyValue>('api-key')).apiKey);

  await generate('generate');
  await addCurrent('generated key');
  await generate('generate echoed in an error', (session) => ({
    body: { errors: [{ message: JSON.stringify(session), extensions: { code: session.authorization } }] },
  }));
  await generate('generate refused', ({ authorization }) => ({
    status: 401,
    body: { message: authorization },
    headers: { 'www-authenticate': authorization },
  }));
  const key = { apiKey: scenario.plant('key without an end'), validUntil: 'never' };
  await generate('generate without an end', () => ({ body: { data: { generateApiKey: key } } }));
  await generate('generate with broken JSON', ({ correlationId }) => ({ body: `{"data":"${correlationId}` }));
  await generate('generate and no answer', () => ({ reset: 'after' }));

  const user = await scenario.session('user without the right', tenant, { administrator: false });
  const args = ['api-key', 'generate', ...tenant.flags];
  await scenario.run('generate without the right', args, { input: JSON.stringify(user) });
  const plain = { authorization: scenario.plant('no Bearer', 'token'), correlationId: user.correlationId };
  await scenario.run('generate without Bearer', args, { input: JSON.stringify(plain) });

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

async function failuresOnTheWay(scenario: CommandsScenario): Promise<void> {
  const tenant = scenario.tenant('production', 'mea');
  const { system } = scenario;
  const run = (name: string, words: string, input?: object) =>
    scenario.run(name, [...words.split(' '), ...tenant.flags], input && { input: JSON.stringify(input) });
  const stage = (kind: CredentialKind, SecretString: string) =>
    system.administrator.secrets.send(
      new PutSecretValueCommand({
        SecretId: tenant.arn(kind),
        SecretString,
        VersionStages: [CANDIDATE_LABEL],
      }),
    );

  const pair = await scenario.pair('pair that may not be written', tenant);
  await system.failSecrets('PutSecretValue', 'AccessDeniedException', tenant.arn('client-credentials'), 1);
  await run('put without the right', 'credentials put', pair);
  await run('put with it', 'credentials put', pair);

  const refused = { clientId: 'unknown', clientSecret: scenario.plant('refused staged pair') };
  await stage('client-credentials', JSON.stringify(refused));
  const told = { error: 'invalid_client', error_description: refused.clientSecret };
  await tenant.fail('token', { status: 401, body: told, times: 1 });
  await run('rotate to a refused pair', 'credentials rotate --kind client-credentials');
  const untested = { clientId: 'unknown', clientSecret: scenario.plant('untested staged pair') };
  await stage('client-credentials', JSON.stringify(untested));
  // Lasts while Secrets Manager repeats the previous rotation.
  await tenant.fail('token', { status: 400, body: { error: untested.clientSecret } });
  await run('rotate to an untested pair', 'credentials rotate --kind client-credentials');
  await stage('client-credentials', scenario.plant('malformed staged pair'));
  await run('rotate to a malformed pair', 'credentials rotate --kind client-credentials');

  const { apiKeyArn } = tenant.place.tenant;
  await system.administrator.secrets.send(
    new PutSecretValueCommand({ SecretId: apiKeyArn, SecretString: scenario.plant('malformed key') }),
  );
  await run('status of broken secrets', 'status');
  await run('doctor on broken secrets', 'doctor --fix --yes --json');
}

/** Clears all faults, then makes the platform issue tokens without expiry. */
async function outdatedTokens(scenario: CommandsScenario): Promise<void> {
  const tenant = scenario.tenant('production', 'mea');
  await scenario.system.control('DELETE', '/faults');
  const accessToken = scenario.plant('token without expiry', 'token');
  const answer = { access_token: accessToken, token_type: 'Bearer', expires_in: 'never' };
  await tenant.fail('token', { status: 200, body: answer });
  await scenario.system.advance(50 * 60);
  const args = ['token', 'refresh', '--all', ...tenant.flags, '--json'];
  await scenario.run('refresh from a faulty platform', args);
}

async function leaks(scenario: CommandsScenario): Promise<void> {
  const options = { program: LEAKING_COMMAND, input: scenario.plant(LEAK_NAME, 'token') };
  for (const way of ['argv', 'env', 'title', 'temp-file', 'working-folder', 'results', 'stdout', 'stderr']) {
    await scenario.run(`leak by ${way}`, [way], options);
  }
}
