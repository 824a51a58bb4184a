import {
  COMPOSITE_ALARMS,
  DEPLOYMENT_ALARMS,
  type DeploymentAlarm,
  NOTIFYING_ALARMS,
  TENANT_ALARMS,
} from '../../core/alarms/alarm-rows';
import { ALL_TOKENS, configuration, tenant, type WrittenDeployment } from '../support/lib/configuration';
import {
  type Synthesis,
  synthesisWith,
  synthesizeDeploymentStack,
  synthesizeOnce,
} from '../support/lib/synthesis';

const STACK = 'latchkey-staging-global';

const alarmsOf = (synthesis: Synthesis, stack = STACK) =>
  ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm']
    .flatMap((type) => synthesis.resourcesOf(stack, type))
    .map((alarm) => ({ ...alarm, name: alarm.Properties.AlarmName as string }));
const namesOf = (alarms: { name: string }[]) => alarms.map(({ name }) => name).sort();
const ofDeployment = (ids: readonly string[]) => ids.map((id) => `${STACK}/${id}`).sort();

const FULL = { fullMonitoring: true };
const synthesis = synthesisWith(FULL);
const alarms = alarmsOf(synthesis);
const changed = (deployment: Partial<WrittenDeployment>) =>
  synthesizeDeploymentStack(configuration({ ...FULL, ...deployment }));

const alarm = (id: DeploymentAlarm, of = alarms): Record<string, unknown> =>
  of.find(({ name }) => name === `${STACK}/${id}`)!.Properties;

describe('the alarms of a deployment', () => {
  it('have the contract’s names, 21 at most', () => {
    expect(namesOf(alarms)).toEqual(ofDeployment(DEPLOYMENT_ALARMS));
    expect(alarms.length).toBeLessThanOrEqual(21);
  });

  const NEEDED = [
    ...['token-life', 'tokens-blocked', 'token-requests', 'sweep-silent', 'tokens'],
    ...['rotation-overdue', 'api-key-expiring-soon', 'watch-silent'],
  ];
  const OF_RESTORE = [
    ...['restore-errors', 'restore-outcome-unknown', 'restore-latency', 'throttles', 'restore'],
    'restore-availability',
  ];
  it.each([
    [true, [...NEEDED, ...OF_RESTORE]],
    [false, NEEDED],
  ])(
    'without fullMonitoring are those of which somebody is notified, with a restore API: %s',
    (enabled, ids) => {
      const fewer = changed({ fullMonitoring: false, restoreApi: { enabled } });

      expect(namesOf(alarmsOf(fewer))).toEqual(ofDeployment(ids));
    },
  );

  it('synthesize without CDK warnings, such as about different periods in one alarm', () => {
    const messages = synthesis.assembly.stacks.flatMap((stack) => stack.messages);

    const warnings = messages.filter(({ level }) => String(level) === 'warning');
    expect(warnings.map(({ id, entry }) => [id, entry.data])).toEqual([]);
  });

  it('notify the topic only if they need a person', () => {
    const [topic] = synthesis.resourcesOf(STACK, 'AWS::SNS::Topic');
    const notifying = alarms.filter(({ Properties }) => 'AlarmActions' in Properties);

    expect(namesOf(notifying)).toEqual(ofDeployment(NOTIFYING_ALARMS));
    for (const { Properties } of alarms) {
      expect(Properties.AlarmActions ?? [{ Ref: topic!.logicalId }]).toEqual([{ Ref: topic!.logicalId }]);
      expect(Properties.OKActions).toEqual(Properties.AlarmActions);
      expect(Properties).not.toHaveProperty('InsufficientDataActions');
    }
  });

  it.each(Object.entries(COMPOSITE_ALARMS))('%s goes into alarm with any of its parts', (id, parts) => {
    const ids = new Map(alarms.map(({ logicalId, name }) => [logicalId, name.split('/')[1]]));

    const { AlarmRule } = alarm(id as keyof typeof COMPOSITE_ALARMS) as {
      AlarmRule: { 'Fn::Join': ['', (string | { 'Fn::GetAtt': [string, string] })[]] };
    };
    const rule = AlarmRule['Fn::Join'][1].map((part) =>
      typeof part === 'string' ? part : ids.get(part['Fn::GetAtt'][0]),
    );
    expect(rule.join('')).toBe(`(${parts.map((part) => `ALARM("${part}")`).join(' OR ')})`);
  });

  it('treat missing data as breaching only in those about silence, and keep their state only between probes', () => {
    const withMissing = (treatment: string) =>
      namesOf(alarms.filter(({ Properties }) => Properties.TreatMissingData === treatment));

    expect(withMissing('breaching')).toEqual(ofDeployment(['sweep-silent', 'watch-silent']));
    expect(withMissing('ignore')).toEqual(ofDeployment(['restore-availability']));
    expect(withMissing('notBreaching')).toHaveLength(
      DEPLOYMENT_ALARMS.length - Object.keys(COMPOSITE_ALARMS).length - 3,
    );
  });

  it('need no metric of single API methods, which the stage does not send', () => {
    const texts = JSON.stringify(alarms);

    expect(texts).toContain('"ApiName"');
    expect(texts).not.toContain('"Name":"Method"');
  });

  it('have a warm-up if missing data are breaching, no longer than the silence that they report', () => {
    const waiting = alarms.filter(({ Properties }) => 'WarmUpConfiguration' in Properties);

    expect(waiting.map(({ name, Properties }) => [name, Properties.WarmUpConfiguration])).toEqual([
      [`${STACK}/sweep-silent`, { WarmUpPeriodDurationInMinutes: 12 }],
      [`${STACK}/watch-silent`, { WarmUpPeriodDurationInMinutes: 12 * 60 }],
    ]);
  });
});

describe('the condition of an alarm', () => {
  it.each<[DeploymentAlarm, object]>([
    [
      'sweep-silent',
      {
        MetricName: 'SweepDuration',
        Statistic: 'SampleCount',
        Period: 60,
        EvaluationPeriods: 12,
        Threshold: 1,
      },
    ],
    ['dead-letters', { Namespace: 'AWS/SQS', Statistic: 'Maximum', Threshold: 3 }],
    ['rotation-refused', { MetricName: 'Finding', Period: 22_200, Statistic: 'Minimum', Threshold: 1 }],
    ['api-key-expiring', { MetricName: 'DaysToExpiry', Period: 22_200, Statistic: 'Maximum', Threshold: 30 }],
    [
      'api-key-expiring-soon',
      { MetricName: 'DaysToExpiry', Period: 22_200, Statistic: 'Maximum', Threshold: 7 },
    ],
    ['watch-silent', { MetricName: 'WatchRun', Period: 3600, EvaluationPeriods: 12, Threshold: 1 }],
    [
      'restore-latency',
      { MetricName: 'RestoreLatency', ExtendedStatistic: 'p90', EvaluationPeriods: 3, Threshold: 10_000 },
    ],
  ])('%s is one metric', (id, expected) => {
    expect(alarm(id)).toMatchObject(expected);
  });

  it.each<[DeploymentAlarm, string, number, number]>([
    ['token-life', 'FILL(m0, 900)', 600, 480],
    ['credential-refused', 'FILL(m0, 0) + FILL(m1, 0) + FILL(m2, 0)', 600, 1],
    ['tokens-blocked', 'FILL(m0, 0)', 600, 1],
    ['token-requests', 'FILL(m0, 0)', 3600, 18],
    ['rotation-due', 'FILL(m0, 0)', 22_200, 76],
    ['rotation-overdue', 'FILL(m0, 0)', 22_200, 90],
    ['rotation-stuck', 'FILL(m0, 0) + FILL(m1, 0) + FILL(m2, 0)', 22_200, 1],
    ['restore-outcome-unknown', 'FILL(m0, 0)', 3600, 5],
    ['restore-errors', 'IF(errors >= 5, 100 * errors / requests, 0)', 900, 25],
    ['throttles', 'FILL(m0, 0) + FILL(m1, 0) + FILL(m2, 0) + FILL(m3, 0)', 300, 1],
  ])('%s is %s, over %d s', (id, expression, period, threshold) => {
    const { Metrics, Threshold } = alarm(id) as {
      Metrics: { ReturnData: boolean; Expression?: string; MetricStat?: { Period: number } }[];
      Threshold: number;
    };

    expect(Metrics.filter(({ ReturnData }) => ReturnData)).toEqual([
      expect.objectContaining({ Expression: expression }),
    ]);
    const periods = Metrics.flatMap(({ MetricStat }) => MetricStat?.Period ?? []);
    expect([...new Set(periods)]).toEqual([period]);
    expect(Threshold).toBe(threshold);
  });

  describe('with other thresholds', () => {
    const limited = alarmsOf(
      changed({
        credentials: { maxAgeDays: 60 },
        tenants: ['a', 'b'].map((id) => tenant(id, ALL_TOKENS)),
        alarms: {
          ...{ tokenLifeMinutes: 10, missedSweeps: 3, deadLetters: 1, tokenRequestsPerTokenAndHour: 9 },
          ...{ rotationNoticeDays: 30, apiKeyNoticeDays: 20, apiKeyUrgentDays: 3, throttles: 4 },
          ...{ restoreErrorPercent: 50, restoreErrorsAtLeast: 2, restoreOutcomesUnknown: 1 },
          restoreLatencySec: 20,
        },
      }),
    );

    it.each<[DeploymentAlarm, object]>([
      ['token-life', { Threshold: 600 }],
      ['sweep-silent', { EvaluationPeriods: 18 }],
      ['dead-letters', { Threshold: 1 }],
      ['token-requests', { Threshold: 70 }],
      ['rotation-due', { Threshold: 30 }],
      ['rotation-overdue', { Threshold: 60 }],
      ['api-key-expiring', { Threshold: 20 }],
      ['api-key-expiring-soon', { Threshold: 3 }],
      ['restore-errors', { Threshold: 50 }],
      ['restore-outcome-unknown', { Threshold: 1 }],
      ['restore-latency', { Threshold: 20_000 }],
      ['throttles', { Threshold: 4 }],
    ])('%s follows its own: %j', (id, expected) => {
      expect(alarm(id, limited)).toMatchObject(expected);
    });

    it('restore-errors has its least number of errors', () => {
      expect(JSON.stringify(alarm('restore-errors', limited))).toContain('IF(errors >= 2, ');
    });
  });

  it('token-requests grows with the declared tokens', () => {
    const tenants = ['a', 'b'].map((id) => tenant(id, ALL_TOKENS));

    expect(alarm('token-requests', alarmsOf(changed({ tenants })))).toMatchObject({ Threshold: 40 });
  });

  it('throttles excludes the token functions, and the restore functions if there are none', () => {
    const functions = (deployment: Partial<WrittenDeployment> = {}) =>
      JSON.stringify(alarm('throttles', alarmsOf(changed(deployment)))).match(
        /[A-Za-z]+Function[0-9A-F]{8}/g,
      );

    expect(functions()).toEqual([
      expect.stringMatching(/^Rotation/),
      expect.stringMatching(/^Watch/),
      expect.stringMatching(/^RestoreFunction/),
      expect.stringMatching(/^RestoreAuthorizer/),
    ]);
    expect(functions({ restoreApi: { auth: 'iam' } })).toHaveLength(3);
    expect(functions({ restoreApi: { enabled: false } })).toHaveLength(2);
  });
});

describe('the alarms of a tenant', () => {
  const ofTenant = alarmsOf(synthesis, `${STACK}-tenant-a`);

  it('are two, and both notify the deployment’s topic', () => {
    expect(ofTenant.map(({ name }) => name)).toEqual(TENANT_ALARMS.map((id) => `${STACK}/tenant-a/${id}`));
    for (const { Properties } of ofTenant) {
      expect(Properties.AlarmActions).toEqual([
        { Ref: expect.stringMatching(/^SsmParameterValuelatchkeystagingglobalalarmtopicarn/) as string },
      ]);
      expect(Properties.OKActions).toEqual(Properties.AlarmActions);
    }
  });

  it('watch the metrics of this tenant', () => {
    const [refused, attention] = ofTenant.map(({ Properties }) => Properties);
    const [sum, metric] = refused!.Metrics as [object, { MetricStat: { Metric: { Dimensions: unknown } } }];
    const tenantId = { Name: 'tenantId', Value: 'tenant-a' };

    expect(refused).toMatchObject({ Threshold: 1, TreatMissingData: 'notBreaching' });
    expect(sum).toMatchObject({ Expression: 'FILL(m0, 0)' });
    const { MetricStat } = metric;
    expect(MetricStat).toMatchObject({
      Metric: { MetricName: 'CredentialRefused' },
      Period: 600,
      Stat: 'Sum',
    });
    expect(MetricStat.Metric.Dimensions).toContainEqual(tenantId);
    // The last result holds until the next run.
    const last = { Period: 22_200, Statistic: 'Minimum', TreatMissingData: 'ignore', Unit: 'Count' };
    expect(attention).toMatchObject({ MetricName: 'CredentialAttention', Threshold: 1, ...last });
    expect(attention!.Dimensions).toContainEqual(tenantId);
  });

  it('have names within CloudWatch’s limit, even with the longest prefix and tenant id', () => {
    const value = configuration({ ...FULL, environment: 'production', tenants: [tenant('t'.repeat(128))] });
    const longest = synthesizeOnce({ ...value, prefix: 'p'.repeat(29) });
    const names = longest.properties('AWS::CloudWatch::Alarm').map(({ AlarmName }) => AlarmName as string);

    expect(names).toHaveLength(DEPLOYMENT_ALARMS.length - Object.keys(COMPOSITE_ALARMS).length + 2);
    names.forEach((name) => expect(name.length).toBeLessThanOrEqual(255));
  });
});
