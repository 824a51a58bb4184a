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
  type Change = (resources: Record<string, Resource>, id: string) => unknown;
  const removed: Change = (resources, id) => delete resources[id];
  const moved: Change = (resources, id) => {
    resources.Moved = resources[id]!;
    delete resources[id];
  };
  const GONE = 'would be removed: there is no such logical id';
  const TAKEN = 'would not update: Moved has its name now, which is taken';

  /** The losses of an update to the release itself with a change of its first resource of a type. */
  function lossesWith(stack: string, type: string, change: Change): { id: string; losses: string[] } {
    const changed = structuredClone(release);
    const resources = changed[stack]!.Resources;
    const id = Object.keys(resources).find((each) => resources[each]!.Type === type)!;
    change(resources, id);
    return { id, losses: lostResources(release, changed) };
  }

  it.each<[string, string, string, Change]>([
    [TENANT, 'AWS::SecretsManager::Secret', GONE, removed],
    [DEPLOYMENT, 'AWS::KMS::Key', GONE, removed],
    [
      TENANT,
      'AWS::SecretsManager::Secret',
      'would be replaced: Name "latchkey/staging/global/eu-west-2_StagingOne/client-credentials" became "other"',
      (resources, id) => (resources[id]!.Properties.Name = 'other'),
    ],
    [
      DEPLOYMENT,
      'AWS::SQS::Queue',
      'would be replaced: its type is AWS::SNS::Topic',
      (resources, id) => (resources[id]!.Type = 'AWS::SNS::Topic'),
    ],
    [DEPLOYMENT, 'AWS::SSM::Parameter', TAKEN, moved],
    [DEPLOYMENT, 'AWS::CloudWatch::Alarm', TAKEN, moved],
    [
      DEPLOYMENT,
      'AWS::KMS::Key',
      'would no longer outlive its stack: DeletionPolicy became Delete',
      (resources, id) => (resources[id]!.DeletionPolicy = 'Delete'),
    ],
    [
      DEPLOYMENT,
      'AWS::IAM::Role',
      'would still be deleted with its stack: only policies change',
      (resources, id) => (resources[id]!.DeletionPolicy = 'Retain'),
    ],
  ])('in %s is named: %s %s', (stack, type, loss, change) => {
    const { id, losses } = lossesWith(stack, type, change);

    expect(losses).toEqual([`${stack}: ${id} (${type}) ${loss}`]);
  });

  it('is named if a stack has another name', () => {
    const { [TENANT]: tenant, ...others } = release;

    expect(lostResources(release, { ...others, other: tenant! })).toEqual([
      `${TENANT}: the stack is no longer synthesized under this name`,
    ]);
  });

  it.each<[string, string, Change]>([
    ['nothing changes', 'AWS::IAM::Policy', () => undefined],
    ['a resource without state goes', 'AWS::IAM::Policy', removed],
    [
      'a resource is retained from now on, and changes',
      'AWS::IAM::Role',
      (resources, id) => {
        resources[id]!.DeletionPolicy = 'Retain';
        resources[id]!.Properties.MaxSessionDuration = 3600;
      },
    ],
  ])('is none if %s', (_, type, change) => {
    expect(lossesWith(DEPLOYMENT, type, change).losses).toEqual([]);
  });
});
