import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Stack, Stage, Tags } from 'aws-cdk-lib';

import { parseConfiguration } from '../../../lib/config/load';
import { addStacks } from '../../../lib/stacks/add-stacks';
import { Latchkey } from '../../../lib';
import {
  addressesOf,
  ALL_TOKENS,
  configuration,
  tenant,
  type WrittenConfiguration,
  type WrittenDeployment,
  written,
} from '../../support/lib/configuration';
import { EDGES } from '../../support/lib/edge';
import { faultsOf } from '../../support/lib/faults';
import { Synthesis, synthesizeOnce, temporaryApp } from '../../support/lib/synthesis';

const PAGE = readFileSync(join(__dirname, '../../../docs/guardrails.md'), 'utf8');

/** A deployment with every kind of resource. */
const EVERYTHING: Partial<WrittenDeployment> = {
  tenants: [tenant('tenant-a', ALL_TOKENS)],
  alarms: { emails: ['team@example.org'] },
  auditSecrets: true,
  logSubscription: { destinationArn: 'arn:aws:logs:eu-west-1:333344445555:destination:logs' },
  restoreApi: { ...EDGES.domainWithZone, ...EDGES.usagePlan, ...EDGES.ratePerIp },
};

const withOption = (deployment: Partial<WrittenDeployment>): Synthesis =>
  synthesizeOnce(configuration(deployment));

describe('terminationProtection', () => {
  const protectedIn = ({ assembly }: Synthesis) =>
    assembly.stacks
      .filter(({ terminationProtection }) => terminationProtection)
      .map(({ stackName }) => stackName)
      .sort();
  const all = ['latchkey-api-gateway', 'latchkey-staging-global', 'latchkey-staging-global-tenant-a'];

  it('protects every stack of the deployment', () => {
    expect(protectedIn(withOption({ terminationProtection: true }))).toEqual(all);
  });

  it('protects them in a stage of a pipeline as well', () => {
    const stage = new Stage(temporaryApp(), 'Production');
    addStacks(stage, configuration({ terminationProtection: true }));

    expect(protectedIn(new Synthesis(stage.synth()))).toEqual(all);
  });

  it('protects the stack that deployments share if one of them is protected, and no other deployment', () => {
    const [first] = written().deployments;
    const second = { ...first!, platformRegion: 'mea' as const, terminationProtection: true };
    const both = parseConfiguration({ ...written(), deployments: [first, second] }, 'test configuration');

    expect(protectedIn(synthesizeOnce(both))).toEqual([
      'latchkey-api-gateway',
      'latchkey-staging-mea',
      'latchkey-staging-mea-tenant-a',
    ]);
  });

  it('is off by default', () => {
    expect(protectedIn(withOption({ tenants: [tenant('tenant-a')] }))).toEqual([]);
  });
});

describe('requiredTags', () => {
  const tagged = (requiredTags: WrittenConfiguration['requiredTags'], tags?: Record<string, string>) => ({
    ...written({ ...EVERYTHING, tags }),
    requiredTags,
  });

  describe('that the deployment has', () => {
    const tags = { team: 'learning', 'cost-center': '42' };
    const list = ['team', { key: 'cost-center', values: ['41', '42'] }];
    const synthesis = synthesizeOnce(parseConfiguration(tagged(list, tags), 'test configuration'));
    const tagsOf = ({ Tags: given = {} }: Record<string, unknown>) =>
      Array.isArray(given)
        ? Object.fromEntries(
            (given as { Key: string; Value: string }[]).map(({ Key, Value }) => [Key, Value]),
          )
        : given;

    it('are on every resource but those that the page lists, which CloudFormation cannot tag', () => {
      const untagged = synthesis
        .resources()
        .filter(({ Properties }) =>
          Object.entries(tags).some(([key, value]) => !hasTag(Properties, key, value)),
        )
        .map(({ Type }) => Type);
      const [, list = ''] = /CloudFormation cannot tag these:\n\n((?:- .*\n)+)/.exec(PAGE) ?? [];

      expect([...new Set(untagged)].sort()).toEqual(
        [...list.matchAll(/`(AWS::\S+)`/g)].map(([, type]) => type),
      );
    });

    it('are in the request for each stack', () => {
      expect(synthesis.assembly.stacks.map((stack) => stack.tags)).toEqual([tags, tags, tags]);
    });

    function hasTag(properties: Record<string, unknown>, key: string, value: string): boolean {
      return (tagsOf(properties) as Record<string, string>)[key] === value;
    }
  });

  it.each([
    ['nothing', undefined, 'nothing; allowed: "41", "42"'],
    ['another value', { 'cost-center': '7' }, '"7"; allowed: "41", "42"'],
  ])('refuse a deployment with %s', (_, tags, found) => {
    expect(faultsOf(tagged([{ key: 'cost-center', values: ['41', '42'] }], tags))).toEqual([
      `deployments[0].tags.cost-center: found ${found}, by requiredTags`,
    ]);
  });

  it('name each deployment that lacks one', () => {
    const [first] = written().deployments;
    const deployments = [first!, { ...first!, platformRegion: 'mea' as const, tags: { team: 'learning' } }];

    expect(faultsOf({ ...written(), deployments, requiredTags: ['team'] })).toEqual([
      'deployments[0].tags.team: found nothing; allowed: any value, by requiredTags',
    ]);
  });

  it.each([
    [['aws:team'], /^requiredTags\[0\]: found "aws:team"; allowed: a key of 1–128 /],
    [['team', { key: 'team' }], /^requiredTags: found a list; allowed: each key once$/],
    [
      [{ key: 'team', values: [] }],
      /^requiredTags\[0\]\.values: found a list; allowed: a list of at least one value$/,
    ],
    [
      [{ key: 'team', value: 'x' }],
      /^requiredTags\[0\]\.value: found a field of this name; allowed: values, or else key$/,
    ],
  ])('refuse %j', (list, fault) => {
    expect(faultsOf(tagged(list as never, { team: 'x' }))).toEqual([expect.stringMatching(fault)]);
  });

  describe('of a construct', () => {
    const deployed = (tags: Record<string, string>) => {
      const app = temporaryApp();
      new Latchkey(new Stack(app, 'learning'), 'Latchkey', {
        environment: 'staging',
        endpoints: addressesOf('staging-global'),
        requiredTags: [{ key: 'team', values: ['learning'] }],
      });
      for (const [key, value] of Object.entries(tags)) Tags.of(app).add(key, value);
      return app;
    };

    it('accept tags that the app adds later', () => {
      expect(new Synthesis(deployed({ team: 'learning' })).stackNames()).toEqual(['learning']);
    });

    it('refuse a synthesis without them', () => {
      expect(() => deployed({ team: 'other' }).synth()).toThrow(
        /tag "team": found "other" on \d+ resources, the first at learning\/Latchkey\/Key\/Resource; allowed: "learning", by requiredTags/,
      );
    });
  });
});
