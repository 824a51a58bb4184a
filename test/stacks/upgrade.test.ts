import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { loadConfiguration } from '../../lib/options/load';
import { lostResources } from '../support/lib/lost-resources';
import { type Resource, synthesizeOnce, type Template } from '../support/lib/synthesis';

type Stacks = Record<string, Template>;
type Release = Record<'example' | 'local', Stacks>;

const ROOT = join(__dirname, '../..');
const SAVED = JSON.parse(
  gunzipSync(readFileSync(join(ROOT, 'test/upgrade/templates.json.gz'))).toString(),
) as Release;

function today(configuration: string): Stacks {
  const { assembly } = synthesizeOnce(loadConfiguration(join(ROOT, 'config', configuration)));
  return Object.fromEntries(
    assembly.stacks.map(({ stackName, template }) => [stackName, template as Template]),
  );
}

describe('an upgrade from the saved release', () => {
  it.each(['example', 'local'] as const)(
    'of config/%s.json keeps every stateful resource',
    (configuration) => {
      expect(lostResources(SAVED[configuration], today(`${configuration}.json`))).toEqual([]);
    },
  );
});

describe('an upgrade that loses something', () => {
  const release = SAVED.local;
  const DEPLOYMENT = 'latchkey-staging-global';
  const TENANT = 'latchkey-staging-global-eu-west-2-StagingOne-69620b7e';

  /** The losses of an update to the release itself with one change. */
  function lossesWith(stack: string, change: (resources: Record<string, Resource>) => void): string[] {
    const changed = structuredClone(release);
    change(changed[stack]!.Resources);
    return lostResources(release, changed);
  }
  const renamed = (from: string, to: string) => (resources: Record<string, Resource>) => {
    resources[to] = resources[from]!;
    delete resources[from];
  };
  const idOf = (stack: string, type: string): string =>
    Object.entries(release[stack]!.Resources).find(([, { Type }]) => Type === type)![0];

  it('is none without a change', () => {
    expect(lostResources(release, release)).toEqual([]);
  });

  it.each([
    [TENANT, 'AWS::SecretsManager::Secret'],
    [TENANT, 'AWS::SecretsManager::RotationSchedule'],
    [DEPLOYMENT, 'AWS::KMS::Key'],
    [DEPLOYMENT, 'AWS::Logs::LogGroup'],
    [DEPLOYMENT, 'AWS::SQS::Queue'],
    [DEPLOYMENT, 'AWS::SNS::Topic'],
    [DEPLOYMENT, 'AWS::ApiGateway::RestApi'],
    [DEPLOYMENT, 'AWS::Lambda::Function'],
  ])('from %s is named by stack, logical id and type: %s', (stack, type) => {
    const id = idOf(stack, type);
    expect(lossesWith(stack, (resources) => delete resources[id])).toEqual([
      `${stack}: ${id} (${type}) would be removed: there is no such logical id`,
    ]);
  });

  it('is named with the property that replaces it', () => {
    const id = idOf(TENANT, 'AWS::SecretsManager::Secret');
    const { Name } = release[TENANT]!.Resources[id]!.Properties;

    expect(lossesWith(TENANT, (resources) => (resources[id]!.Properties.Name = 'other'))).toEqual([
      `${TENANT}: ${id} (AWS::SecretsManager::Secret) would be replaced: Name ${JSON.stringify(Name)} became "other"`,
    ]);
  });

  it('is named with its new type', () => {
    const id = idOf(DEPLOYMENT, 'AWS::SQS::Queue');

    expect(lossesWith(DEPLOYMENT, (resources) => (resources[id]!.Type = 'AWS::SNS::Topic'))).toEqual([
      `${DEPLOYMENT}: ${id} (AWS::SQS::Queue) would be replaced: its type is AWS::SNS::Topic`,
    ]);
  });

  it.each(['AWS::SSM::Parameter', 'AWS::Scheduler::Schedule', 'AWS::CloudWatch::Alarm'])(
    'is named if the name of a %s moves to another logical id',
    (type) => {
      const id = idOf(DEPLOYMENT, type);

      expect(lossesWith(DEPLOYMENT, renamed(id, 'Moved'))).toEqual([
        `${DEPLOYMENT}: ${id} (${type}) would not update: Moved has its name now, which is taken`,
      ]);
    },
  );

  it('is named if a retained resource would be deleted with its stack', () => {
    const id = idOf(DEPLOYMENT, 'AWS::KMS::Key');

    expect(lossesWith(DEPLOYMENT, (resources) => (resources[id]!.DeletionPolicy = 'Delete'))).toEqual([
      `${DEPLOYMENT}: ${id} (AWS::KMS::Key) would no longer outlive its stack: DeletionPolicy became Delete`,
    ]);
  });

  it('is named if a resource would be retained from now on, but nothing else in its stack changes', () => {
    const stack = DEPLOYMENT;
    const id = idOf(stack, 'AWS::IAM::Role');
    const retaining = (resources: Record<string, Resource>) => (resources[id]!.DeletionPolicy = 'Retain');

    expect(lossesWith(stack, retaining)).toEqual([
      `${stack}: ${id} (AWS::IAM::Role) would still be deleted with its stack: only policies change`,
    ]);
    expect(
      lossesWith(stack, (resources) => {
        retaining(resources);
        resources[id]!.Properties.MaxSessionDuration = 3600;
      }),
    ).toEqual([]);
  });

  it('is named if a stack has another name', () => {
    const changed = structuredClone(release);
    delete changed[TENANT];

    expect(lostResources(release, changed)).toEqual([
      `${TENANT}: the stack is no longer synthesized under this name`,
    ]);
  });

  it('is none if a resource without state goes', () => {
    const id = idOf(DEPLOYMENT, 'AWS::IAM::Policy');
    expect(lossesWith(DEPLOYMENT, (resources) => delete resources[id])).toEqual([]);
  });
});
