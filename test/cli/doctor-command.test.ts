import { UpdateSecretVersionStageCommand } from '@aws-sdk/client-secrets-manager';

import { CommandError } from '../../cli/command-error';
import { doctor } from '../../cli/doctor-command';
import { EXIT, type ExitCode } from '../../cli/exit-codes';
import { type DeploymentSnapshot } from '../../core/deployment/deployment-snapshot';
import { credential, MINUTE_MS, snapshotOf, token, version } from '../core/findings/snapshots';
import { sha256Hex } from '../../core/secrets/sha256';
import { deploymentOf, KEY, TENANT_ID } from '../support/lambdas/token-functions';
import { FakeTerminal, type FakeTerminalOptions } from './support/fake-terminal';
import { denialOf } from './support/in-memory-monitoring';
import { failureOf, OperatedSystem, operatedTenant, tenantOf } from './support/operated-system';

const EXPIRES_AT = '2026-01-31T12:50:00.000Z';
const REFUSED = { ok: false, error: { code: 'credential_refused', message: 'invalid_client' } };

/** A deployment with all its functions; credential-watch returns that snapshot. */
function operated(snapshot: () => DeploymentSnapshot = () => snapshotOf()): OperatedSystem {
  const system = operatedTenant(snapshot);
  system.functions['rotate-credentials'] = () => ({});
  system.functions['token-refresh'] = () => ({ ok: true, expiresAt: EXPIRES_AT, refreshed: true });
  system.functions['token-sweep'] = () => ({ ok: true, tokens: 1, refreshed: 1, failed: 0, tenants: [] });
  return system;
}

/** A healthy deployment except for a disabled schedule. */
function operatedWithout(schedule: string): OperatedSystem {
  const system = operated();
  system.schedules.definitions.set(schedule, { Name: schedule, State: 'DISABLED' });
  return system;
}

const SWEEP_SCHEDULE = 'latchkey-staging-mea-token-sweep';
const WATCH_SCHEDULE = 'latchkey-staging-mea-credential-watch';

/** A stopped rotation: an old pending version that was never tested. */
const LEFT_BEHIND = snapshotOf({
  apiKey: {
    ...credential('api-key', {
      versions: [
        version('current', ['AWSCURRENT'], 60 * MINUTE_MS),
        version('stopped', ['AWSPENDING'], 30 * MINUTE_MS),
      ],
    }),
    secretId: 'arn:of-the-key',
  },
});

describe('latchkey doctor', () => {
  it('finds nothing wrong with a healthy deployment, and says what it inspects', async () => {
    const terminal = new FakeTerminal();
    const system = operated();
    system.more = { bootstrap: { version: () => Promise.reject(new Error('asked')) } };

    const { exitCode, text } = await system.run(doctor, {}, terminal);

    expect(exitCode).toBe(0);
    expect(text).toMatch(
      /^✓ No fault found\n {4}Not checked: the alarms, .*\n {4}Not asked: whether the issuer still accepts the credentials,/,
    );
    expect(text).toContain('\n    → latchkey doctor --ask-platform --local');
    expect(terminal.said).toEqual(['Inspecting staging mea', 'Inspected staging mea']);
  });

  it('claims nothing about API keys, which no command tries, even if it asked the issuer', async () => {
    const snapshot = snapshotOf({ tokens: [] });
    Object.assign(snapshot.deployment.restoreApi, { acceptsApiKeys: true });

    const { text } = await operated(() => snapshot).run(doctor, { askPlatform: true });

    expect(text).toContain('Not asked: whether the platform still accepts the API keys.');
  });

  it('claims nothing about the issuer and names the command that asks, for one tenant if all have many tokens', async () => {
    const tokens = Array.from({ length: 13 }, (_, n) => ({ ...token(), scope: `scope-${n}` }));
    const system = operated(() => snapshotOf({ tokens }));
    system.tenants = [{ ...tenantOf(TENANT_ID), tokens }];

    const { text } = await system.run(doctor, { environment: 'staging' });

    expect(text).toContain(
      `→ latchkey doctor --ask-platform --environment staging --platform-region mea --tenant ${TENANT_ID} --local`,
    );
  });

  it('says what a finding means and which command fixes it', async () => {
    const { exitCode, text, document } = await operated(() => LEFT_BEHIND).run(doctor, {});

    expect(exitCode).toBe(1);
    expect(document).not.toHaveProperty('repairs');
    expect(text).toContain('Callers are not affected, but no other rotation can start.');
    expect(text).toContain(
      `latchkey doctor --fix --environment staging --platform-region mea --tenant ${TENANT_ID}`,
    );
  });

  it('says why tokens are not renewed, asks about one of a refused credential, and applies no fix that must fail', async () => {
    const tokens = [token(-MINUTE_MS), { ...token(0), scope: 'api/write' }];
    const system = operated(() => snapshotOf({ tokens }));
    system.functions['token-refresh'] = () => REFUSED;

    const { exitCode, text, document } = await system.run(doctor, { fix: true, yes: true });

    expect(exitCode).toBe(1);
    expect(system.invoked.filter(({ name }) => name === 'token-refresh')).toHaveLength(1);
    expect(document).toMatchObject({
      findings: [
        { kind: 'credential_refused', severity: 'critical' },
        { kind: 'token_expired', cause: { kind: 'credential_refused' } },
        { kind: 'token_expired', cause: { kind: 'credential_refused' } },
      ],
      repairs: [],
    });
    expect(text.match(/→ latchkey/g)).toHaveLength(1);
    expect(text).toContain('2 tokens affected: 2 expired.');
  });

  describe('with --ask-platform', () => {
    it('finds a credential that was revoked while its tokens are still valid', async () => {
      const stored = 'canary-token-71fe';
      const times = { issuedAt: EXPIRES_AT, expiresAt: EXPIRES_AT };
      const value = { ...KEY, ...times, accessToken: stored, tokenType: 'Bearer', credentialVersionId: 'v' };
      const system = operated();
      system.secretsManager.send = async () => ({ SecretString: JSON.stringify(value) });
      system.functions['token-refresh'] = () => REFUSED;

      const without = await system.run(doctor, {});
      const { exitCode, document, visibleText } = await system.run(doctor, { askPlatform: true });

      expect(without).toMatchObject({ exitCode: 0, document: { findings: [] } });
      expect(exitCode).toBe(1);
      expect(document).toMatchObject({ findings: [{ kind: 'credential_refused', severity: 'critical' }] });
      expect(system.invoked.filter(({ name }) => name === 'token-refresh')).toMatchObject([
        { event: { rejectedTokenSha256: sha256Hex(stored) } },
      ]);
      expect(visibleText).not.toContain(stored);
    });

    it('asks about no more than a dozen tokens', async () => {
      const tokens = Array.from({ length: 13 }, (_, n) => ({ ...token(), scope: `scope-${n}` }));
      const system = operated(() => snapshotOf({ tokens }));
      system.tenants = [{ ...tenantOf(TENANT_ID), tokens }];

      const failure = await failureOf(doctor(system.context(new FakeTerminal()), { askPlatform: true }));

      expect(failure.message).toBe('--ask-platform: found 13 tokens; allowed: 12; --tenant chooses some');
      expect(system.invoked.some(({ name }) => name === 'token-refresh')).toBe(false);
    });
  });

  it.each([
    ['has expired', -MINUTE_MS],
    ['is due', 14 * MINUTE_MS],
  ])('says to wait if a token %s and the platform is down', async (_, lifeLeftMs) => {
    const system = operated(() => snapshotOf({ tokens: [token(lifeLeftMs)] }));
    const error = { code: 'platform_unavailable', message: 'status 503' };
    system.functions['token-refresh'] = () => ({ ok: false, error });

    const { document } = await system.run(doctor, { fix: true, yes: true });

    const { findings, repairs } = document as { findings: object[]; repairs: object[] };
    const repair = { remedy: expect.stringMatching(/^Wait: once the issuer works/) as string };
    expect(findings[0]).toMatchObject({ kind: 'platform_unavailable', repair });
    expect(repairs).toEqual([]);
  });

  it('has a line for checks that fail alike', async () => {
    const system = operated();
    const failing = { send: () => Promise.reject(new Error('Region is missing')) };
    system.more = { secretsManager: failing, cloudWatch: failing, scheduler: failing, lambda: failing };

    const { text } = await system.run(doctor, {});

    expect(text.match(/AWS region: found nothing/g)).toHaveLength(1);
    expect(text).toContain('Check failed  staging mea  the deployment and 4 more');
  });

  it('inspects again if asking about a token renewed it, and says so', async () => {
    let isRenewed = false;
    const system = operated(() => snapshotOf({ tokens: [token(isRenewed ? 50 * MINUTE_MS : -MINUTE_MS)] }));
    system.functions['token-refresh'] = () => {
      isRenewed = true;
      return { ok: true, expiresAt: EXPIRES_AT, refreshed: true };
    };

    const { exitCode, text } = await system.run(doctor, {});

    expect(exitCode).toBe(0);
    expect(text).toContain('✓ Tokens renewed to see whether that works: 1\n✓ No fault found');
  });

  /** What a check of doctor has found; undefined if there is none of this name. */
  async function checkOf(name: string, system: OperatedSystem): Promise<object | undefined> {
    const { document } = await system.run(doctor, {});
    return (document as { checks: { name: string }[] }).checks.find((each) => each.name === name);
  }

  describe('about reserved concurrency', () => {
    const limit = (quota: number, unreserved = quota) => ({
      ConcurrentExecutions: quota,
      UnreservedConcurrentExecutions: unreserved,
    });
    const containing = (text: string) => expect.stringContaining(text) as string;
    const room = { ok: true, hint: containing('write in the deployment: "reservedConcurrency": 1.') };
    const message =
      'reservedConcurrency: found 1 for 2 functions; allowed: "none": ' +
      'of the account’s 10 concurrent executions, 100 must stay unreserved';

    const denied = denialOf('lambda:GetAccountSettings', '*');
    const checkAt = (
      system: OperatedSystem,
      accountLimit: OperatedSystem['accountLimit'],
      reserved?: 1 | 'none',
    ) =>
      checkOf(
        'reserved concurrency',
        Object.assign(system, { accountLimit, more: { concurrency: { reserved } } }),
      );

    it('says to reserve it where the account has room', async () => {
      expect(await checkAt(operated(), limit(1_000))).toMatchObject(room);
    });

    it.each<[string, OperatedSystem['accountLimit'], 1 | 'none' | undefined]>([
      ['others have reserved what there is', limit(1_000, 101), undefined],
      ['the configuration says "none"', limit(1_000), 'none'],
      ['it is reserved', limit(102, 100), 1],
      ['the caller may not ask', denied, undefined],
    ])('says nothing if %s', async (_, accountLimit, reserved) => {
      expect(await checkAt(operated(), accountLimit, reserved)).toBeUndefined();
    });

    it('fails before a deployment that the account would refuse, and passes before one that has room', async () => {
      expect(await checkAt(new OperatedSystem(), limit(10), 1)).toMatchObject({ error: { message } });
      expect(await checkAt(new OperatedSystem(), limit(102), 1)).toMatchObject({ ok: true });
    });
  });

  describe('about the trail of the account', () => {
    const named = async () => 'organization-trail';
    const none = async () => undefined;
    const denied = () => Promise.reject(denialOf('cloudtrail:DescribeTrails', '*'));

    const run = (isUsed: boolean, find: () => Promise<string | undefined>, tenants = 1) => {
      const system = operated();
      for (let n = 1; n < tenants; n += 1) system.tenants.push(tenantOf(`tenant-${n}`));
      system.more = { trail: { isUsed, find } };
      return system.run(doctor, {});
    };

    it('fails if trailEvents finds none, and says what to do', async () => {
      const { exitCode, text } = await run(true, none);

      expect(exitCode).toBe(1);
      expect(text).toMatch(
        /no trail records who changes secrets in this AWS region.*\n.*→ Create a trail of management events/,
      );
    });

    it.each([
      [
        'trailEvents would save calls, where a trail is and there are tenants enough',
        () => run(false, named, 5),
        /· Hint {2}staging mea .*\n {4}organization-trail records who changes secrets\..*"trailEvents": true/,
      ],
      [
        'it may not ask',
        () => run(true, denied),
        /· Not checked {2}staging mea {2}trail of the account\n.*not allowed to cloudtrail:DescribeTrails on \*/,
      ],
    ])('says that %s', async (_, ran, says) => {
      const { exitCode, text } = await ran();

      expect(exitCode).toBe(0);
      expect(text).toMatch(says);
    });

    it.each([
      ['trailEvents has one', true, named, 5],
      ['one saves nothing', false, named, 4],
      ['trailEvents is off and there is none', false, none, 5],
    ])('says nothing if %s', async (_, isUsed, find, tenants) => {
      const { exitCode, text } = await run(isUsed, find, tenants);

      expect(exitCode).toBe(0);
      expect(text).not.toContain('trail');
    });
  });

  describe('about CDK’s bootstrap stack, before anything is deployed', () => {
    const command = 'npx cdk bootstrap aws://111122223333/eu-west-1';
    const parameter = '/cdk-bootstrap/hnb659fds/version';
    const failing = (exitCode: ExitCode, code: string) => () =>
      Promise.reject(new CommandError(exitCode, code, `ssm:GetParameter on ${parameter} failed`));
    /** The check, if reading its version has this result. */
    const checkAt = (version: () => Promise<string>) =>
      checkOf(
        'CDK bootstrap',
        Object.assign(new OperatedSystem(), { more: { bootstrap: { parameter, command, version } } }),
      );

    const missing = failing(EXIT.failed, 'not_found');
    const absent = `CDK cannot deploy here yet: the parameter ${parameter} does not exist`;
    it.each([
      ['is missing', missing, absent],
      ['is too old', async () => '5', `${parameter}: found 5; allowed: 6 or later`],
    ])('says that it %s, and how to create it', async (_, version, message) => {
      const advice = `Once per account and region: ${command}`;

      expect(await checkAt(version)).toMatchObject({ ok: false, error: { message, advice } });
    });

    it('accepts one recent enough, and one whose version it may not read', async () => {
      const denied = failing(EXIT.refused, 'access_denied');
      const note = `ssm:GetParameter on ${parameter} failed. If \`cdk deploy\` asks for it: ${command}`;

      for (const version of ['6', '28'])
        expect(await checkAt(async () => version)).toMatchObject({
          ok: true,
          note: undefined,
          hint: undefined,
        });
      expect(await checkAt(denied)).toMatchObject({ ok: true, note });
    });
  });

  it.each<[string, FakeTerminalOptions, boolean]>([
    ['removes the labels once a person agrees', { isInteractive: true, answers: [true] }, true],
    ['changes nothing if a person declines', { isInteractive: true, answers: [false] }, false],
    ['removes the labels if nobody can be asked', {}, true],
  ])('with --fix %s', async (_, options, isDone) => {
    const terminal = new FakeTerminal(options);
    const moved: unknown[] = [];
    const system = operated(() => (moved.length > 0 ? snapshotOf() : LEFT_BEHIND));
    system.secretsManager.send = async (command) => {
      if (command instanceof UpdateSecretVersionStageCommand) moved.push(command.input);
    };

    const { exitCode, document, visibleText } = await system.run(doctor, { fix: true }, terminal);

    expect(visibleText).toContain('remove AWSPENDING from version stopped of arn:of-the-key');
    const move = { SecretId: 'arn:of-the-key', VersionStage: 'AWSPENDING', RemoveFromVersionId: 'stopped' };
    expect(moved).toMatchObject(isDone ? [move] : []);
    expect(exitCode).toBe(isDone ? 0 : 1);
    expect(document).toMatchObject(isDone ? { findings: [], repairs: [{ isDone }] } : { repairs: [] });
  });

  it('gives up on a fix that changes nothing', async () => {
    const system = operated(() => snapshotOf({ tokens: [token(50 * MINUTE_MS, 'older')] }));

    const { exitCode } = await system.run(doctor, { fix: true, yes: true });

    expect(exitCode).toBe(1);
    expect(system.invoked.filter(({ name }) => name === 'token-sweep')).toHaveLength(1);
  });

  describe('with --fix for many tenants', () => {
    const tenantIds = Array.from({ length: 40 }, (_, n) => `tenant-${String(n).padStart(2, '0')}`);
    const secretOf = (tenantId: string) => `arn:of-${tenantId}`;
    const named = (name: string) => Object.assign(new Error('canary'), { name });

    /** Each tenant has a stopped rotation, until a label of its key is moved. */
    function stoppedRotations(
      onMove: (secretId: string, moved: ReadonlySet<string>) => void = () => undefined,
    ) {
      const moved = new Set<string>();
      const tenants = () =>
        tenantIds.map((tenantId) => {
          const secretId = secretOf(tenantId);
          const [tenant] = (moved.has(secretId) ? snapshotOf() : LEFT_BEHIND).tenants;
          const credentials = tenant!.credentials.map((each) => ({ ...each, secretId }));
          return { ...tenant!, tenantId, credentials };
        });
      const system = operated(() => ({
        ...snapshotOf(),
        deployment: deploymentOf(tenantIds),
        tenants: tenants(),
      }));
      system.tenants = tenantIds.map((tenantId) => tenantOf(tenantId));
      const flight = { now: 0, most: 0 };
      system.secretsManager.send = async (command) => {
        if (!(command instanceof UpdateSecretVersionStageCommand)) return {};
        flight.now += 1;
        flight.most = Math.max(flight.most, flight.now);
        await new Promise(setImmediate);
        flight.now -= 1;
        onMove(command.input.SecretId!, moved);
        return void moved.add(command.input.SecretId!);
      };
      return { system, flight };
    }
    /** Runs it, which has to fail. @returns the failure, and the result before it */
    async function stopped(system: OperatedSystem, terminal = new FakeTerminal()) {
      const failure = await failureOf(doctor(system.context(terminal), { fix: true, yes: true }));
      const { document, text } = terminal.results[0]!;
      const { repairs } = document as { repairs: { isDone: boolean }[] };
      return { failure, document, text, repairs, done: repairs.filter(({ isDone }) => isDone).length };
    }

    it('applies several at a time, ten a second, in order, although one fails', async () => {
      const { system, flight } = stoppedRotations((secretId) => {
        if (secretId === secretOf('tenant-03')) throw named('Throttled');
      });
      const terminal = new FakeTerminal();
      const startedAtMs = system.nowMs;

      const { exitCode, document, text } = await system.run(doctor, { fix: true, yes: true }, terminal);

      const { repairs } = document as { repairs: { repair: string; isDone: boolean }[] };
      expect(exitCode).toBe(1);
      expect(repairs.slice(0, 40).map(({ repair }) => /tenant-\d+/.exec(repair)?.[0])).toEqual(tenantIds);
      expect(repairs.filter(({ isDone }) => !isDone)).toHaveLength(2);
      expect(flight.most).toBeGreaterThan(1);
      expect(flight.most).toBeLessThanOrEqual(8);
      expect(system.nowMs - startedAtMs).toBeGreaterThanOrEqual(3_900);
      expect(terminal.said).toContain('Applied 39 of 40 fixes, 1 failed');
      expect(text).toMatch(/^✗ staging mea tenant-03/);
    });

    it.each([
      ['AWS answers', 'TimeoutError', EXIT.unavailable, 'aws_unavailable'],
      ['you are signed in', 'CredentialsProviderError', EXIT.refused, 'not_signed_in'],
    ])(
      'stops once AWS answers nobody any more, and says to repeat it once %s',
      async (when, name, exitCode, code) => {
        const { system } = stoppedRotations((_, moved) => {
          if (moved.size >= 5) throw named(name);
        });

        const { failure, repairs, done } = await stopped(system);

        expect(failure).toMatchObject({ exitCode, code });
        expect(failure.advice).toContain(`once ${when}: fixes can be repeated`);
        expect(done).toBe(5);
        expect(repairs.length).toBeLessThan(30);
      },
    );

    it('says what was done and what was not when interrupted in the middle', async () => {
      const terminal = new FakeTerminal();
      const { system } = stoppedRotations((_, moved) => {
        if (moved.size === 11) terminal.interrupt();
      });

      const { failure, document, text, repairs, done } = await stopped(system, terminal);

      expect(failure).toMatchObject({ exitCode: EXIT.interrupted, code: 'interrupted' });
      expect(document).toMatchObject({ error: { code: 'interrupted' } });
      expect(done).toBeGreaterThanOrEqual(11);
      expect(text).toContain(`Not started: ${40 - repairs.length}`);
      expect(repairs.length).toBeLessThan(21);
    });
  });

  it.each([
    ['runs a sweep', { ok: true, tokens: 1, refreshed: 1, failed: 0 }, 'a sweep ran: 1 of 1 tokens renewed'],
    [
      'goes on if the sweep fails',
      Object.assign(new Error(), { name: 'ServiceException' }),
      'the next sweep, within 5 min, renews tokens',
    ],
  ])('enables token-sweep’s schedule, %s, and starts credential-watch', async (_, sweep, outcome) => {
    const system = operatedWithout(SWEEP_SCHEDULE);
    system.functions['token-sweep'] = () => sweep;

    const { exitCode, document } = await system.run(doctor, { fix: true, yes: true });

    expect(exitCode).toBe(0);
    expect(system.schedules.definitions.get(SWEEP_SCHEDULE)).toMatchObject({ State: 'ENABLED' });
    expect(system.invoked.map(({ name, event }) => `${name} ${event['action'] as string}`)).toEqual([
      'credential-watch report',
      'token-sweep sweep',
      'credential-watch report',
      'credential-watch watch',
    ]);
    const repair = { isDone: true, outcome: expect.stringContaining(outcome) as string };
    expect(document).toMatchObject({ findings: [], repairs: [repair] });
  });

  it('runs no sweep for credential-watch’s schedule', async () => {
    const system = operatedWithout(WATCH_SCHEDULE);

    await doctor(system.context(new FakeTerminal()), { fix: true, yes: true });

    expect(system.schedules.definitions.get(WATCH_SCHEDULE)).toMatchObject({ State: 'ENABLED' });
    expect(system.invoked.filter(({ name }) => name === 'token-sweep')).toEqual([]);
  });

  it('names the missing permission for schedules and alarms, and shows the rest', async () => {
    const system = operated(() => LEFT_BEHIND);
    system.schedules.failures['GetScheduleCommand'] = denialOf('scheduler:GetSchedule', 'arn:schedule');
    system.alarms.failure = denialOf('cloudwatch:DescribeAlarms', 'arn:alarms');

    const { exitCode, text } = await system.run(doctor, {});

    expect(exitCode).toBe(77);
    expect(text).toContain('you are not allowed to scheduler:GetSchedule on arn:schedule');
    expect(text).toContain('you are not allowed to cloudwatch:DescribeAlarms on arn:alarms');
    expect(text).toContain('no other rotation can start');
  });

  it('names the missing permission to enable a schedule', async () => {
    const system = operatedWithout(SWEEP_SCHEDULE);
    system.schedules.failures['UpdateScheduleCommand'] = denialOf('iam:PassRole', 'arn:role');

    const { exitCode, document } = await system.run(doctor, { fix: true, yes: true });

    expect(exitCode).toBe(1);
    expect(document).toMatchObject({
      findings: [{ kind: 'schedule_disabled' }],
      repairs: [{ isDone: false, outcome: expect.stringContaining('iam:PassRole on arn:role') as string }],
    });
    expect(system.invoked.filter(({ event }) => event['action'] === 'watch')).toEqual([]);
  });
});
