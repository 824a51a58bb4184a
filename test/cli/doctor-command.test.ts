import { UpdateSecretVersionStageCommand } from '@aws-sdk/client-secrets-manager';

import { CommandError } from '../../cli/command-error';
import { doctor } from '../../cli/doctor-command';
import { EXIT, type ExitCode } from '../../cli/exit-codes';
import { type DeploymentSnapshot } from '../../core/deployment/deployment-snapshot';
import { credential, MINUTE_MS, snapshotOf, token, version } from '../core/findings/snapshots';
import { sha256Hex } from '../../core/secrets/sha256';
import { deploymentOf, KEY, TENANT_ID } from '../support/lambdas/token-functions';
import { FakeTerminal } from './support/fake-terminal';
import { denialOf } from './support/in-memory-monitoring';
import { failureOf, OperatedSystem, operatedTenant, tenantOf } from './support/operated-system';

const EXPIRES_AT = '2026-01-31T12:50:00.000Z';
const TOKEN_VALUE = {
  tokenType: 'Bearer',
  issuedAt: EXPIRES_AT,
  expiresAt: EXPIRES_AT,
  credentialVersionId: 'current',
};

/** A deployment with all its functions; credential-watch returns that snapshot. */
function operated(snapshot: () => DeploymentSnapshot): OperatedSystem {
  const system = operatedTenant(snapshot);
  system.functions['rotate-credentials'] = () => ({});
  system.functions['token-refresh'] = () => ({ ok: true, expiresAt: EXPIRES_AT, refreshed: true });
  system.functions['token-sweep'] = () => ({ ok: true, tokens: 1, refreshed: 1, failed: 0, tenants: [] });
  return system;
}

/** A healthy deployment except for a disabled schedule. */
function operatedWithout(schedule: string): OperatedSystem {
  const system = operated(() => snapshotOf());
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
  it('finds nothing wrong with a healthy deployment', async () => {
    const { exitCode, text } = await operated(() => snapshotOf()).run(doctor, {});

    expect(exitCode).toBe(0);
    expect(text).toMatch(
      /^✓ No fault found\n {4}Not checked: the alarms, .*\n {4}Not asked: whether the issuer still accepts the credentials,/,
    );
    expect(text).toContain('\n    → latchkey doctor --ask-platform --local');
  });

  it('claims nothing about API keys, which no command tries, even if it asked the issuer', async () => {
    const snapshot = snapshotOf({ tokens: [] });
    Object.assign(snapshot.deployment.restoreApi, { acceptsApiKeys: true });

    const { text } = await operated(() => snapshot).run(doctor, { askPlatform: true });

    expect(text).toContain('Not asked: whether the platform still accepts the API keys.');
  });

  it('claims nothing about the issuer and names the command that asks, for one tenant if all have many tokens', async () => {
    const scopes = Array.from({ length: 13 }, (_, n) => `scope-${n}`);
    const tokens = scopes.map((scope) => ({ ...token(), scope }));
    const system = operated(() => snapshotOf({ tokens: tokens }));
    system.tenants = [{ ...tenantOf(TENANT_ID), tokens: tokens }];

    const { text } = await system.run(doctor, { environment: 'staging' });

    expect(text).toContain(
      `→ latchkey doctor --ask-platform --environment staging --platform-region mea --tenant ${TENANT_ID} --local`,
    );
  });

  it('says what a finding means and which command fixes it', async () => {
    const { exitCode, text } = await operated(() => LEFT_BEHIND).run(doctor, {});

    expect(exitCode).toBe(1);
    expect(text).toContain('Callers are not affected, but no other rotation can start.');
    expect(text).toContain(
      `latchkey doctor --fix --environment staging --platform-region mea --tenant ${TENANT_ID}`,
    );
  });

  it('says why a token was not renewed', async () => {
    const system = operated(() => snapshotOf({ tokens: [token(-MINUTE_MS)] }));
    system.functions['token-refresh'] = () => ({
      ok: false,
      error: { code: 'credential_refused', message: 'the platform refused it' },
    });

    const { document } = await system.run(doctor, {});

    expect(document).toMatchObject({
      findings: [
        { kind: 'credential_refused', severity: 'critical' },
        { kind: 'token_expired', cause: { kind: 'credential_refused' } },
      ],
    });
  });

  it('asks about one token of a credential that is refused, and applies no fix that must fail', async () => {
    const system = operated(() =>
      snapshotOf({
        tokens: [token(-MINUTE_MS), { ...token(0), interface: 'content', scope: 'api/write' }],
      }),
    );
    const error = { code: 'credential_refused', message: 'invalid_client' };
    system.functions['token-refresh'] = () => ({ ok: false, error });

    const { exitCode, text, document } = await system.run(doctor, { fix: true, yes: true });

    expect(exitCode).toBe(1);
    expect(system.invoked.filter(({ name }) => name === 'token-refresh')).toHaveLength(1);
    expect(document).toMatchObject({ repairs: [] });
    expect(text.match(/→ latchkey/g)).toHaveLength(1);
    expect(text).toContain('2 tokens affected: 2 expired.');
  });

  describe('with --ask-platform', () => {
    const stored = 'canary-token-71fe';
    function revoked(count = 1): OperatedSystem {
      const system = operated(() => snapshotOf());
      system.tenants = Array.from({ length: count }, (_, n) => tenantOf(n === 0 ? TENANT_ID : `other-${n}`));
      system.secretsManager.send = async () => ({
        SecretString: JSON.stringify({ ...KEY, ...TOKEN_VALUE, accessToken: stored }),
      });
      system.functions['token-refresh'] = () => ({
        ok: false,
        error: { code: 'credential_refused', message: 'invalid_client' },
      });
      return system;
    }

    it('finds a credential that was revoked while its tokens are still valid', async () => {
      const system = revoked();

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
      const system = revoked(13);
      const tenants = system.tenants.map(({ tenantId }) => ({ ...snapshotOf().tenants[0]!, tenantId }));
      system.functions['credential-watch'] = () => ({ ...snapshotOf(), tenants });

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

    const { text } = await system.run(doctor, { fix: true, yes: true });

    expect(text).toMatch(
      /the issuer gave no usable token for\s+eu-west-2_\w+:\s+platform_unavailable,\s+status 503\./,
    );
    expect(text).toContain('→ Wait: once the issuer works');
    expect(text).not.toContain('→ latchkey');
  });

  it('has a line for checks that fail alike', async () => {
    const system = operated(() => snapshotOf());
    const missing = () => Promise.reject(Object.assign(new Error('Region is missing'), { name: 'Error' }));
    const deployment = system.deployment();
    deployment.secretsManager.send = missing;
    deployment.cloudWatch.send = missing;
    deployment.scheduler.send = missing;
    deployment.lambda.send = missing;
    const chosen = { ...system.system(), deployments: [deployment] };

    const { text } = await system.run(doctor, {}, new FakeTerminal(), chosen);

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

  describe('about reserved concurrency', () => {
    const limit = (quota: number, unreserved = quota) => ({
      ConcurrentExecutions: quota,
      UnreservedConcurrentExecutions: unreserved,
    });
    /** A system whose configuration says that, in an account with that limit. */
    const reserving = (
      reserved: 1 | 'none' | undefined,
      accountLimit: OperatedSystem['accountLimit'],
      system = operated(() => snapshotOf()),
    ) => Object.assign(system, { concurrency: { reserved }, accountLimit });
    /** Of which nothing is deployed. */
    const undeployed = () => {
      const system = new OperatedSystem();
      system.tenants = [tenantOf(TENANT_ID)];
      return system;
    };

    it('says to reserve it where the account has room, although nothing is wrong', async () => {
      const { exitCode, text, document } = await reserving(undefined, limit(1_000)).run(doctor, {});

      expect(exitCode).toBe(0);
      expect(text).toContain('write in the deployment: "reservedConcurrency": 1.');
      expect(text).toContain('No fault found');
      expect(document).toMatchObject({
        checks: expect.arrayContaining([
          expect.objectContaining({
            name: 'reserved concurrency',
            ok: true,
            hint: expect.any(String) as string,
          }),
        ]) as object[],
      });
    });

    it.each([
      ['the account has a quota of 10', undefined, limit(10)],
      ['others have reserved what there is', undefined, limit(1_000, 101)],
      ['the configuration says "none"', 'none', limit(1_000)],
      ['it is reserved', 1, limit(102, 100)],
      ['the caller may not ask', undefined, denialOf('lambda:GetAccountSettings', '*')],
    ] as const)('says nothing if %s', async (_, reserved, accountLimit) => {
      const { exitCode, text } = await reserving(reserved, accountLimit).run(doctor, {});

      expect(exitCode).toBe(0);
      expect(text).not.toContain('concurrency');
    });

    it('fails before a deployment that the account would refuse, and says what to write', async () => {
      const { exitCode, text } = await reserving(1, limit(10), undeployed()).run(doctor, {});

      expect(exitCode).not.toBe(0);
      expect(text).toContain(
        'reservedConcurrency: found 1 for 2 functions; allowed: "none": ' +
          'of the account’s 10 concurrent executions, 100 must stay unreserved',
      );
      const { text: withRoom } = await reserving(1, limit(102), undeployed()).run(doctor, {});
      expect(withRoom).not.toContain('reservedConcurrency');
    });
  });

  describe('about the trail of the account', () => {
    const withTrail = (isUsed: boolean, find: () => Promise<string | undefined>, tenants = 1) => {
      const system = operated(() => snapshotOf());
      while (system.tenants.length < tenants)
        system.tenants.push(tenantOf(`tenant-${system.tenants.length}`));
      return Object.assign(system, { trail: { isUsed, find } });
    };
    const named = async () => 'organization-trail';
    const none = async () => undefined;

    it('fails if trailEvents finds none, and says what to do', async () => {
      const { exitCode, text } = await withTrail(true, none).run(doctor, {});

      expect(exitCode).toBe(1);
      expect(text).toContain('no trail records who changes secrets in this AWS region');
      expect(text).toContain('→ Create a trail of management events of the type Write or All');
    });

    it('says that trailEvents would save calls, where a trail is and there are tenants enough', async () => {
      const { exitCode, text } = await withTrail(false, named, 5).run(doctor, {});

      expect(exitCode).toBe(0);
      expect(text).toContain('organization-trail records who changes secrets.');
      expect(text).toContain('"trailEvents": true');
    });

    it.each([true, false])('says in one line that it may not ask, with trailEvents: %p', async (isUsed) => {
      const denied = () => Promise.reject(denialOf('cloudtrail:DescribeTrails', '*'));

      const { exitCode, text } = await withTrail(isUsed, denied, 5).run(doctor, {});

      expect(exitCode).toBe(0);
      expect(text).toContain('· Not checked  staging mea  trail of the account');
      expect(text).toContain('you are not allowed to cloudtrail:DescribeTrails on *');
    });

    it.each([
      ['trailEvents has one', true, named, 5],
      ['nothing could be saved by one', false, named, 4],
      ['trailEvents is off and there is none', false, none, 5],
    ] as const)('says nothing if %s', async (_, isUsed, find, tenants) => {
      const { exitCode, text } = await withTrail(isUsed, find, tenants).run(doctor, {});

      expect(exitCode).toBe(0);
      expect(text).not.toContain('trail');
    });
  });

  it('says what it inspects', async () => {
    const terminal = new FakeTerminal();

    await operated(() => snapshotOf()).run(doctor, {}, terminal);

    expect(terminal.said).toEqual(['Inspecting staging mea', 'Inspected staging mea']);
  });

  it('names missing functions', async () => {
    const system = operated(() => snapshotOf());
    delete system.functions['rotate-credentials'];

    const { exitCode, text } = await system.run(doctor, {});

    expect(exitCode).toBe(1);
    expect(text).toContain('no function rotate-credentials');
  });

  describe('before anything is deployed', () => {
    const COMMAND = 'npx cdk bootstrap aws://111122223333/eu-west-1';
    const PARAMETER = '/cdk-bootstrap/hnb659fds/version';

    /** Nothing is deployed; reading the version of CDK's bootstrap stack has this result. */
    function undeployed(version: () => Promise<string>): OperatedSystem {
      const system = operatedTenant(() => snapshotOf());
      delete system.functions['credential-watch'];
      system.bootstrap = { parameter: PARAMETER, command: COMMAND, version };
      return system;
    }
    const failing = (exitCode: ExitCode, code: string) => () =>
      Promise.reject(new CommandError(exitCode, code, `ssm:GetParameter on ${PARAMETER} failed`));

    it('says that CDK needs its bootstrap stack first, and how to create it', async () => {
      const { exitCode, text } = await undeployed(failing(EXIT.failed, 'not_found')).run(doctor, {});

      expect(exitCode).toBe(1);
      expect(text).toContain('CDK bootstrap');
      expect(text).toContain(`CDK cannot deploy here yet: the parameter ${PARAMETER} does not exist`);
      expect(text).toContain(`Once per account and region: ${COMMAND}`);
    });

    it('says that the bootstrap stack is too old', async () => {
      const { text } = await undeployed(async () => '5').run(doctor, {});

      expect(text).toContain(`${PARAMETER}: found 5; allowed: 6 or later`);
      expect(text).toContain(COMMAND);
    });

    it('says nothing of a bootstrap stack that is recent enough', async () => {
      const { text, document } = await undeployed(async () => '6').run(doctor, {});

      expect(document).toMatchObject({
        checks: expect.arrayContaining([
          expect.objectContaining({ name: 'CDK bootstrap', ok: true }),
        ]) as unknown,
      });
      expect(text).not.toContain('CDK bootstrap');
    });

    it('does not count a missing permission to read its version as a failure', async () => {
      const { text, document } = await undeployed(failing(EXIT.refused, 'access_denied')).run(doctor, {});

      expect(text).toContain('· Not checked  staging mea  CDK bootstrap');
      expect(text).toContain(
        `ssm:GetParameter on ${PARAMETER} failed. If \`cdk deploy\` asks for it: ${COMMAND}`,
      );
      expect(document).toMatchObject({
        checks: expect.arrayContaining([
          expect.objectContaining({ name: 'CDK bootstrap', ok: true, note: expect.any(String) as string }),
        ]) as unknown,
      });
    });
  });

  it('does not ask for CDK’s bootstrap stack once something is deployed', async () => {
    const system = operated(() => snapshotOf());
    system.bootstrap = { parameter: '', command: '', version: () => Promise.reject(new Error('asked')) };

    const { exitCode } = await system.run(doctor, {});

    expect(exitCode).toBe(0);
  });

  it('with --fix removes the finding’s labels, inspects again and exits with 0', async () => {
    const terminal = new FakeTerminal({ isInteractive: true, answers: [true] });
    const sent: unknown[] = [];
    const system = operated(() => (sent.some(isLabelMove) ? snapshotOf() : LEFT_BEHIND));
    const deployment = system.deployment();
    deployment.secretsManager.send = async (command: unknown) => void sent.push(command);
    const context = system.context(terminal, { ...system.system(), deployments: [deployment] });

    const exitCode = await doctor(context, { fix: true });

    expect(exitCode).toBe(0);
    expect(sent.filter(isLabelMove)).toMatchObject([
      {
        input: { SecretId: 'arn:of-the-key', VersionStage: 'AWSPENDING', RemoveFromVersionId: 'stopped' },
      },
    ]);
    expect(terminal.results[0]!.document).toMatchObject({ findings: [], repairs: [{ isDone: true }] });
  });

  it('changes nothing without confirmation', async () => {
    const terminal = new FakeTerminal({ isInteractive: true, answers: [false] });
    const system = operated(() => LEFT_BEHIND);
    const deployment = system.deployment();
    const sent: unknown[] = [];
    deployment.secretsManager.send = async (command: unknown) => void sent.push(command);
    const context = system.context(terminal, { ...system.system(), deployments: [deployment] });

    const exitCode = await doctor(context, { fix: true });

    expect(exitCode).toBe(1);
    expect(sent.filter(isLabelMove)).toEqual([]);
    expect(terminal.visibleText()).toContain('remove AWSPENDING from version stopped of arn:of-the-key');
  });

  it('gives up on a fix that changes nothing', async () => {
    const system = operated(() => snapshotOf({ tokens: [token(50 * MINUTE_MS, 'older')] }));

    const { exitCode } = await system.run(doctor, { fix: true, yes: true });

    expect(exitCode).toBe(1);
    expect(system.invoked.filter(({ name }) => name === 'token-sweep')).toHaveLength(1);
  });

  it('continues with the next fix after one fails', async () => {
    const system = operated(() => snapshotOf({ tokens: [token(50 * MINUTE_MS, 'older')] }));
    system.functions['token-sweep'] = () => Object.assign(new Error('canary'), { name: 'ServiceException' });

    const { exitCode, document, visibleText } = await system.run(doctor, { fix: true, yes: true });

    expect(exitCode).toBe(1);
    expect(document).toMatchObject({ repairs: [{ isDone: false }] });
    expect(visibleText).not.toContain('canary');
  });

  describe('with --fix for many tenants', () => {
    const tenantIds = Array.from({ length: 40 }, (_, n) => `tenant-${String(n).padStart(2, '0')}`);
    const secretOf = (tenantId: string) => `arn:of-${tenantId}`;

    /** Each tenant has a stopped rotation, until a label of its key is moved. */
    function stoppedRotations(
      onMove: (secretId: string, moved: ReadonlySet<string>) => void = () => undefined,
    ) {
      const moved = new Set<string>();
      const [{ credentials, tokens }] = LEFT_BEHIND.tenants as [(typeof LEFT_BEHIND.tenants)[0]];
      const tenants = (): DeploymentSnapshot['tenants'] =>
        tenantIds.map((tenantId) => ({
          tenantId,
          tokens,
          credentials: moved.has(secretOf(tenantId))
            ? snapshotOf().tenants[0]!.credentials
            : credentials.map((each) => ({ ...each, secretId: secretOf(tenantId) })),
        }));
      const system = operated(() => ({
        ...snapshotOf(),
        deployment: deploymentOf(tenantIds),
        tenants: tenants(),
      }));
      system.tenants = tenantIds.map((tenantId) => tenantOf(tenantId));
      const deployment = system.deployment();
      const flight = { now: 0, most: 0 };
      deployment.secretsManager.send = async (command: unknown) => {
        if (!(command instanceof UpdateSecretVersionStageCommand)) return {};
        flight.now += 1;
        flight.most = Math.max(flight.most, flight.now);
        await new Promise(setImmediate);
        flight.now -= 1;
        onMove(command.input.SecretId!, moved);
        return void moved.add(command.input.SecretId!);
      };
      return { system, opened: { ...system.system(), deployments: [deployment] }, flight };
    }

    it('applies several at a time, ten a second, in order, although one fails', async () => {
      const { system, opened, flight } = stoppedRotations((secretId) => {
        if (secretId === secretOf('tenant-03'))
          throw Object.assign(new Error('canary'), { name: 'Throttled' });
      });
      const terminal = new FakeTerminal();
      const startedAtMs = system.nowMs;

      const { exitCode, document, text } = await system.run(
        doctor,
        { fix: true, yes: true },
        terminal,
        opened,
      );

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

    it('stops when AWS answers nobody any more', async () => {
      const { system, opened } = stoppedRotations((_, moved) => {
        if (moved.size >= 5) throw Object.assign(new Error('canary'), { name: 'TimeoutError' });
      });
      const terminal = new FakeTerminal();

      const failure = await failureOf(
        system.run(doctor, { fix: true, yes: true }, terminal, opened).then(() => 0),
      );

      const [{ document }] = terminal.results as [(typeof terminal.results)[0]];
      const { repairs } = document as { repairs: { isDone: boolean }[] };
      expect(failure).toMatchObject({ exitCode: EXIT.unavailable, code: 'aws_unavailable' });
      expect(repairs.filter(({ isDone }) => isDone)).toHaveLength(5);
      expect(repairs.length).toBeLessThan(30);
    });

    it('asks to sign in again if the session ends in the middle', async () => {
      const { system, opened } = stoppedRotations((_, moved) => {
        if (moved.size >= 5) throw Object.assign(new Error('canary'), { name: 'CredentialsProviderError' });
      });

      const failure = await failureOf(
        system.run(doctor, { fix: true, yes: true }, new FakeTerminal(), opened).then(() => 0),
      );

      expect(failure).toMatchObject({ exitCode: EXIT.refused, code: 'not_signed_in' });
      expect(failure.advice).toContain('once you are signed in');
    });

    it('says what was done and what was not when interrupted in the middle', async () => {
      const terminal = new FakeTerminal();
      const { system, opened } = stoppedRotations((_, moved) => {
        if (moved.size === 11) terminal.interrupt();
      });

      const failure = await failureOf(
        system.run(doctor, { fix: true, yes: true }, terminal, opened).then(() => 0),
      );

      const [{ document, text }] = terminal.results as [(typeof terminal.results)[0]];
      const { repairs } = document as { repairs: { isDone: boolean }[] };
      expect(failure).toMatchObject({ exitCode: EXIT.interrupted, code: 'interrupted' });
      expect(document).toMatchObject({ error: { code: 'interrupted' } });
      expect(repairs.filter(({ isDone }) => isDone).length).toBeGreaterThanOrEqual(11);
      expect(text).toContain(`Not started: ${40 - repairs.length}`);
      expect(repairs.length).toBeLessThan(21);
    });
  });

  it('finds a disabled schedule and a missing one', async () => {
    const system = operatedWithout(SWEEP_SCHEDULE);
    system.schedules.definitions.delete(WATCH_SCHEDULE);

    const { exitCode, text } = await system.run(doctor, {});

    expect(exitCode).toBe(1);
    expect(text).toContain(`The schedule ${SWEEP_SCHEDULE} is disabled`);
    expect(text).toContain('latchkey doctor --fix --environment staging --platform-region mea --local');
    expect(text).toContain('Stop the laptop system');
    expect(system.schedules.updates).toEqual([]);
  });

  it('enables token-sweep’s schedule, runs a sweep, starts credential-watch and exits with 0', async () => {
    const system = operatedWithout(SWEEP_SCHEDULE);

    const { exitCode, document } = await system.run(doctor, { fix: true, yes: true });

    expect(exitCode).toBe(0);
    expect(system.schedules.definitions.get(SWEEP_SCHEDULE)).toMatchObject({ State: 'ENABLED' });
    expect(system.invoked.map(({ name, event }) => `${name} ${event['action'] as string}`)).toEqual([
      'credential-watch report',
      'token-sweep sweep',
      'credential-watch report',
      'credential-watch watch',
    ]);
    expect(document).toMatchObject({
      findings: [],
      repairs: [
        { isDone: true, outcome: expect.stringContaining('a sweep ran: 1 of 1 tokens renewed') as string },
      ],
    });
  });

  it('enables the schedule even if the sweep fails', async () => {
    const system = operatedWithout(SWEEP_SCHEDULE);
    system.functions['token-sweep'] = () => Object.assign(new Error(), { name: 'ServiceException' });

    const { document } = await system.run(doctor, { fix: true, yes: true });

    expect(document).toMatchObject({
      repairs: [
        {
          isDone: true,
          outcome: expect.stringContaining('the next sweep, within 5 min, renews tokens') as string,
        },
      ],
    });
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

  it('applies fixes without asking if nobody can be asked, like every command', async () => {
    const system = operated(() => LEFT_BEHIND);

    const { document } = await system.run(doctor, { fix: true });

    expect(document).toMatchObject({ repairs: [{ isDone: true }] });
  });
});

function isLabelMove(command: unknown): boolean {
  return command instanceof UpdateSecretVersionStageCommand;
}
