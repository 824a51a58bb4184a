import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  type App,
  CustomResourceProvider,
  CustomResourceProviderRuntime,
  type Stack,
  Stage,
  Tags,
} from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';

import { parseConfiguration } from '../../lib/options/load';
import { addStacks } from '../../lib/stacks/add-stacks';
import {
  ACCOUNT_ID,
  ALL_TOKENS,
  configuration,
  tenant,
  type WrittenDeployment,
  written,
} from '../support/lib/configuration';
import { EDGES } from '../support/lib/edge';
import { faultsOf } from '../support/lib/faults';
import { latchkeyIn, learningStack } from '../support/lib/learning';
import {
  Synthesis,
  synthesisWith,
  synthesizeOnce,
  temporaryApp,
  temporaryFolder,
} from '../support/lib/synthesis';

const PAGE = readFileSync(join(__dirname, '../../docs/guardrails.md'), 'utf8');

/** A deployment with every kind of resource. */
const EVERYTHING: Partial<WrittenDeployment> = {
  tenants: [tenant('tenant-a', ALL_TOKENS)],
  alarms: { emails: ['team@example.org'] },
  auditSecrets: true,
  restoreApi: { ...EDGES.domainWithZone, ...EDGES.usagePlan, ...EDGES.ratePerIp },
};

describe('terminationProtection', () => {
  const protectedIn = ({ assembly }: Synthesis) =>
    assembly.stacks
      .filter(({ terminationProtection }) => terminationProtection)
      .map(({ stackName }) => stackName)
      .sort();

  it.each([
    ['an app', (app: App) => app],
    ['a stage of a pipeline', (app: App) => new Stage(app, 'Production')],
  ])('protects every stack of the deployment in %s', (_, stageIn) => {
    const stage = stageIn(temporaryApp());
    addStacks(stage, configuration({ terminationProtection: true }));

    expect(protectedIn(new Synthesis(stage.synth()))).toEqual([
      'latchkey-api-gateway',
      'latchkey-staging-global',
      'latchkey-staging-global-tenant-a',
    ]);
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
});

describe('requiredTags', () => {
  const TAGS = { team: 'learning', 'cost-center': '42' };
  const LIST = ['team', { key: 'cost-center', values: ['41', '42'] }];

  describe('that the deployment has', () => {
    const { deployments, ...rest } = written({ ...EVERYTHING, tags: TAGS });
    const app = temporaryApp();
    // As in cdk.json: tags of what is in a stack are not those of the stack.
    app.node.setContext('@aws-cdk/core:explicitStackTags', true);
    addStacks(app, parseConfiguration({ ...rest, deployments, requiredTags: LIST }, 'test'));
    const synthesis = new Synthesis(app);
    const hasTag = ({ Tags: given = {} }: Record<string, unknown>, key: string, value: string) =>
      Array.isArray(given)
        ? (given as { Key: string; Value: string }[]).some((tag) => tag.Key === key && tag.Value === value)
        : (given as Record<string, string>)[key] === value;

    it('are on every resource but those that the page lists, which CloudFormation cannot tag', () => {
      const untagged = synthesis
        .resources()
        .filter(({ Properties }) =>
          Object.entries(TAGS).some(([key, value]) => !hasTag(Properties, key, value)),
        );
      const [, list = ''] = /CloudFormation cannot tag these:\n\n((?:- .*\n)+)/.exec(PAGE) ?? [];

      expect([...new Set(untagged.map(({ Type }) => Type))].sort()).toEqual(
        [...list.matchAll(/`(AWS::\S+)`/g)].map(([, type]) => type),
      );
    });

    it('are in the request for each stack', () => {
      expect(synthesis.assembly.stacks.map(({ tags }) => tags)).toEqual([TAGS, TAGS, TAGS]);
    });
  });

  it.each([
    [{ ...TAGS, 'cost-center': '7' }, 'cost-center: found "7"; allowed: "41", "42"'],
    [{ team: 'learning' }, 'cost-center: found nothing; allowed: "41", "42"'],
    [{ 'cost-center': '41' }, 'team: found nothing; allowed: any value'],
  ])('refuse the deployment with the tags %j, and no other', (tags, fault) => {
    const [first] = written({ tags }).deployments;
    const deployments = [first!, { ...first!, platformRegion: 'mea' as const, tags: TAGS }];

    expect(faultsOf({ ...written(), deployments, requiredTags: LIST })).toEqual([
      `deployments[0].tags.${fault}, by requiredTags`,
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
  ])('refuse %j', (requiredTags, fault) => {
    expect(faultsOf({ ...written({ tags: TAGS }), requiredTags })).toEqual([expect.stringMatching(fault)]);
  });

  it('of a construct refuse a synthesis without them, but accept tags that the app adds later', () => {
    const deployed = (team: string) => {
      const app = temporaryApp();
      latchkeyIn(learningStack(app), { requiredTags: [{ key: 'team', values: ['learning'] }] });
      Tags.of(app).add('team', team);
      return app;
    };

    expect(new Synthesis(deployed('learning')).stackNames()).toEqual(['learning']);
    expect(() => deployed('other').synth()).toThrow(
      /tag "team": found "other" on \d+ resources, the first at learning\/Latchkey\/Key\/Resource; allowed: "learning", by requiredTags/,
    );
  });
});

const iamOf = (synthesis: Synthesis) =>
  synthesis.resources().filter(({ Type }) => Type.startsWith('AWS::IAM::') && Type !== 'AWS::IAM::Policy');

describe('roles.path and roles.namePrefix', () => {
  const namesOf = (synthesis: Synthesis) =>
    iamOf(synthesis).map(({ Properties }) => String(Properties.RoleName ?? Properties.ManagedPolicyName));
  const roles = { path: '/team/latchkey/', namePrefix: 'corp-' };

  it('apply to every role and managed policy of every stack', () => {
    const synthesis = synthesisWith({ ...EVERYTHING, roles });

    expect(
      iamOf(synthesis)
        .map(({ Type }) => Type)
        .sort(),
    ).toEqual(['AWS::IAM::ManagedPolicy', ...Array<string>(11).fill('AWS::IAM::Role')]);
    for (const { Properties } of iamOf(synthesis)) expect(Properties.Path).toBe('/team/latchkey/');
    expect(
      namesOf(synthesis)
        .map((name) => name.replace(/-[0-9a-f]{8}$/, ''))
        .sort(),
    ).toEqual([
      'corp-latchkey-api-gateway-logging',
      'corp-latchkey-staging-global-authorizer',
      'corp-latchkey-staging-global-credential-proof-schedule',
      'corp-latchkey-staging-global-credential-watch',
      'corp-latchkey-staging-global-credential-watch-schedule',
      'corp-latchkey-staging-global-operator',
      'corp-latchkey-staging-global-restore',
      'corp-latchkey-staging-global-rotate-credentials',
      'corp-latchkey-staging-global-secret-audit',
      'corp-latchkey-staging-global-token-refresh',
      'corp-latchkey-staging-global-token-sweep',
      'corp-latchkey-staging-global-token-sweep-schedule',
    ]);
  });

  it('give each deployment of an account other names, of at most 64 characters', () => {
    const named = { ...roles, namePrefix: 'x'.repeat(28) };
    const [first] = written({ roles: named, tenants: [] }).deployments;
    const production = { ...first!, environment: 'production' as const };
    const names = [
      [production, { ...first!, platformRegion: 'mea' as const }],
      [{ ...production, region: 'eu-central-1' }],
    ].flatMap((deployments) =>
      ['a', 'b'].flatMap((last) =>
        namesOf(
          synthesizeOnce(
            parseConfiguration({ ...written(), prefix: 'p'.repeat(28) + last, deployments }, 'test'),
          ),
        ),
      ),
    );

    expect(names.length).toBeGreaterThan(50);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^x{28}p+-?[a-z-]+-[0-9a-f]{8}$/);
    expect(Math.max(...names.map(({ length }) => length))).toBe(64);
  });

  it('change nothing else', () => {
    const withoutNames = (synthesis: Synthesis) =>
      synthesis.resources().map(({ Properties, ...resource }) => ({
        ...resource,
        Properties: { ...Properties, RoleName: 0, ManagedPolicyName: 0, Path: 0 },
      }));

    expect(withoutNames(synthesisWith({ roles }))).toEqual(withoutNames(synthesisWith({})));
  });

  it.each([
    [
      { path: 'team' },
      'path: found "team"; allowed: a path of at most 512 letters, digits and _+=,.@/-, that starts and ends with /',
    ],
    [
      { namePrefix: 'x'.repeat(29) },
      `namePrefix: found "${'x'.repeat(29)}"; allowed: 1–28 letters, digits and _+=,.@-`,
    ],
  ])('refuse %j', (refused, fault) => {
    expect(faultsOf(written({ roles: refused }))).toEqual([`deployments[0].roles.${fault}`]);
  });
});

describe('customizeRoles of the CDK, with the names of the page', () => {
  const usePrecreatedRoles = Object.fromEntries(
    [...PAGE.matchAll(/^ +'(latchkey-[^']+)': '(\S+)',$/gm)].map(([, path, name]) => [
      path!.replace('111122223333', ACCOUNT_ID),
      name!,
    ]),
  );
  const app = temporaryApp();
  iam.Role.customizeRoles(app, { usePrecreatedRoles });
  const secretReaders = { breakGlassRoleArn: `arn:aws:iam::${ACCOUNT_ID}:role/break-glass` };
  addStacks(app, configuration({ ...EVERYTHING, environment: 'production', secretReaders }));
  const synthesis = new Synthesis(app);
  const dependenciesOf = (value: unknown) =>
    [...JSON.stringify(value ?? '').matchAll(/:role\/(team\/[a-z-]+)/g)].map(([, name]) => name!);

  it('leaves no IAM resource in any template', () => {
    expect(synthesis.stackNames()).toHaveLength(3);
    expect(synthesis.resources().filter(({ Type }) => Type.startsWith('AWS::IAM::'))).toEqual([]);
  });

  it('gives each function, schedule, rule and API Gateway its role', () => {
    const used = synthesis.resources().flatMap(({ Properties }) => {
      const { Role, Target, Targets, CloudWatchRoleArn } = Properties as Record<string, unknown> & {
        Target?: { RoleArn: string };
        Targets?: { RoleArn: string }[];
      };
      return [Role, Target?.RoleArn, Targets?.[0]?.RoleArn, CloudWatchRoleArn].flatMap(dependenciesOf);
    });

    expect([...new Set(used)].sort()).toEqual(Object.values(usePrecreatedRoles).sort());
  });

  it('lets the roles read secrets that are denied to others', () => {
    expect(dependenciesOf(synthesis.parameters()['client-credentials-readers'])).toEqual([
      'team/token-refresh',
      'team/token-sweep',
      'team/rotate-credentials',
    ]);
  });

  it('are the names of all roles', () => {
    const file = join(synthesis.assembly.directory, 'iam-policy-report.json');
    const { roles } = JSON.parse(readFileSync(file, 'utf8')) as {
      roles: { roleConstructPath: string; roleName: string }[];
    };

    expect(Object.fromEntries(roles.map((role) => [role.roleConstructPath, role.roleName]))).toEqual(
      usePrecreatedRoles,
    );
  });
});

describe('permissionsBoundaryArn', () => {
  const boundary = `arn:aws:iam::${ACCOUNT_ID}:policy/team/boundary`;

  it('applies to every role of every stack, also with a path, and to the roles of custom resources', () => {
    const app = temporaryApp();
    addStacks(
      app,
      configuration({ ...EVERYTHING, permissionsBoundaryArn: boundary, roles: { path: '/team/' } }),
    );
    const stack = app.node.findChild('latchkey-staging-global') as Stack;
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'index.js'), '');
    CustomResourceProvider.getOrCreate(stack, 'Custom::Foreign', {
      codeDirectory: folder,
      runtime: CustomResourceProviderRuntime.NODEJS_22_X,
    });
    const roles = new Synthesis(app).resources('AWS::IAM::Role');

    expect(roles.length).toBe(12);
    for (const { Properties } of roles) expect(Properties.PermissionsBoundary).toBe(boundary);
  });
});
