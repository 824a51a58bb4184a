import { type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';

import { addStacks } from '../../lib/stacks/add-stacks';
import { parseConfiguration } from '../../lib/options/load';
import { tenant, written, type WrittenDeployment } from '../support/lib/configuration';
import { temporaryApp } from '../support/lib/synthesis';

interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
}

function resourcesOf(change: Partial<WrittenDeployment>): [id: string, resource: Resource][] {
  const app = temporaryApp();
  addStacks(app, parseConfiguration(written(change), 'test configuration'));
  return app.node.children
    .filter((child): child is Stack => 'templateOptions' in child)
    .flatMap((stack) =>
      Object.entries(
        (Template.fromStack(stack).toJSON() as { Resources: Record<string, Resource> }).Resources,
      ),
    );
}

const whole = resourcesOf({ fullMonitoring: true, dashboard: true });
const tokensOnly = resourcesOf({
  fullMonitoring: true,
  restoreApi: { enabled: false },
  tenants: [{ ...tenant('tenant-1'), apiKey: false }],
});
const policiesIn = (resources: typeof whole) =>
  JSON.stringify(resources.filter(([, { Type }]) => /^AWS::(IAM|Lambda::Permission|KMS)/.test(Type)));
const dependenciesOf = (resources: typeof whole, type: string) =>
  resources
    .filter(([, { Type }]) => Type === type)
    .map(([id, { Properties }]) => `${id} ${JSON.stringify(Properties)}`);

describe('a deployment of tokens only has nothing for what it lacks', () => {
  it.each(['AWS::ApiGateway::', 'AWS::ApiGatewayV2::', 'AWS::WAFv2::'])('no resource of %s', (types) => {
    expect(tokensOnly.filter(([, { Type }]) => Type.startsWith(types))).toEqual([]);
  });

  it('no function that restores or authorizes', () => {
    const functions = dependenciesOf(tokensOnly, 'AWS::Lambda::Function');

    expect(dependenciesOf(whole, 'AWS::Lambda::Function')).toHaveLength(6);
    expect(functions).toHaveLength(4);
    expect(functions.filter((name) => /restore|authorizer/i.test(name.split(' ')[0]!))).toEqual([]);
  });

  it('no permission on an API key, and none to restore', () => {
    expect(policiesIn(whole)).toContain('/api-key');
    expect(policiesIn(tokensOnly)).not.toMatch(/\/api-key|execute-api|Restore[A-Z]\w*Arn/);
  });

  it('no alarm about either', () => {
    const about = /restore|api-key/;
    const alarms = (resources: typeof whole) =>
      resources.flatMap(([, { Properties }]) => (Properties as { AlarmName?: string }).AlarmName ?? []);

    expect(alarms(whole).filter((name) => about.test(name)).length).toBeGreaterThan(5);
    expect(alarms(tokensOnly).filter((name) => about.test(name))).toEqual([]);
  });

  it('no schedule that proves API keys, and no parameter', () => {
    const names = ['AWS::Scheduler::Schedule', 'AWS::SSM::Parameter'].flatMap((type) =>
      dependenciesOf(tokensOnly, type),
    );

    expect(names.filter((name) => /restore|proof|api-key/i.test(name))).toEqual([]);
  });
});
