import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { GetParameterCommand, PutParameterCommand } from '@aws-sdk/client-ssm';

import { type ImportFlags, importCredentials } from '../../../cli/import/import-command';
import { LocalAws } from '../../local/aws/local-account';
import { leaks } from '../credentials/support/no-leak';
import { answer, type Ending, TENANT, World } from '../credentials/support/world';
import { FakeTerminal } from '../support/fake-terminal';

const SECRETS = {
  'the client secret': 'Ab3importedSecretCanary',
  'the API key': 'Ef7importedKeyCanary',
  'the current secret': 'Cd5currentSecretCanary',
  'the later secret': 'Gh9laterSecretCanary',
};
const PAIR = { clientId: 'app', clientSecret: SECRETS['the client secret'] };
const KEY = { apiKey: SECRETS['the API key'], validUntil: '2027-03-31T00:00:00.000Z' };
const CURRENT = { clientId: 'app-2', clientSecret: SECRETS['the current secret'] };
const CURRENT_ID = 'c'.repeat(32);
const PAIR_IN_ENVIRONMENT = {
  clientCredentials: { clientId: { environment: 'APP_ID' }, clientSecret: { environment: 'APP_SECRET' } },
};
const ENVIRONMENT = { APP_ID: PAIR.clientId, APP_SECRET: `${PAIR.clientSecret}\n` };

let folder: string;
let from: string;
let aws: LocalAws;
let world: World;
let ending: Ending | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-import-'));
  from = join(folder, 'sources.json');
  aws = new LocalAws();
  await aws.start();
  world = new World();
  world.ssm = aws.ssm();
  world.env = ENVIRONMENT;
  ending = undefined;
});
afterEach(async () => {
  await aws.stop();
  if (ending !== undefined) expect(leaks(world, ending, SECRETS)).toEqual([]);
  expect(readdirSync(folder)).toEqual(['sources.json']);
  rmSync(folder, { recursive: true });
});

function addSource(name: string, value: object): void {
  const secret = world.secretsManager.create(name);
  secret.versions.set('v1', {
    ...{ versionId: 'v1', createdAtMs: world.nowMs, secretString: JSON.stringify(value, null, 2) },
    stages: new Set(['AWSCURRENT']),
  });
}
const addParameter = (Name: string, Value: string) =>
  aws.ssm().send(new PutParameterCommand({ Name, Value, Type: 'SecureString' }));

async function run(
  tenant: object,
  flags: ImportFlags = { yes: true },
  terminal?: FakeTerminal,
): Promise<Ending> {
  if (terminal !== undefined) world.terminal = terminal;
  writeFileSync(from, JSON.stringify({ tenants: { [TENANT]: tenant } }));
  ending = await world.run(importCredentials, { from, ...flags });
  return ending;
}
const shown = () => world.terminal.results.at(-1)!;
const outcomes = () =>
  (shown().document as { credentials: { outcome: string; note: string }[] }).credentials.map(
    ({ outcome, note }) => [outcome, note],
  );

describe('latchkey import', () => {
  it('loads client credentials from environment variables, and fetches their tokens', async () => {
    expect(await run(PAIR_IN_ENVIRONMENT)).toEqual({ exit: 0 });

    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(PAIR);
    expect(world.invoked.map(({ event }) => event['scope']).filter(Boolean)).toEqual([
      'api/read',
      'api/write',
    ]);
    expect(outcomes()).toEqual([['done', 'loaded']]);
    expect(shown().text).toContain(
      `${TENANT}  client-credentials  environment APP_ID, environment APP_SECRET  loaded`,
    );
  });

  it('loads them from a parameter, and an API key from a secret of another shape', async () => {
    await addParameter('/app/client', JSON.stringify({ id: PAIR.clientId, secret: PAIR.clientSecret }));
    addSource('app/key', { platform_key: KEY.apiKey, expires: '2027-03-31', owner: 'team' });

    const { exit } = await run({
      clientCredentials: { parameter: '/app/client', fields: { clientId: 'id', clientSecret: 'secret' } },
      apiKey: { secret: 'app/key', fields: { apiKey: 'platform_key', validUntil: 'expires' } },
    });

    expect(exit).toBe(0);
    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(PAIR);
    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual(KEY);
  });

  it('only shows what it would do with --dry-run, and the command that does it', async () => {
    expect(await run(PAIR_IN_ENVIRONMENT, { dryRun: true })).toEqual({ exit: 0 });

    expect(world.clientCredentials.secret.versions.size).toBe(0);
    expect(world.requests).toEqual([]);
    expect(outcomes()).toEqual([['load', 'the first one']]);
    expect(shown().document).toMatchObject({ next: [`latchkey import --from ${from} --local`] });
  });

  it('shows the same and asks at a terminal', async () => {
    const declining = new FakeTerminal({ isInteractive: true, answers: [false] });
    expect(await run(PAIR_IN_ENVIRONMENT, {}, declining)).toMatchObject({ error: { code: 'declined' } });
    expect(declining.said.join('\n')).toMatch(/TENANT +CREDENTIAL +FROM +LOAD\n.* the first one$/m);
    expect(declining.questions).toEqual([{ question: 'Load 1 of them?', isHidden: false }]);
    expect(world.clientCredentials.secret.versions.size).toBe(0);

    const agreeing = new FakeTerminal({ isInteractive: true, answers: [true] });
    expect(await run(PAIR_IN_ENVIRONMENT, {}, agreeing)).toEqual({ exit: 0 });
    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(PAIR);
  });

  it('does nothing in a script without --yes', async () => {
    expect(await run(PAIR_IN_ENVIRONMENT, {})).toMatchObject({ exit: 2, error: { code: 'usage' } });
    expect(world.clientCredentials.secret.versions.size).toBe(0);
  });

  it('leaves alone what is loaded, so that the same command continues', async () => {
    await run(PAIR_IN_ENVIRONMENT);
    const { size } = world.clientCredentials.secret.versions;

    expect(await run(PAIR_IN_ENVIRONMENT)).toEqual({ exit: 0 });

    expect(world.clientCredentials.secret.versions.size).toBe(size);
    expect(outcomes()).toEqual([['none', 'loaded already; --overwrite replaces it']]);
  });

  it('replaces what is loaded with --overwrite, by a rotation that keeps it for a rollback', async () => {
    world.clientCredentials.add(CURRENT_ID, JSON.stringify(CURRENT), ['AWSCURRENT']);

    expect(await run(PAIR_IN_ENVIRONMENT, { yes: true, overwrite: true })).toEqual({ exit: 0 });

    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(PAIR);
    expect(world.clientCredentials.valueWith('AWSPREVIOUS')).toEqual(CURRENT);
    expect(outcomes()).toEqual([['done', 'promoted']]);
  });

  it('stays away from a candidate that somebody is loading', async () => {
    world.clientCredentials.add(CURRENT_ID, JSON.stringify(CURRENT), ['AWSCURRENT']);
    world.clientCredentials.add('s'.repeat(32), JSON.stringify(CURRENT), ['LATCHKEY_CANDIDATE'], 1000);

    expect(await run(PAIR_IN_ENVIRONMENT, { yes: true, overwrite: true })).toEqual({ exit: 1 });

    expect(shown().text).toContain('another client-credentials was staged 1 s ago');
    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(CURRENT);
  });

  it('has a function test what this machine cannot', async () => {
    expect(await run(PAIR_IN_ENVIRONMENT, { yes: true, proveBy: 'function' })).toEqual({ exit: 0 });

    expect(world.requests).toEqual([]);
    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(PAIR);
  });

  it.each([
    [PAIR_IN_ENVIRONMENT, 'loaded, but none of its tokens could be fetched yet'],
    [
      { apiKey: { apiKey: { environment: 'APP_KEY' }, validUntil: KEY.validUntil } },
      'loaded, but the restore API does not accept it yet',
    ],
  ])('says what is loaded and of no use yet, as putting it does: %j', async (tenant, note) => {
    world.env = { ...ENVIRONMENT, APP_KEY: KEY.apiKey };
    world.ensureAnswer = { ok: false, error: { code: 'platform_unavailable', message: 'no answer' } };
    world.proof = { outcome: 'unproven', reason: 'the platform gives no answer' };

    expect(await run(tenant)).toEqual({ exit: 1 });

    expect(outcomes()).toEqual([['failed', 'not_usable_yet']]);
    expect(shown().text).toContain(note);
    expect(shown().text).toContain('Latchkey tries again every 5 minutes. To check: latchkey status');
  });

  it('loads nothing that the platform refuses, goes on with the others, and says how it ended', async () => {
    const { platform } = world;
    world.platform = (request) =>
      String(request.url).includes('/auth') ? answer(401, '{"error":"invalid_client"}') : platform(request);
    addSource('app/key', KEY);

    const { exit } = await run({ ...PAIR_IN_ENVIRONMENT, apiKey: { secret: 'app/key' } });

    expect(exit).toBe(77);
    expect(outcomes().map(([outcome]) => outcome)).toEqual(['failed', 'done']);
    expect(world.clientCredentials.secret.versions.size).toBe(0);
    expect(shown().document).toMatchObject({ next: [`latchkey import --from ${from} --local`] });
  });

  it('reports every fault of the sources before it writes anything', async () => {
    addSource('app/key', { apiKey: 7, validUntil: KEY.validUntil });

    const { exit } = await run({
      clientCredentials: { parameter: '/none' },
      apiKey: { secret: 'app/key' },
    });

    expect(exit).toBe(1);
    expect(shown().text).toContain('parameter /none does not exist');
    expect(shown().text).toContain('secret app/key has no text in its field apiKey');
    expect(world.clientCredentials.secret.versions.size + world.apiKey.secret.versions.size).toBe(0);
  });

  it('checks the values as the prompt does', async () => {
    world.env = { ...ENVIRONMENT, APP_SECRET: `${PAIR.clientSecret}\nX: y` };

    expect(await run(PAIR_IN_ENVIRONMENT)).toEqual({ exit: 2 });

    expect(shown().text).toContain('clientSecret: found something else; allowed: a single line');
  });

  it.each([
    world0((each) => each.clientCredentials.secret.name),
    world0((each) => each.clientCredentials.secret.arn),
  ])('refuses the tenant’s own secret as a source', async (name) => {
    await run({ clientCredentials: { secret: name } });

    expect(shown().text).toContain('is the one that it would be loaded into');
  });

  it('ends early after Ctrl-C, says what is left, and goes on with the same command', async () => {
    addSource('app/key', KEY);
    const tenant = { ...PAIR_IN_ENVIRONMENT, apiKey: { secret: 'app/key' } };
    const { platform, terminal } = world;
    world.platform = (request) => {
      if (String(request.url).includes('/auth')) terminal.interrupt();
      return platform(request);
    };

    expect(await run(tenant)).toMatchObject({ exit: 130 });

    expect(outcomes().map(([outcome]) => outcome)).toEqual(['left', 'left']);
    world.platform = platform;
    expect(await run(tenant, { yes: true }, new FakeTerminal())).toEqual({ exit: 0 });
    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(PAIR);
    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual(KEY);
  });

  it.each<[object, ImportFlags, string]>([
    [{}, { from: undefined }, '--from: found nothing'],
    [{}, { from: 'missing.json' }, '--from: found that missing.json cannot be read (ENOENT)'],
    [{ clientCredentials: {} }, {}, 'clientCredentials: found an object; allowed: either'],
    [PAIR_IN_ENVIRONMENT, { tenant: 'other' }, `--tenant: found other; allowed: ${TENANT}`],
  ])('refuses a map %j with %j', async (tenant, flags, message) => {
    const { error } = await run(tenant, flags);

    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(message) as string });
  });

  it('refuses a tenant that no deployment has', async () => {
    writeFileSync(from, JSON.stringify({ tenants: { other: PAIR_IN_ENVIRONMENT } }));

    const { error } = await world.run(importCredentials, { from });

    expect(error!.message).toBe(`tenants in ${from}: found other; allowed: ${TENANT}`);
  });
});

describe('latchkey import --back', () => {
  const BACK: ImportFlags = { yes: true, back: true };
  const SOURCE = { clientCredentials: { secret: 'app/client', fields: { clientSecret: 'secret' } } };

  beforeEach(() => {
    addSource('app/client', { secret: PAIR.clientSecret, clientId: 'app', owner: 'team' });
    world.clientCredentials.add(CURRENT_ID, JSON.stringify(CURRENT), ['AWSCURRENT']);
  });
  const inSource = () =>
    [...world.secretsManager.account.secrets.values()].find(({ name }) => name === 'app/client')!;
  const textInSource = () =>
    [...inSource().versions.values()].find(({ stages }) => stages.has('AWSCURRENT'))!.secretString;

  it('writes what is current to its place, and nothing else there', async () => {
    expect(await run(SOURCE, BACK)).toEqual({ exit: 0 });

    expect(textInSource()).toBe(
      JSON.stringify({ secret: CURRENT.clientSecret, clientId: CURRENT.clientId, owner: 'team' }, null, 2),
    );
    expect(outcomes()).toEqual([['done', 'wrote secret app/client']]);
  });

  it('has nothing to write the second time', async () => {
    await run(SOURCE, BACK);
    const { size } = inSource().versions;

    expect(await run(SOURCE, BACK)).toEqual({ exit: 0 });

    expect(inSource().versions.size).toBe(size);
    expect(outcomes()).toEqual([['none', 'up to date']]);
  });

  it('writes what is current then if it was rotated during the question', async () => {
    const later = { ...CURRENT, clientSecret: SECRETS['the later secret'] };
    const terminal = new FakeTerminal({ isInteractive: true });
    terminal.confirm = () => {
      const { versions } = world.clientCredentials.secret;
      versions.get(CURRENT_ID)!.stages.delete('AWSCURRENT');
      world.clientCredentials.add('l'.repeat(32), JSON.stringify(later), ['AWSCURRENT']);
      return Promise.resolve(true);
    };

    expect(await run(SOURCE, { back: true }, terminal)).toEqual({ exit: 0 });

    expect(JSON.parse(textInSource()!)).toMatchObject({ secret: later.clientSecret });
  });

  it('shows what it would write with --dry-run', async () => {
    expect(await run(SOURCE, { back: true, dryRun: true })).toEqual({ exit: 0 });

    expect(outcomes()).toEqual([['write', 'write secret app/client']]);
    expect(inSource().versions.size).toBe(1);
    expect(shown().document).toMatchObject({ next: [`latchkey import --from ${from} --back --local`] });
  });

  it('writes plain parameters, and names what a person must set', async () => {
    await addParameter('/app/secret', 'former\n');
    world.apiKey.add(CURRENT_ID, JSON.stringify(KEY), ['AWSCURRENT']);

    const { exit } = await run(
      {
        clientCredentials: {
          clientId: { environment: 'APP_ID' },
          clientSecret: { parameter: '/app/secret' },
        },
        apiKey: { apiKey: { environment: 'APP_KEY' }, validUntil: '2026-01-01' },
      },
      BACK,
    );

    expect(exit).toBe(0);
    const { Parameter } = await aws
      .ssm()
      .send(new GetParameterCommand({ Name: '/app/secret', WithDecryption: true }));
    expect(Parameter?.Value).toBe(`${CURRENT.clientSecret}\n`);
    expect(outcomes()).toEqual([
      ['done', 'wrote parameter /app/secret; set environment APP_ID by hand'],
      ['none', `set environment APP_KEY by hand; validUntil in the file is ${KEY.validUntil} now`],
    ]);
  });

  it('leaves a time alone that says the same', async () => {
    addSource('app/key', { apiKey: KEY.apiKey, validUntil: '2027-03-31' });
    world.apiKey.add(CURRENT_ID, JSON.stringify(KEY), ['AWSCURRENT']);

    await run({ apiKey: { secret: 'app/key' } }, BACK);

    expect(outcomes()).toEqual([['none', 'up to date']]);
  });

  it('has nothing to write where nothing is loaded', async () => {
    addSource('app/key', KEY);

    expect(await run({ apiKey: { secret: 'app/key' } }, BACK)).toEqual({ exit: 0 });

    expect(outcomes()).toEqual([['none', 'nothing is loaded']]);
  });

  it('says what a caller needs who may not read credentials', async () => {
    world.secretsManager.faults.push({
      ...{ operation: 'GetSecretValue', name: 'AccessDeniedException' },
      secret: world.clientCredentials.secret.name,
    });

    expect(await run(SOURCE, BACK)).toEqual({ exit: 77 });

    expect(shown().text).toContain(
      'you need secretsmanager:GetSecretValue on the credentials and kms:Decrypt',
    );
    expect(inSource().versions.size).toBe(1);
  });

  it("never writes to Latchkey's own secret, past the rotation", async () => {
    const { name } = world.clientCredentials.secret;

    expect(
      await run({ clientCredentials: { secret: name, fields: { clientId: 'client_id' } } }, BACK),
    ).toEqual({ exit: 1 });

    expect(world.clientCredentials.secret.versions.size).toBe(1);
    expect(shown().text).toContain(`secret ${name} is the one that it would be loaded into`);
  });

  it('writes to a secret whose name begins as its own one', async () => {
    const [former] = world.clientCredentials.secret.name.split('-credentials');
    addSource(former!, PAIR);

    expect(await run({ clientCredentials: { secret: former } }, BACK)).toEqual({ exit: 0 });
  });

  it('refuses a value that is no credential', async () => {
    world.clientCredentials.add('x'.repeat(32), '{"wrong":"fields"}', ['AWSCURRENT']);

    expect(await run(SOURCE, BACK)).toEqual({ exit: 1 });

    expect(shown().text).toContain('holds no client-credentials');
  });
});

/** A name that every world has. */
function world0(name: (world: World) => string): string {
  return name(new World());
}
