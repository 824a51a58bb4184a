import { DEPLOYMENT_ALARMS } from '../../core/alarms/alarm-rows';
import { configuration, tenant, type WrittenDeployment } from '../support/lib/configuration';
import { type Synthesis, synthesisWith, synthesizeDeploymentStack } from '../support/lib/synthesis';

interface Widget {
  type: 'alarm' | 'log' | 'metric' | 'text';
  y: number;
  height: number;
  properties: {
    title?: string;
    query?: string;
    markdown?: string;
    alarms?: string[];
    metrics?: unknown[][];
    annotations?: { horizontal: { value: number }[] };
  };
}

/** The dashboard as CloudWatch receives it, with references replaced by logical ids and pseudo parameters. */
function dashboardIn(synthesis: Synthesis): { name: string; text: string; widgets: Widget[] } {
  const { DashboardName, DashboardBody } = synthesis.only('AWS::CloudWatch::Dashboard').Properties as {
    DashboardName: string;
    DashboardBody: { 'Fn::Join': ['', (string | { Ref: string } | { 'Fn::GetAtt': [string, string] })[]] };
  };
  const text = DashboardBody['Fn::Join'][1]
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'Ref' in part ? part.Ref : part['Fn::GetAtt'][0];
    })
    .join('');
  return { name: DashboardName, text, widgets: (JSON.parse(text) as { widgets: Widget[] }).widgets };
}
const dashboardOf = (deployment: Partial<WrittenDeployment>) =>
  dashboardIn(
    synthesizeDeploymentStack(configuration({ dashboard: true, fullMonitoring: true, ...deployment })),
  );
const tenants = (count: number) => Array.from({ length: count }, (_, n) => tenant(`eu-west-2_Tenant${n}`));
const titles = (widgets: Widget[]) =>
  widgets.map(({ properties }) => properties.markdown ?? properties.title);

const one = dashboardIn(synthesisWith({ dashboard: true, fullMonitoring: true, tenants: tenants(1) }));
const hundred = dashboardOf({ tenants: tenants(100) });

describe('the dashboard of a deployment', () => {
  it('has at most 50 metrics, beyond which AWS’s free tier does not include it', () => {
    const metrics = hundred.widgets.flatMap(({ properties }) => properties.metrics ?? []);

    expect(metrics.length).toBeGreaterThan(10);
    expect(metrics.length).toBeLessThanOrEqual(50);
  });

  it('is named after the deployment and its AWS region, because dashboards of an account share their names', () => {
    const elsewhere = dashboardOf({ tenants: tenants(1), region: 'eu-central-1' });

    expect(one.name).toBe('latchkey-staging-global-eu-west-1');
    expect(elsewhere.name).toBe('latchkey-staging-global-eu-central-1');
  });

  it('shows every alarm of the deployment at the top, then tokens, credentials and restores', () => {
    expect(one.widgets[0]).toMatchObject({ type: 'alarm', y: 0 });
    expect(one.widgets[0]!.properties.alarms).toHaveLength(DEPLOYMENT_ALARMS.length);
    expect(titles(one.widgets)).toEqual([
      'Deployment alarms',
      'Rejected credentials: 10 tenants at most',
      'Credentials that need attention: 10 tenants at most',
      '## Tenant alarms: `latchkey status --environment staging --platform-region global` lists them all',
      '## Tokens',
      'Time until the first token expires',
      'Renewals by outcome',
      'Token requests to the platform',
      'Faults during renewals',
      'Refused token writes',
      'Sweep duration',
      'Dead letters',
      '## Credentials',
      'Age of the oldest credential',
      'Days until the first API key expires',
      'Rotations by outcome',
      'Rotation findings',
      'Runs of credential-watch',
      '## Restore',
      'Restores by outcome',
      'Restore latency',
      'API responses',
      'Throttled function runs',
      'Offer of restore contradicts the configuration',
    ]);
  });

  it('without fullMonitoring has the same graphs, of values in the log where CloudWatch has no metric', () => {
    const { widgets } = dashboardOf({ fullMonitoring: false, tenants: tenants(1) });

    expect(titles(widgets)).toEqual(titles(one.widgets));
    const logged = widgets.filter(({ type }) => type === 'log').map(({ properties }) => properties);
    expect(logged.map(({ title }) => title)).toEqual([
      'Time until the first token expires',
      'Renewals by outcome',
      'Token requests to the platform',
      'Restores by outcome',
    ]);
    expect(logged[0]!.query).toMatch(/^SOURCE '\w+' \| SOURCE '\w+' \| filter ispresent\(TokenLifeLeft\)/);
    const alarmed = widgets.flatMap(({ properties }) => properties.metrics ?? []).map(([, name]) => name);
    for (const name of ['TokenRenewed', 'TokenRequest', 'TokenLifeLeft', 'Restored']) {
      expect(alarmed).not.toContain(name);
    }
  });

  it('shows when the platform’s offer of restore contradicted the configuration', () => {
    const { properties } = one.widgets.at(-1)!;

    expect(properties.metrics).toEqual([
      [
        ...['Latchkey', 'RestoreAvailabilityMismatch', 'environment', 'staging', 'platformRegion', 'global'],
        { label: '1: it does', period: 3600, stat: 'Maximum' },
      ],
    ]);
  });

  it('is the same with a hundred tenants, so that a template never outgrows CloudFormation’s limit', () => {
    expect(hundred.widgets).toEqual(one.widgets);
  });

  it('searches the metrics of the tenant alarms by the deployment’s dimensions', () => {
    const expressions = one.widgets
      .slice(1, 3)
      .map(({ properties }) => (properties.metrics as [{ expression: string }][])[0]![0].expression);
    const schema = '{Latchkey,environment,platformRegion,tenantId}';
    const values = 'environment="staging" platformRegion="global"';

    expect(expressions).toEqual([
      `SORT(SEARCH('${schema} MetricName="CredentialRefused" ${values}', 'Sum', 600), MAX, DESC, 10)`,
      `SORT(SEARCH('${schema} MetricName="CredentialAttention" ${values}', 'Minimum', 22200), MAX, DESC, 10)`,
    ]);
  });

  it('has no tenant or restore widgets without tenants and a restore API', () => {
    const { text } = dashboardOf({ tenants: [], restoreApi: { enabled: false } });

    expect(text).not.toMatch(/restore|10 tenants at most/i);
  });

  it('draws the configured thresholds', () => {
    const { widgets } = dashboardOf({ alarms: { tokenLifeMinutes: 3 }, credentials: { maxAgeDays: 60 } });
    const limitOf = (title: string) =>
      widgets.find(({ properties }) => properties.title === title)!.properties.annotations!.horizontal[0]!
        .value;

    expect(limitOf('Time until the first token expires')).toBe(180);
    expect(limitOf('Age of the oldest credential')).toBe(60);
  });
});
