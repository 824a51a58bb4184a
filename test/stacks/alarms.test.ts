import {
  COMPOSITE_ALARMS,
  DEPLOYMENT_ALARMS,
  type DeploymentAlarm,
  NOTIFYING_ALARMS,
  TENANT_ALARMS,
} from '../../core/alarms/alarm-rows';
import { ALL_TOKENS, configuration, tenant, type WrittenDeployment } from '../support/lib/configuration';
import {
  type PlacedResource,
  type Synthesis,
  synthesizeOnce,
  synthesizeDeploymentStack,
} from '../support/lib/synthesis';

const STACK = 'latchkey-staging-global';
const TENANT_STACK = `${STACK}-tenant-a`;

const alarmsOf = (synthesis: Synthesis, stack: string): PlacedResource[] =>
  ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'].flatMap((type) =>
    synthesis.resourcesOf(stack, type),
  );
const nameOf = ({ Properties }: PlacedResource) => Properties.AlarmName as string;

const FULL = { fullMonitoring: true };
const synthesis = synthesizeOnce(configuration(FULL));

/** One alarm of a deployment with a changed configuration. */
function alarm(id: DeploymentAlarm, deployment?: Partial<WrittenDeployment>): Record<string, unknown> {
  const all = alarmsOf(
    deployment === undefined
      ? synthesis
      : synthesizeDeploymentStack(configuration({ ...FULL, ...deployment })),
    STACK,
  );
  return all.find((each) => nameOf(each) === `${STACK}/${id}`)!.Properties;
}

describe('the alarms of a deployment', () => {
  it('have the contract’s names, 21 at most', () => {
    const names = alarmsOf(synthesis, STACK).map(nameOf);

    expect(names.sort()).toEqual(DEPLOYMENT_ALARMS.map((id) => `${STACK}/${id}`).sort());
    expect(names.length).toBeLessThanOrEqual(21);
  });

  it.each<[object, string[]]>([
    [
      {},
      [
        ...['token-life', 'tokens-blocked', 'token-requests', 'sweep-silent', 'tokens'],
        ...['restore-errors', 'restore-outcome-unknown', 'restore-latency', 'throttles', 'restore'],
        ...['restore-availability', 'rotation-overdue', 'api-key-expiring-soon', 'watch-silent'],
      ],
    ],
    [
      { restoreApi: { enabled: false } },
      [
        ...['token-life', 'tokens-blocked', 'token-requests', 'sweep-silent', 'tokens'],
        ...['rotation-overdue', 'api-key-expiring-soon', 'watch-silent'],
      ],
    ],
  ])('without fullMonitoring are those of which somebody is notified: %j', (deployment, ids) => {
    const names = alarmsOf(synthesizeDeploymentStack(configuration(deployment)), STACK).map(nameOf);

    expect(names.sort()).toEqual(ids.map((id) => `${STACK}/${id}`).sort());
  });

  it('synthesize without CDK warnings, such as about different periods in one alarm', () => {
    const messages = synthesis.assembly.stacks.flatMap((stack) => stack.messages);

    const warnings = messages.filter(({ level }) => String(level) === 'warning');
    expect(warnings.map(({ id, entry }) => [id, entry.data])).toEqual([]);
  });

  it('exclude the restore alarms without a restore API', () => {
    const names = alarmsOf(
      synthesizeDeploymentStack(configuration({ ...FULL, restoreApi: { enabled: false } })),
      STACK,
    ).map(nameOf);

    const others = DEPLOYMENT_ALARMS.filter((id) => !id.startsWith('restore'));
    expect(names.sort()).toEqual(others.map((id) => `${STACK}/${id}`).sort());
  });

  it('notify the topic only if they need a person', () => {
    const [topic] = synthesis.resourcesOf(STACK, 'AWS::SNS::Topic');
    const notifying = alarmsOf(synthesis, STACK).filter(({ Properties }) => 'AlarmActions' in Properties);

    expect(notifying.map(nameOf).sort()).toEqual(NOTIFYING_ALARMS.map((id) => `${STACK}/${id}`).sort());
    for (const { Properties } of alarmsOf(synthesis, STACK)) {
      expect(Properties.AlarmActions ?? [{ Ref: topic!.logicalId }]).toEqual([{ Ref: topic!.logicalId }]);
      expect(Properties.OKActions).toEqual(Properties.AlarmActions);
      expect(Properties).not.toHaveProperty('InsufficientDataActions');
    }
  });

  it('never notify for a part of a composite alarm', () => {
    const parts: string[] = Object.values(COMPOSITE_ALARMS).flat();

    expect(NOTIFYING_ALARMS.filter((id) => parts.includes(id))).toEqual([]);
  });

  it.each(Object.entries(COMPOSITE_ALARMS))('%s goes into alarm with any of its parts', (id, parts) => {
    const ids = new Map(
      alarmsOf(synthesis, STACK).map((each) => [each.logicalId, nameOf(each).split('/')[1]]),
    );

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
      alarmsOf(synthesis, STACK).filter(
        ({ Type, Properties }) =>
          Type === 'AWS::CloudWatch::Alarm' && Properties.TreatMissingData === treatment,
      );

    expect(withMissing('breaching').map(nameOf)).toEqual([`${STACK}/sweep-silent`, `${STACK}/watch-silent`]);
    expect(withMissing('ignore').map(nameOf)).toEqual([`${STACK}/restore-availability`]);
    expect(withMissing('notBreaching')).toHaveLength(
      DEPLOYMENT_ALARMS.length - Object.keys(COMPOSITE_ALARMS).length - 3,
    );
  });

  it('need no metric of single API methods, which the stage does not send', () => {
    const [stage] = synthesis.resources('AWS::ApiGateway::Stage');
    const templates = JSON.stringify(synthesis.resources('AWS::CloudWatch::Alarm'));

    expect(stage!.Properties.MethodSettings).toEqual([
      expect.objectContaining({ HttpMethod: '*', MetricsEnabled: false }),
    ]);
    expect(templates).toContain('"ApiName"');
    expect(templates).not.toContain('"Name":"Method"');
  });

  it('have a warm-up if missing data are breaching, no longer than the silence that they report', () => {
    const waiting = alarmsOf(synthesis, STACK).filter(
      ({ Properties }) => 'WarmUpConfiguration' in Properties,
    );

    expect(waiting.map((each) => [nameOf(each), each.Properties.WarmUpConfiguration])).toEqual([
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

  it.each<[DeploymentAlarm, Partial<WrittenDeployment>, object]>([
    ['token-life', { alarms: { tokenLifeMinutes: 10 } }, { Threshold: 600 }],
    ['sweep-silent', { alarms: { missedSweeps: 3 } }, { EvaluationPeriods: 18 }],
    ['dead-letters', { alarms: { deadLetters: 1 } }, { Threshold: 1 }],
    [
      'rotation-due',
      { alarms: { rotationNoticeDays: 30 }, credentials: { maxAgeDays: 60 } },
      { Threshold: 30 },
    ],
    ['rotation-overdue', { credentials: { maxAgeDays: 60 } }, { Threshold: 60 }],
    ['api-key-expiring', { alarms: { apiKeyNoticeDays: 20 } }, { Threshold: 20 }],
    ['api-key-expiring-soon', { alarms: { apiKeyUrgentDays: 3 } }, { Threshold: 3 }],
    ['restore-errors', { alarms: { restoreErrorPercent: 50 } }, { Threshold: 50 }],
    ['restore-outcome-unknown', { alarms: { restoreOutcomesUnknown: 1 } }, { Threshold: 1 }],
    ['restore-latency', { alarms: { restoreLatencySec: 20 } }, { Threshold: 20_000 }],
    ['throttles', { alarms: { throttles: 4 } }, { Threshold: 4 }],
  ])('%s follows %j', (id, deployment, expected) => {
    expect(alarm(id, deployment)).toMatchObject(expected);
  });

  it('restore-errors uses the configured minimum of errors', () => {
    expect(JSON.stringify(alarm('restore-errors', { alarms: { restoreErrorsAtLeast: 2 } }))).toContain(
      'IF(errors >= 2, ',
    );
  });

  it('token-requests grows with the declared tokens', () => {
    const tenants = ['a', 'b'].map((id) => tenant(id, ALL_TOKENS));

    expect(alarm('token-requests', { tenants })).toMatchObject({ Threshold: 40 });
    expect(alarm('token-requests', { tenants, alarms: { tokenRequestsPerTokenAndHour: 9 } })).toMatchObject({
      Threshold: 70,
    });
  });

  it('throttles excludes the token functions, and the restore functions if there are none', () => {
    const functions = (deployment?: Partial<WrittenDeployment>) =>
      JSON.stringify(alarm('throttles', deployment)).match(/[A-Za-z]+Function[0-9A-F]{8}/g);

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
  it('are two, and both notify the deployment’s topic', () => {
    const alarms = alarmsOf(synthesis, TENANT_STACK);

    expect(alarms.map(nameOf)).toEqual(TENANT_ALARMS.map((id) => `${STACK}/tenant-a/${id}`));
    for (const { Properties } of alarms) {
      expect(Properties.AlarmActions).toEqual([
        { Ref: expect.stringMatching(/^SsmParameterValuelatchkeystagingglobalalarmtopicarn/) as string },
      ]);
      expect(Properties.OKActions).toEqual(Properties.AlarmActions);
    }
  });

  it('watch the metrics of this tenant', () => {
    const [refused, attention] = alarmsOf(synthesis, TENANT_STACK).map(({ Properties }) => Properties);
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

    const names = longest.resources('AWS::CloudWatch::Alarm').map(nameOf);
    expect(names).toHaveLength(DEPLOYMENT_ALARMS.length - Object.keys(COMPOSITE_ALARMS).length + 2);
    names.forEach((name) => expect(name.length).toBeLessThanOrEqual(255));
  });
});
