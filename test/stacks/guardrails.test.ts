import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CustomResourceProvider, CustomResourceProviderRuntime, type Stack, Stage, Tags } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';

import { parseConfiguration } from '../../lib/options/load';
import { addStacks } from '../../lib/stacks/add-stacks';
import {
  ACCOUNT_ID,
  ALL_TOKENS,
  configuration,
  tenant,
  type WrittenConfiguration,
  type WrittenDeployment,
  written,
} from '../support/lib/configuration';
import { EDGES } from '../support/lib/edge';
import { faultsOf } from '../support/lib/faults';
import { latchkeyIn, learningStack } from '../support/lib/learning';
import { Synthesis, synthesizeOnce, temporaryApp, temporaryFolder } from '../support/lib/synthesis';

const PAGE = readFileSync(join(__dirname, '../../docs/guardrails.md'), 'utf8');

/** A deployment with every kind of resource. */
const EVERYTHING: Partial<WrittenDeployment> = {
  tenants: [tenant('tenant-a', ALL_TOKENS)],
  alarms: { emails: ['team@example.org'] },
  auditSecrets: true,
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
      latchkeyIn(learningStack(app), { requiredTags: [{ key: 'team', values: ['learning'] }] });
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

const iamOf = (synthesis: Synthesis) =>
  synthesis.resources().filter(({ Type }) => Type.startsWith('AWS::IAM::') && Type !== 'AWS::IAM::Policy');

describe('roles.path and roles.namePrefix', () => {
  const namesOf = (synthesis: Synthesis) =>
    iamOf(synthesis).map(({ Properties }) => String(Properties.RoleName ?? Properties.ManagedPolicyName));
  const roles = { path: '/team/latchkey/', namePrefix: 'corp-' };

  it('apply to every role and managed policy of every stack', () => {
    const synthesis = withOption({ ...EVERYTHING, roles });

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
    const names = [
      [
        { ...first!, environment: 'production' as const },
        { ...first!, platformRegion: 'mea' as const },
      ],
      [{ ...first!, environment: 'production' as const, region: 'eu-central-1' }],
    ].flatMap((deployments) =>
      ['a', 'b'].flatMap((last) => {
        const prefix = `${'p'.repeat(28)}${last}`;
        return namesOf(
          synthesizeOnce(parseConfiguration({ ...written(), prefix, deployments }, 'test configuration')),
        );
      }),
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

    expect(withoutNames(withOption({ roles }))).toEqual(withoutNames(withOption({})));
  });

  it.each<[string, Partial<WrittenDeployment>, string[]]>([
    [
      'a path without its slashes',
      { roles: { path: 'team' } },
      [
        'deployments[0].roles.path: found "team"; allowed: a path of at most 512 letters, digits and _+=,.@/-, that starts and ends with /',
      ],
    ],
    [
      'a prefix that is too long',
      { roles: { namePrefix: 'x'.repeat(29) } },
      [
        `deployments[0].roles.namePrefix: found "${'x'.repeat(29)}"; allowed: 1–28 letters, digits and _+=,.@-`,
      ],
    ],
  ])('refuses %s', (_, deployment, faults) => {
    expect(faultsOf(written(deployment))).toEqual(faults);
  });
});

describe('customizeRoles of the CDK, with the names of the page', () => {
  const usePrecreatedRoles = Object.fromEntries(
    [...PAGE.matchAll(/^ +'(latchkey-[^']+)': '(\S+)',$/gm)].map(([, path, name]) => [
      path!.replace('111122223333', ACCOUNT_ID),
      name!,
    ]),
  );
  const customized = (options: iam.CustomizeRolesOptions): Synthesis => {
    const app = temporaryApp();
    iam.Role.customizeRoles(app, options);
    const breakGlassRoleArn = `arn:aws:iam::${ACCOUNT_ID}:role/break-glass`;
    addStacks(
      app,
      configuration({
        ...EVERYTHING,
        environment: 'production',
        secretReaders: { breakGlassRoleArn },
      }),
    );
    return new Synthesis(app);
  };
  const reportOf = ({ assembly }: Synthesis) =>
    JSON.parse(readFileSync(join(assembly.directory, 'iam-policy-report.json'), 'utf8')) as {
      roles: {
        roleConstructPath: string;
        roleName: string;
        missing?: boolean;
        identityPolicyStatements: object[];
      }[];
    };
  const dependenciesOf = (value: unknown) =>
    [...JSON.stringify(value ?? '').matchAll(/:role\/(team\/[a-z-]+)/g)].map(([, name]) => name!);
  const synthesis = customized({ usePrecreatedRoles });

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
    const readers = synthesis
      .properties('AWS::SSM::Parameter')
      .find(({ Name }) => Name === '/latchkey/production/global/client-credentials-readers')!;

    expect(dependenciesOf(readers.Value)).toEqual([
      'team/token-refresh',
      'team/token-sweep',
      'team/rotate-credentials',
    ]);
  });

  it('reports what each role needs', () => {
    const { roles } = reportOf(synthesis);
    const tokenRefresh = roles.find(({ roleName }) => roleName === 'team/token-refresh')!;

    expect(Object.fromEntries(roles.map((role) => [role.roleConstructPath, role.roleName]))).toEqual(
      usePrecreatedRoles,
    );
    expect(tokenRefresh.identityPolicyStatements).toContainEqual({
      Effect: 'Allow',
      Action: [
        'secretsmanager:GetSecretValue',
        'secretsmanager:DescribeSecret',
        'secretsmanager:PutSecretValue',
      ],
      Resource: `arn:(PARTITION):secretsmanager:eu-west-1:${ACCOUNT_ID}:secret:latchkey/production/global/*/token/*-??????`,
    });
  });

  it('names the roles that have no name', () => {
    const unnamed = customized({});

    expect(reportOf(unnamed).roles.every(({ missing }) => missing)).toBe(true);
    for (const path of Object.keys(usePrecreatedRoles))
      expect(unnamed.messages()).toContainEqual(
        expect.stringContaining(`is being created at path "${path}"`),
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
