import { type MetricAlarm } from '@aws-sdk/client-cloudwatch';

import { status } from '../../cli/status-command';
import { EXIT, type ExitCode } from '../../cli/exit-codes';
import { type ProbeAnswer } from '../../core/restore/restore-operation';
import { at, DAY_MS, MINUTE_MS, snapshotOf, token, credential, version } from '../core/findings/snapshots';
import { type TokenSnapshot } from '../../core/deployment/deployment-snapshot';
import { deploymentOf, TENANT_ID } from '../support/lambdas/token-functions';
import { deploymentAlarmName } from '../../core/alarms/alarms';
import { FakeTerminal } from './support/fake-terminal';
import { denialOf } from './support/in-memory-monitoring';
import {
  DEPLOYMENT_KEY,
  failureOf,
  OperatedSystem,
  operatedTenant,
  tenantOf,
} from './support/operated-system';

const OFFERED: ProbeAnswer = { availability: 'offered', reason: 'it answered a restore with 200' };
const ABSENT: ProbeAnswer = { availability: 'absent', reason: 'it answered 405' };
const UNDETERMINED: ProbeAnswer = { availability: 'undetermined', reason: 'it answered 429' };

/** A deployment of many tenants, of which credential-watch reports those it is asked about. */
function manyTenants(tokensOf: (n: number) => TokenSnapshot[] = () => [token()], count = 300) {
  const system = new OperatedSystem();
  const tenantIds = Array.from({ length: count }, (_, n) => `eu-west-2_T${String(n).padStart(4, '0')}`);
  system.tenants = tenantIds.map((tenantId) => tenantOf(tenantId));
  system.functions['credential-watch'] = (event) => {
    const asked = event.tenantIds as string[] | undefined;
    const snapshot = snapshotOf();
    const [{ credentials }] = snapshot.tenants as [(typeof snapshot.tenants)[0]];
    const tenants = tenantIds.map((tenantId, n) => ({ tenantId, credentials, tokens: tokensOf(n) }));
    return {
      ...snapshot,
      deployment: deploymentOf(tenantIds),
      tenants: tenants.filter(({ tenantId }) => asked?.includes(tenantId) ?? true),
    };
  };
  return system;
}

/** An alarm of the deployment, such as `token-life`, or of a tenant, such as `one/credential-refused`. */
function inAlarm(name: string, change: MetricAlarm = {}): MetricAlarm {
  return { AlarmName: `latchkey-staging-mea/${name}`, StateValue: 'ALARM', ...change };
}

describe('latchkey status of many tenants', () => {
  const someExpired = (n: number) => [
    token(n % 100 === 7 ? -MINUTE_MS : n === 42 ? 8 * MINUTE_MS : undefined),
  ];

  it('shows a summary, then the tenants with the most severe findings, then a command for the rest', async () => {
    const { text, document } = await manyTenants(someExpired).run(status, {});

    const lines = text.split('\n');
    expect(lines.slice(0, 5)).toEqual([
      'staging mea  latchkey-staging-mea',
      '  TENANTS             3 critical, 1 with a warning, 296 without a problem',
      '  CLIENT CREDENTIALS  300 loaded',
      '  API KEYS            300 loaded',
      '  TOKENS              297 valid, 3 expired, the first expires in 8 minutes',
    ]);
    const shown = [...text.matchAll(/^ {2}eu-west-2_T(\d{4}) /gm)].map(([, n]) => n);
    expect(shown).toHaveLength(20);
    expect(shown.slice(0, 5)).toEqual(['0007', '0107', '0207', '0042', '0000']);
    expect(text).toContain('20 of 300 tenants, the most severe findings first.');
    expect(text).toContain(" Some: --tenant 'eu-west-2_T00*'. All:\n");
    expect(text).toContain('→ latchkey status --limit 300 --local\n');
    expect(text).toContain('→ latchkey doctor --environment staging --platform-region mea --local\n');
    expect(document).toMatchObject({ deployments: [{ tenants: { length: 300 } }], findings: { length: 4 } });
  });

  it.each([
    [5, 5],
    [1000, 300],
  ])('shows as many as the limit says: %i', async (limit, expected) => {
    const { text } = await manyTenants(someExpired).run(status, { limit });

    expect(text.match(/^ {2}eu-west-2_T\d{4} /gm)).toHaveLength(expected);
    expect(text.includes('--limit 300')).toBe(expected < 300);
  });

  it('shows the tenants that patterns name, their fault as one, and repeats the patterns in its commands', async () => {
    const system = manyTenants(() => [token(-MINUTE_MS)]);

    const { text, document } = await system.run(status, { tenant: ['*_T00*', '*7'], limit: 3 });

    expect(document).toMatchObject({ deployments: [{ tenants: { length: 120 } }] });
    const patterns = `--tenant '*_T00*' --tenant '*7'`;
    expect(text).toContain(`→ latchkey status ${patterns} --limit 120 --local`);
    expect(text.slice(text.indexOf('✗ critical'))).toBe(
      [
        '✗ critical  staging mea  120 tenants',
        '    eu-west-2_T0000, eu-west-2_T0001, eu-west-2_T0002 and 117 more.',
        '    eu-west-2_T0000: The token content api/read expired at',
        '    2026-01-31T11:59:00.000Z.',
        `    → latchkey doctor --environment staging --platform-region mea ${patterns} --local`,
      ].join('\n'),
    );
    expect((system.invoked.at(-1)!.event.tenantIds as string[]).length).toBe(120);
  });

  it('shows of many alarms of one kind that no finding explains one that notifies', async () => {
    const system = manyTenants(undefined, 30);
    system.alarms.metricAlarms = system.tenants
      .slice(0, 7)
      .map(({ tenantId }, n) =>
        inAlarm(`${tenantId}/credential-attention`, n === 4 ? { AlarmActions: ['arn:aws:sns:::topic'] } : {}),
      );

    const { text } = await system.run(status, {});

    expect(text).toContain('! alarm  staging mea eu-west-2_T0004  credential-attention');
    expect(text).toContain('The same alarm of 6 more tenants.');
    expect(text.match(/alarm {2}staging/g)).toHaveLength(1);
  });

  it('says of a credential that each tenant has to load that the command is the first tenant’s', async () => {
    const system = manyTenants(() => [token(8 * MINUTE_MS)], 30);
    system.alarms.metricAlarms = system.tenants.map(({ tenantId }) =>
      inAlarm(`${tenantId}/credential-refused`),
    );

    const { text } = await system.run(status, {});

    expect(text).toContain('✗ critical  staging mea  30 tenants\n');
    expect(text).toContain('30 tokens affected: 30 expiring soon.');
    expect(text).toContain('    In alarm start unknown: 30 credential-refused\n');
    expect(text.match(/→ latchkey credentials put/g)).toHaveLength(1);
    expect(text).toContain(
      '--tenant eu-west-2_T0000 --local\n      The same for each of the other 29 tenants.',
    );
  });

  it('asks for the tenants that are deployed, whichever are configured, in parts, and shows its progress', async () => {
    const system = manyTenants(someExpired, 1_200);
    const terminal = new FakeTerminal();
    const watch = system.functions['credential-watch']!;
    const [notDeployed, ...deployed] = system.tenants.map(({ tenantId }) => tenantId);
    system.functions['credential-watch'] = (event) =>
      (event.tenantIds as string[]).includes(notDeployed!)
        ? { errorMessage: 'tenantIds: unknown' }
        : { ...watch(event), deployment: deploymentOf(deployed) };
    system.tenants = system.tenants.slice(0, 1_010);

    const { text, document } = await system.run(status, {}, terminal);

    expect(document).toMatchObject({ deployments: [{ tenants: { length: 1_199 } }] });
    expect(text).toContain('1,199 loaded');
    const parts = system.invoked.map(({ event }) => (event.tenantIds as string[]).length);
    expect(parts).toEqual([0, 250, 250, 250, 250, 199]);
    expect(terminal.said).toEqual([
      'Inspecting 1,010 tenants',
      ...['250', '500', '750', '1,000', '1,010'].map((n) => `Inspected ${n} of 1,010 tenants`),
      'Inspected 1,010 tenants',
    ]);
  });

  it('does not say that it inspected tenants if it could not', async () => {
    const system = manyTenants();
    system.functions['credential-watch'] = () => ({ errorMessage: 'it failed' });
    const terminal = new FakeTerminal();

    await system.run(status, {}, terminal);

    expect(terminal.said).toEqual(['Inspecting 300 tenants', 'Could not inspect all tenants']);
  });

  it.each([
    [1, 'Z, Ctrl-C to exit', 5_000],
    [600, 'Z, every 18 s, Ctrl-C to exit', 18_000],
  ])('inspects %i tenants again with --watch until interrupted', async (count, says, ms) => {
    const system = manyTenants(undefined, count);
    const terminal = new FakeTerminal({ showsOutputToPerson: true });
    const startMs = system.nowMs;
    system.onSleep = () => {
      if (terminal.frames.length === 3) terminal.interrupt();
    };

    expect(await status(system.context(terminal), { watch: true })).toBe(0);
    expect(terminal.frames).toHaveLength(3);
    expect(terminal.frames[0]).toContain(says);
    expect(system.nowMs - startMs).toBe(2 * ms);
    expect(terminal.results).toEqual([]);
  });
});

describe('latchkey status', () => {
  it('shows a healthy deployment and exits with 0', async () => {
    const system = operatedTenant();

    const { exitCode, text, document } = await system.run(status, {});

    expect(exitCode).toBe(0);
    expect(text).toContain('staging mea  latchkey-staging-mea');
    expect(text).toContain('due in 89 days');
    expect(text).toContain('content api/read  ████████░░ 50 minutes');
    expect(text).toContain('No action needed');
    expect(text).not.toContain('RESTORE');
    expect(JSON.stringify(document)).not.toContain('availability');
    expect(system.invoked).toEqual([{ name: 'credential-watch', event: { action: 'report' } }]);
  });

  it('shows a refused credential as one cause with one command, and what it causes under it', async () => {
    const tokens = [token(2 * MINUTE_MS), { ...token(-MINUTE_MS), scope: 'api/write' }];
    const system = operatedTenant(() => snapshotOf({ tokens }));
    const tenant = { ...DEPLOYMENT_KEY, tenantId: TENANT_ID };
    const StateTransitionedTimestamp = new Date(system.nowMs - 12 * MINUTE_MS);
    system.alarms.metricAlarms = [
      inAlarm('credential-refused', { StateTransitionedTimestamp }),
      inAlarm(`${TENANT_ID}/credential-refused`, { StateTransitionedTimestamp, AlarmActions: ['arn:topic'] }),
    ];

    const { exitCode, text, document } = await system.run(status, {});

    expect(exitCode).toBe(EXIT.failed);
    expect(text).toMatch(new RegExp(`^ +${TENANT_ID} +refused +due in 89 days +1 of 2`, 'm'));
    expect(text.slice(text.indexOf('✗ critical'))).toBe(
      [
        `✗ critical  staging mea ${TENANT_ID}`,
        '    The issuer refuses the client credential or a scope, or the secret holds no',
        '    client credential.',
        '    2 tokens affected: 1 expired, 1 expiring soon.',
        '    In alarm for 12 minutes, since 2026-01-31T11:48:00.000Z: 2',
        '    credential-refused; notifies',
        '    Get new client credentials or the missing scope from the issuer’s support,',
        '    then load them:',
        `    → latchkey credentials put --environment staging --platform-region mea --tenant ${TENANT_ID} --local`,
      ].join('\n'),
    );
    const cause = { kind: 'credential_refused', credential: 'client-credentials', place: tenant };
    expect(document).toMatchObject({
      deployments: [{ ...DEPLOYMENT_KEY, stack: 'latchkey-staging-mea', tenants: [{ tenantId: TENANT_ID }] }],
      findings: [
        { kind: 'credential_refused', severity: 'critical' },
        { kind: 'token_expired', cause },
        { kind: 'token_low', cause },
      ],
    });
  });

  describe('of an alarm that no finding explains', () => {
    const AlarmDescription = 'Callers will fail. Run `latchkey x`.';
    /** What it says of the alarm, in one line. */
    async function saysOf(alarm: string, snapshot: Parameters<typeof snapshotOf>[0] = {}, flags = {}) {
      const system = operatedTenant(() => snapshotOf(snapshot));
      system.alarms.metricAlarms = [inAlarm(alarm, { AlarmDescription })];
      const { exitCode, text } = await system.run(status, flags);
      expect(exitCode).toBe(EXIT.failed);
      return text.replace(/\s+/g, ' ');
    }

    it('says that the fault is over and when the alarm ends: a credential was replaced', async () => {
      const text = await saysOf(`${TENANT_ID}/credential-refused`);

      expect(text).toContain('The fault is over. The alarm ends by itself within 11 minutes.');
      expect(text).not.toMatch(/Callers will fail|latchkey x|✗ alarm/);
    });

    it('does not call renewals over that may fail in part, and says where to look', async () => {
      const text = await saysOf('tokens-blocked');

      expect(text).toContain('No token is affected now. If the fault is over, the alarm ends');
      expect(text).toContain('/docs/runbook/alarms.md#tokens-cannot-be-renewed');
      expect(text).not.toContain('Callers will fail');
    });

    it('says when one ends that only CloudWatch knows to be over', async () => {
      expect(await saysOf('sweep-silent')).toContain(
        'When it began: Callers will fail. Run `latchkey x --local`. If the fault is over, the alarm ends within ten minutes of the next sweep.',
      );
    });

    const unread = { interface: 'content', scope: 'api/write', secretId: 's' } as const;
    const unavailable = { ...unread, access: 'unavailable', reason: 'ThrottlingException' } as const;
    it.each([
      ['a secret could not be read', 'token-life', { tokens: [token(), unavailable] }, {}],
      ['a token waits for its renewal', 'tokens-blocked', { tokens: [token(15 * MINUTE_MS)] }, {}],
      ['it may be that of another tenant than the chosen', 'token-life', {}, { tenant: TENANT_ID }],
    ] as const)('does not say that the fault is over if %s', async (_, alarm, snapshot, flags) => {
      const text = await saysOf(alarm, { ...snapshot } as Parameters<typeof snapshotOf>[0], flags);

      expect(text).toContain('Callers will fail.');
      expect(text).not.toContain('is over.');
      expect(text.includes('No fault of the chosen tenants explains it now.')).toBe('tenant' in flags);
    });
  });

  it('does not show an alarm as caused by a fault that began after it', async () => {
    const apiKey = credential('api-key', { promotedAt: at(-85 * DAY_MS) });
    const system = operatedTenant(() => snapshotOf({ apiKey }));
    system.alarms.metricAlarms = [-86, -84].map((day) =>
      inAlarm(`${TENANT_ID}/credential-attention`, {
        StateTransitionedTimestamp: new Date(at(day * DAY_MS)),
      }),
    );

    const { text } = await system.run(status, {});

    expect(text).toContain('    In alarm for 84 days, since');
    expect(text.replace(/\s+/g, ' ')).toMatch(
      /! alarm .* for 86 days, .* The fault that began it is over, but a newer one is listed\. Once that is fixed, the alarm ends within/,
    );
  });

  it('shows an outage of three deployments as one finding with one next step, and an alarm of all once', async () => {
    const renewalError = { code: 'platform_unavailable', message: 'status 503' } as const;
    const system = operatedTenant(() => snapshotOf({ tokens: [{ ...token(-MINUTE_MS), renewalError }] }));
    const watch = system.functions['credential-watch']!;
    const keys = [
      { environment: 'staging', platformRegion: 'mea' },
      { environment: 'staging', platformRegion: 'global' },
      { environment: 'production', platformRegion: 'mea' },
    ] as const;
    system.alarms.metricAlarms = keys.map((key) => ({
      AlarmName: deploymentAlarmName('latchkey', key, 'throttles'),
      StateValue: 'ALARM',
    }));
    let turn = 0;
    system.functions['credential-watch'] = (event) => {
      const snapshot = watch(event) as ReturnType<typeof snapshotOf>;
      return { ...snapshot, deployment: { ...snapshot.deployment, ...keys[turn++]! } };
    };
    const deployments = keys.map((key) => ({ ...system.deployment(), ...key }));

    const { text } = await system.run(status, {}, new FakeTerminal(), { ...system.system(), deployments });

    expect(text.match(/the issuer gave no usable token/g)).toHaveLength(1);
    expect(text).toContain(
      [
        '✗ critical  3 deployments',
        '    staging mea, staging global, production mea.',
        '    staging mea: When last asked, the issuer gave no usable token for',
        `    ${TENANT_ID}: platform_unavailable, status 503.`,
        '    3 tokens affected: 3 expired.',
        '    → Wait: once',
      ].join('\n'),
    );
    expect(text.match(/! alarm/g)).toHaveLength(1);
    expect(text).toContain('The same alarm of 2 more deployments.');
  });

  it('counts the notices of the chosen tenant, and prints the command that shows them', async () => {
    const system = operatedTenant(() => snapshotOf({ apiKey: credential('api-key', { versions: [] }) }));

    const { exitCode, text } = await system.run(status, { tenant: TENANT_ID });

    expect(exitCode).toBe(0);
    expect(text).toContain(`1 notice, nothing wrong. Details: latchkey doctor --tenant ${TENANT_ID} --local`);
    expect(system.invoked[0]!.event).toEqual({ action: 'report', tenantIds: [TENANT_ID] });
  });

  it.each<[boolean, ProbeAnswer, string, ExitCode]>([
    [true, OFFERED, 'offered by the platform', EXIT.done],
    [false, ABSENT, 'not offered by the platform, as configured', EXIT.done],
    [true, ABSENT, 'not offered by the platform, although restore.available is true', EXIT.failed],
    [false, OFFERED, 'offered by the platform, although restore.available is false', EXIT.failed],
    [true, UNDETERMINED, 'not known whether the platform offers it: it answered 429', EXIT.done],
  ])(
    'with restore.available %s and the answer %j, it shows restore as %s',
    async (available, restore, line, wanted) => {
      const snapshot = snapshotOf();
      const { deployment } = snapshot;
      const configured = { ...deployment, restore: { ...deployment.restore, available } };
      const system = operatedTenant(() => ({ ...snapshot, deployment: configured, restore }));

      const { exitCode, text, document } = await system.run(status, {});

      expect(exitCode).toBe(wanted);
      expect(text.split('\n')).toContain(`  RESTORE  ${line}`);
      expect(document).toMatchObject({ deployments: [{ restore }] });
    },
  );

  const inDays = (days: number) => new Date(new OperatedSystem().nowMs + days * DAY_MS).toISOString();
  const withNew = (label: string, ...leftOnCurrent: string[]) => ({
    versions: [version('current', ['AWSCURRENT', ...leftOnCurrent], DAY_MS), version('new', [label], 0)],
  });
  it.each<[string, Parameters<typeof credential>[1], string]>([
    ['until when a person must replace it', { nextRotationAt: inDays(40) }, 'due in 89 days'],
    ['when it expires, if that comes first', { validUntil: inDays(40) }, 'expires in 40 days'],
    ['at once that another is staged', withNew('LATCHKEY_CANDIDATE'), 'due in 89 days, another staged'],
    ['at once that another is pending', withNew('AWSPENDING'), 'due in 89 days, another pending'],
    [
      'nothing of a label left on it',
      withNew('LATCHKEY_CANDIDATE', 'AWSPENDING'),
      'due in 89 days, another staged',
    ],
    ['that it is refused, not when it is due', { proof: { current: 'refused', isServed: true } }, 'refused'],
    ['that it is none, and not when it is due', { validUntil: undefined }, 'holds no API key'],
  ])('says of an API key %s', async (_, change, words) => {
    const snapshot = snapshotOf({ apiKey: credential('api-key', change) });
    snapshot.deployment.restoreApi.acceptsApiKeys = true;

    const { text } = await operatedTenant(() => snapshot).run(status, {});

    const row = text.split('\n').find((line) => line.includes(` ${TENANT_ID} `))!;
    expect(row).toMatch(new RegExp(`^ +${TENANT_ID} +due in 89 days +${words} +1 of 1, 50 min$`));
    // Only a credential and its successor take more columns than a terminal has.
    const isOne = !words.includes(',');
    expect(row.replace(TENANT_ID, 'me-south-1_StagingMea').length <= 80).toBe(isOne);
  });

  it('shows the other deployments if one cannot be inspected, and the alarms of that one', async () => {
    const system = operatedTenant();
    const missing = new OperatedSystem().deployment({ environment: 'production', platformRegion: 'mea' });
    const both = { ...system.system(), deployments: [system.deployment(), missing] };

    const { exitCode, text, document } = await system.run(status, {}, new FakeTerminal(), both);

    expect(exitCode).toBe(EXIT.failed);
    expect(text).toContain('content api/read');
    expect(text).toContain('no function credential-watch');
    expect(document).toMatchObject({
      deployments: [
        { environment: 'staging' },
        { environment: 'production', error: { code: 'not_found' }, alarms: [{ state: 'OK' }] },
      ],
    });
  });

  it('shows one line per tenant, and no summary, up to a screenful', async () => {
    const { text } = await manyTenants(undefined, 20).run(status, {});

    expect(text.match(/1 of 1, 50 min/g)).toHaveLength(20);
    expect(text.split('\n').length).toBeLessThan(30);
    expect(text).not.toContain('--limit');
  });

  it('shows alarms with their advice, those that notify first, and exits with 1', async () => {
    const system = operatedTenant();
    const details = {
      StateTransitionedTimestamp: new Date(system.nowMs - 12 * MINUTE_MS),
      AlarmDescription: 'No sweep ended. Callers go on until their tokens expire. Run `latchkey doctor`.',
    };
    system.alarms.compositeAlarms = [inAlarm('tokens', { ...details, AlarmActions: ['arn:topic'] })];
    system.alarms.metricAlarms.push(
      inAlarm('dead-letters', details),
      inAlarm('throttles', { StateValue: 'INSUFFICIENT_DATA' }),
    );

    const { exitCode, text, document } = await system.run(status, {});

    expect(exitCode).toBe(EXIT.failed);
    expect(text).toContain('ALARMS   2 in alarm, 1 OK, 1 insufficient data');
    expect(text).toMatch(/✗ alarm {2}staging mea {2}tokens\n[^]*! alarm {2}staging mea {2}dead-letters/);
    expect(text).toContain('for 12 minutes, since 2026-01-31T11:48:00.000Z, notifies');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('Run `latchkey doctor --local`.');
    expect(text).not.toContain('No action needed');
    expect(document).toMatchObject({ findings: [] });
    const [{ alarms }] = (document as { deployments: [{ alarms: object[] }] }).deployments;
    expect(alarms).toMatchObject([
      { name: 'latchkey-staging-mea/dead-letters', state: 'ALARM', notifies: false },
      { name: 'latchkey-staging-mea/throttles', state: 'INSUFFICIENT_DATA' },
      { name: 'latchkey-staging-mea/token-life', state: 'OK' },
      { name: 'latchkey-staging-mea/tokens', state: 'ALARM', notifies: true },
    ]);
  });

  it('shows the rest if the alarms cannot be read, and says why in one line', async () => {
    const system = operatedTenant();
    system.alarms.failure = denialOf('cloudwatch:DescribeAlarms', 'arn:alarms');

    const { exitCode, text, document } = await system.run(status, {});

    expect(exitCode).toBe(EXIT.refused);
    expect(text).toContain('content api/read  ████████░░ 50 minutes');
    expect(text).toMatch(
      /✗ Cannot show alarms: cloudwatch:DescribeAlarms on alarm:latchkey-staging-mea\/\*.*\n/,
    );
    expect(text).not.toContain('No action needed');
    expect(document).toMatchObject({ deployments: [{ alarmsError: { code: 'access_denied' } }] });
  });

  it('says once why neither the deployment nor its alarms can be read', async () => {
    const system = operatedTenant();
    const failing = { send: () => Promise.reject(new Error('Region is missing')) };
    system.more = { lambda: failing, cloudWatch: failing };

    const { exitCode, text } = await system.run(status, {});

    expect(exitCode).toBe(EXIT.usage);
    expect(text.match(/AWS region: found nothing/g)).toHaveLength(1);
  });

  it.each([
    ['without a terminal', { watch: true }, false],
    ['with --json', { watch: true, json: true }, true],
  ])('refuses --watch %s', async (_, flags, showsOutputToPerson) => {
    const context = operatedTenant().context(new FakeTerminal({ showsOutputToPerson }));

    expect((await failureOf(status(context, flags))).exitCode).toBe(2);
  });
});
