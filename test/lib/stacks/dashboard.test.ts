import { configuration, tenant, type WrittenDeployment } from '../../support/lib/configuration';
import { type Synthesis, synthesizeOnce, synthesizeDeploymentStack } from '../../support/lib/synthesis';

const STACK = 'latchkey-staging-global';

interface Widget {
  type: 'alarm' | 'metric' | 'text';
  y: number;
  height: number;
  properties: {
    title?: string;
    markdown?: string;
    alarms?: string[];
    states?: string[];
    metrics?: unknown[][];
    annotations?: { horizontal: { value: number }[] };
  };
}

/** The dashboard as CloudWatch gets it, with logical ids and pseudo parameters in the place of references. */
function dashboardIn(synthesis: Synthesis): { name: string; text: string; widgets: Widget[] } {
  const [dashboard, ...others] = synthesis.resources('AWS::CloudWatch::Dashboard');
  expect(others).toEqual([]);
  const { DashboardName, DashboardBody } = dashboard!.Properties as {
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
  dashboardIn(synthesizeDeploymentStack(configuration(deployment)));
const tenants = (count: number) => Array.from({ length: count }, (_, n) => tenant(`eu-west-2_Tenant${n}`));
const lengthOf = (widgets: Widget[]) => Math.max(...widgets.map(({ y, height }) => y + height));
const ofTenants = (widgets: Widget[]) => widgets.filter(({ properties }) => properties.states !== undefined);
const titles = (widgets: Widget[]) =>
  widgets.map(({ properties }) => properties.markdown ?? properties.title);

const one = dashboardIn(synthesizeOnce(configuration({ tenants: tenants(1) })));
const hundred = dashboardOf({ tenants: tenants(100) });

describe('the dashboard of a deployment', () => {
  it('is found by the deployment’s name', () => {
    expect(one.name).toBe('latchkey-staging-global');
  });

  it('has every alarm of the deployment on top', () => {
    const [first] = one.widgets;

    expect(first).toMatchObject({ type: 'alarm', y: 0 });
    expect(first!.properties.alarms).toHaveLength(20);
  });

  it('goes on with tokens, credentials and restores', () => {
    expect(titles(one.widgets)).toEqual([
      'Alarms of the deployment',
      'Tenants’ alarms that ring',
      '## Tokens',
      'Life left of the token that ends first',
      'Renewals by outcome',
      'Requests to the platform’s token endpoints',
      'What renewals met',
      'Writes of tokens that were refused',
      'Duration of sweeps',
      '## Credentials',
      'Age of the oldest credential',
      'Days until the first API key ends',
      'Rotations by outcome',
      'Findings about rotations',
      'Looks at the credentials',
      '## Restore',
      'Restores by outcome',
      'Latency of restores',
      'Answers of the API',
      'Runs without concurrency',
    ]);
  });

  it('is as readable for a hundred tenants: two short widgets name those that ring', () => {
    const widgets = ofTenants(hundred.widgets);

    expect(widgets.map(({ properties }) => properties.states)).toEqual([['ALARM'], ['ALARM']]);
    expect(widgets.map(({ properties }) => properties.alarms!.length)).toEqual([100, 100]);
    expect(lengthOf(hundred.widgets) - lengthOf(one.widgets)).toBe(2);
    const metrics = (widgetsOf: Widget[]) => widgetsOf.filter(({ type }) => type === 'metric');
    expect(metrics(hundred.widgets).map(({ properties }) => properties)).toEqual(
      metrics(one.widgets).map(({ properties }) => properties),
    );
  });

  it('names the alarms of tenants as their stacks do', () => {
    const [widget] = ofTenants(one.widgets);

    expect(widget!.properties.alarms).toEqual(
      ['credential-refused', 'credential-attention'].map(
        (id) => `arn:AWS::Partition:cloudwatch:eu-west-1:222233334444:alarm:${STACK}/eu-west-2_Tenant0/${id}`,
      ),
    );
  });

  it('has no place for tenants where there are none, nor for a restore API that there is not', () => {
    const { widgets, text } = dashboardOf({ tenants: [], restoreApi: { enabled: false } });

    expect(ofTenants(widgets)).toEqual([]);
    expect(text).not.toMatch(/restore/i);
  });

  it('draws the thresholds that configuration has', () => {
    const { widgets } = dashboardOf({ alarms: { tokenLifeMinutes: 3 }, credentials: { maxAgeDays: 60 } });
    const limitOf = (title: string) =>
      widgets.find(({ properties }) => properties.title === title)!.properties.annotations!.horizontal[0]!
        .value;

    expect(limitOf('Life left of the token that ends first')).toBe(180);
    expect(limitOf('Age of the oldest credential')).toBe(60);
  });
});
