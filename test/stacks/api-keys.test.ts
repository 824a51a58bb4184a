import { type Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';

import { addStacks } from '../../lib/stacks/add-stacks';
import { loadConfiguration, parseConfiguration } from '../../lib/options/load';
import { tenant, written } from '../support/lib/configuration';
import { temporaryApp } from '../support/lib/synthesis';

/** The templates of a configuration's stacks, by name. */
function templatesOf(value: Parameters<typeof addStacks>[1]): Map<string, Template> {
  const app = temporaryApp();
  addStacks(app, value);
  const stacks = app.node.children.filter((child): child is Stack => 'templateOptions' in child);
  return new Map(stacks.map((stack) => [stack.stackName, Template.fromStack(stack)]));
}

const namesOf = (template: Template) =>
  Object.values(template.findResources('AWS::SecretsManager::Secret')).map(
    ({ Properties }) => (Properties as { Name: string }).Name,
  );

it('are secrets of each environment, region and tenant of the example', () => {
  const configuration = loadConfiguration('config/example.json');
  const names = [...templatesOf(configuration).values()].flatMap(namesOf);

  const expected = configuration.deployments.flatMap(({ environment, platformRegion, tenants }) =>
    tenants.map(({ tenantId }) => `latchkey/${environment}/${platformRegion}/${tenantId}/api-key`),
  );
  expect(expected.length).toBeGreaterThan(0);
  expect(names.filter((name) => name.endsWith('/api-key')).sort()).toEqual(expected.sort());
});

describe('with apiKey false', () => {
  const without = { ...tenant('without'), apiKey: false };
  const value = parseConfiguration(written({ tenants: [tenant('with'), without] }), 'test configuration');
  const templates = templatesOf(value);

  it('one tenant has none, and the other keeps its own', () => {
    const [withKey, withoutKey] = ['with', 'without'].map((id) =>
      templates.get(`latchkey-staging-global-${id}`)!,
    );

    expect(namesOf(withoutKey!)).not.toContain('latchkey/staging/global/without/api-key');
    expect(namesOf(withKey!)).toContain('latchkey/staging/global/with/api-key');
    withoutKey!.resourceCountIs('AWS::SecretsManager::RotationSchedule', 1);
  });

  it('no key is lost: the secret stays when it leaves the template', () => {
    templates.get('latchkey-staging-global-with')!.hasResource('AWS::SecretsManager::Secret', {
      Properties: Match.objectLike({ Name: 'latchkey/staging/global/with/api-key' }),
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
  });
});
