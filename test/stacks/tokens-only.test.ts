import { tenant } from '../support/lib/configuration';
import { type Synthesis, synthesisWith } from '../support/lib/synthesis';

const withoutKey = (tenantId: string) => ({ ...tenant(tenantId), apiKey: false });
const whole = synthesisWith({ fullMonitoring: true, dashboard: true });
const tokensOnly = synthesisWith({
  fullMonitoring: true,
  restoreApi: { enabled: false },
  tenants: [withoutKey('tenant-1')],
});
const textsOf = (synthesis: Synthesis, ...types: string[]) =>
  types
    .flatMap((type) => synthesis.resources(type))
    .map(({ logicalId, Properties }) => `${logicalId} ${JSON.stringify(Properties)}`);

describe('a deployment of tokens only has nothing for what it lacks', () => {
  it('no API, and no firewall of one', () => {
    const types = tokensOnly.resources().map(({ Type }) => Type);

    expect(types.filter((type) => /^AWS::(ApiGateway|ApiGatewayV2|WAFv2)::/.test(type))).toEqual([]);
  });

  it('no function that restores or authorizes', () => {
    const functions = textsOf(tokensOnly, 'AWS::Lambda::Function');

    expect(whole.resources('AWS::Lambda::Function')).toHaveLength(6);
    expect(functions).toHaveLength(4);
    expect(functions.filter((text) => /restore|authorizer/i.test(text.split(' ')[0]!))).toEqual([]);
  });

  it('no permission on an API key, and none to restore', () => {
    const types = ['IAM::Policy', 'IAM::ManagedPolicy', 'IAM::Role', 'Lambda::Permission', 'KMS::Key'];
    const policiesIn = (synthesis: Synthesis) =>
      textsOf(synthesis, ...types.map((type) => `AWS::${type}`)).join();

    expect(policiesIn(whole)).toContain('/api-key');
    expect(policiesIn(tokensOnly)).not.toMatch(/\/api-key|execute-api|Restore[A-Z]\w*Arn/);
  });

  it('no alarm about either', () => {
    const alarms = (synthesis: Synthesis) =>
      ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm']
        .flatMap((type) => synthesis.properties(type))
        .map(({ AlarmName }) => String(AlarmName))
        .filter((name) => /restore|api-key/.test(name));

    expect(alarms(whole).length).toBeGreaterThan(5);
    expect(alarms(tokensOnly)).toEqual([]);
  });

  it('no schedule that proves API keys, and no parameter', () => {
    const texts = textsOf(tokensOnly, 'AWS::Scheduler::Schedule', 'AWS::SSM::Parameter');

    expect(texts.filter((text) => /restore|authorizer|proof|api-key/i.test(text))).toEqual([]);
  });
});

it('a tenant with apiKey false has none, and the other keeps its own', () => {
  const synthesis = synthesisWith({ tenants: [tenant('with'), withoutKey('without')] });
  const keysOf = (tenantId: string) =>
    synthesis
      .resourcesOf(`latchkey-staging-global-${tenantId}`, 'AWS::SecretsManager::Secret')
      .filter(({ Properties }) => Properties.Name === `latchkey/staging/global/${tenantId}/api-key`);
  const schedules = synthesis.resourcesOf(
    'latchkey-staging-global-without',
    'AWS::SecretsManager::RotationSchedule',
  );

  expect(['with', 'without'].map((tenantId) => keysOf(tenantId).length)).toEqual([1, 0]);
  expect(schedules).toHaveLength(1);
});
