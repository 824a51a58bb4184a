import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type App, NestedStack, Stack, type StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';

import { parseTokenKey } from '../../../client';
import { Latchkey, type LatchkeyProps, LatchkeyTenant } from '../../../lib';
import { ACCOUNT_ID, addressesOf, REGION, tenant } from '../../support/lib/configuration';
import { faultsIn } from '../../support/lib/faults';
import { latchkeyIn, learningStack, OPTIONS } from '../../support/lib/learning';
import { Synthesis, synthesisWith, type Template, temporaryApp } from '../../support/lib/synthesis';

const ENV = { account: ACCOUNT_ID, region: REGION };
const WEB_ACL = `arn:aws:wafv2:${REGION}:${ACCOUNT_ID}:regional/webacl/n/i`;

const stackOf = (app: App, id: string, props: StackProps = { env: ENV }) => new Stack(app, id, props);
const PRODUCTION: LatchkeyProps = {
  ...OPTIONS,
  environment: 'production',
  endpoints: addressesOf('production-global'),
  tenants: [tenant('tenant-b')],
};
const READERS = { readerAccounts: ['333344445555'], readerOrganizations: ['o-a1b2c3d4e5'] };

/** Synthesizes a foreign app with one deployment. */
function synthesisOf(props: Partial<LatchkeyProps> = {}): Synthesis {
  const app = temporaryApp();
  latchkeyIn(learningStack(app), props);
  return new Synthesis(app);
}

const principalIn = (scope: Stack, id: string) =>
  new iam.Role(scope, id, { assumedBy: new iam.AccountRootPrincipal() });

/** Logical ids of resources that wait for each other. */
function circle({ Resources }: Template): string[] {
  let waiting = Object.keys(Resources);
  for (;;) {
    const left = waiting.filter((id) => {
      const { DependsOn = [], ...resource } = Resources[id]!;
      const text = JSON.stringify(resource);
      return waiting.some(
        (other) =>
          other !== id &&
          (DependsOn.includes(other) || text.includes(`{"Ref":"${other}"}`) || text.includes(`["${other}",`)),
      );
    });
    if (left.length === waiting.length) return left;
    waiting = left;
  }
}

describe('a deployment in a stack of another app', () => {
  it('has the resources and function settings of the same deployment in a configuration file', () => {
    const [own, configured] = [synthesisOf(), synthesisWith()];
    const typesOf = (synthesis: Synthesis) => synthesis.resources().map(({ Type }) => Type);

    expect(typesOf(own).sort()).toEqual(typesOf(configured).sort());
    expect(own.deploymentFiles()).toEqual(configured.deploymentFiles());
  });

  it('reads no parameter of its own, which CloudFormation would look for before it exists', () => {
    expect(JSON.stringify(synthesisOf().template('learning'))).not.toContain('SsmParameterValue');
  });

  it('rotates credentials only after its function may be invoked', () => {
    const synthesis = synthesisOf();
    const [permission] = synthesis
      .resources('AWS::Lambda::Permission')
      .filter(({ Properties }) => Properties.Principal === 'secretsmanager.amazonaws.com');

    const rotations = synthesis.resources('AWS::SecretsManager::RotationSchedule');
    expect(rotations).toHaveLength(2);
    for (const { DependsOn } of rotations) expect(DependsOn).toContain(permission!.logicalId);
  });

  it('creates API Gateway’s logging role once per stack, unless told otherwise', () => {
    const app = temporaryApp();
    const stack = learningStack(app);
    new Latchkey(stack, 'Staging', OPTIONS);
    new Latchkey(stack, 'Production', PRODUCTION);

    expect(new Synthesis(app).resources('AWS::ApiGateway::Account')).toHaveLength(1);
    expect(synthesisOf({ apiGatewayAccount: 'existing' }).resources('AWS::ApiGateway::Account')).toEqual([]);
  });

  it('keeps the logical ids of what holds state', () => {
    const stateful = /::(Secret|Key|RestApi|Queue|Topic)$/;
    const ids = synthesisOf()
      .resources()
      .filter(({ Type }) => stateful.test(Type))
      .map(({ logicalId, Type }) => `${logicalId} ${Type}`);

    // Under another id, CloudFormation would create a new one, and delete or abandon the old.
    expect(ids.sort()).toMatchInlineSnapshot(`
      [
        "LatchkeyAlarmTopic7C86FC53 AWS::SNS::Topic",
        "LatchkeyKey92B78403 AWS::KMS::Key",
        "LatchkeyRestoreApi731A85F2 AWS::ApiGateway::RestApi",
        "LatchkeyTenanttenantaApiKeyShellSecret12DAB18A AWS::SecretsManager::Secret",
        "LatchkeyTenanttenantaClientCredentialsShellSecret8AE3F9AA AWS::SecretsManager::Secret",
        "LatchkeyTenanttenantaTokencontentapireadShellSecretEB74BCB4 AWS::SecretsManager::Secret",
        "LatchkeyTokensDeadLettersA845FD09 AWS::SQS::Queue",
      ]
    `);
  });
});

describe('its tenants in stacks of their own', () => {
  function separated(): { app: App; latchkey: Latchkey; tenantStack: Stack } {
    const app = temporaryApp();
    const latchkey = latchkeyIn(learningStack(app), { createTenants: false });
    const tenantStack = stackOf(app, 'learning-tenant-a');
    new LatchkeyTenant(tenantStack, 'Tenant', { latchkey, tenantId: 'tenant-a' });
    return { app, latchkey, tenantStack };
  }

  it('are refused for tenants that the deployment lacks, or that exist already', () => {
    const { latchkey, tenantStack } = separated();
    const together = latchkeyIn(learningStack());
    const elsewhere = stackOf(latchkey.node.root as App, 'elsewhere', {
      env: { ...ENV, region: 'eu-west-2' },
    });
    const again =
      (scope: Stack, tenantId: string, of = latchkey) =>
      () =>
        new LatchkeyTenant(scope, `Tenant-${scope.node.children.length}`, { latchkey: of, tenantId });

    expect(again(tenantStack, 'tenant-b')).toThrow('tenantId: found "tenant-b"; allowed: tenant-a');
    expect(again(tenantStack, 'tenant-a')).toThrow(
      'tenantId: found "tenant-a"; allowed: a tenant that learning-tenant-a/Tenant does not create',
    );
    expect(again(Stack.of(together), 'tenant-a', together)).toThrow('learning/Latchkey/Tenant-tenant-a');
    const other = latchkeyIn(elsewhere, { createTenants: false });
    expect(again(tenantStack, 'tenant-a', other)).toThrow('the account and AWS region of elsewhere/Latchkey');
  });

  it('let readers in the deployment’s stack have their tokens without a reference to theirs', () => {
    const { app, latchkey } = separated();
    latchkey
      .token('tenant-a', 'content', 'api/read')
      .grantReadToken(principalIn(Stack.of(latchkey), 'Reader'));
    const synthesis = new Synthesis(app);

    expect(JSON.stringify(synthesis.template('learning'))).not.toContain('SsmParameterValue');
    expect(JSON.stringify(synthesis.template('learning'))).toContain(
      ':secret:latchkey/staging/global/tenant-a/token/content/api-read-??????',
    );
  });
});

describe('more tenants than fit into a stack', () => {
  it('are refused with the property that separates them', () => {
    const tenants = Array.from({ length: 40 }, (_, index) => tenant(`tenant-${index}`));

    expect(() => synthesisOf({ tenants })).toThrow(
      /\[learning\/Latchkey\] tenants: found 40, with which the stack has \d+ resources; allowed: .* createTenants false/,
    );
  });
});

describe('a deployment and its tenant in nested stacks', () => {
  it.each<[string, (parent: Stack) => [Stack, Stack]]>([
    ['the tenant alone', (parent) => [parent, new NestedStack(parent, 'Tenants')]],
    ['the deployment alone', (parent) => [new NestedStack(parent, 'Deployment'), parent]],
    ['each', (parent) => [new NestedStack(parent, 'Deployment'), new NestedStack(parent, 'Tenants')]],
  ])('can be deployed at once: %s', (_, place) => {
    const app = temporaryApp();
    const key = new kms.Key(learningStack(app), 'Key');
    const [deployment, tenants] = place(Stack.of(key));
    const latchkey = latchkeyIn(deployment, {
      createTenants: false,
      resources: { encryptionKey: key },
      logsKmsKeyArn: 'deployment',
      secretReaders: {
        breakGlassRoleArn: principalIn(tenants, 'BreakGlass').roleArn,
        tokens: [],
      },
    });
    new LatchkeyTenant(tenants, 'Tenant', { latchkey, tenantId: 'tenant-a' })
      .token('content', 'api/read')
      .grantEnsureFresh(principalIn(tenants, 'Reader'));
    const synthesis = new Synthesis(app);
    const folder = synthesis.assembly.directory;
    const texts = readdirSync(folder)
      .filter((name) => name.endsWith('.template.json'))
      .map((name) => readFileSync(join(folder, name), 'utf8'));

    expect(circle(synthesis.template('learning'))).toEqual([]);
    // CloudFormation would read a parameter before the deployment publishes it.
    expect(texts.filter((text) => text.includes('"Default": "/latchkey'))).toEqual([]);
    expect(texts.join('').match(/"AWS::ApiGateway::Account"/g)).toHaveLength(1);
    expect(texts.join('').match(/"AWS::SecretsManager::RotationSchedule"/g)).toHaveLength(2);
  });
});

describe('what a configuration file refuses', () => {
  it('is refused without any properties', () => {
    const create = () => new Latchkey(learningStack(), 'Latchkey', undefined as unknown as LatchkeyProps);

    expect(create).toThrow('learning/Latchkey cannot be used:\n  props: found nothing; allowed: an object');
  });

  it('is refused in a stack without an environment, except what depends on it', () => {
    const elsewhere = { restoreApi: { webAclArn: WEB_ACL.replace(REGION, 'us-east-1') } };

    expect(faultsIn(() => latchkeyIn(new Stack(temporaryApp(), 'anywhere'), elsewhere))).toEqual([]);
    expect(faultsIn(() => latchkeyIn(learningStack(), elsewhere))).toEqual([
      expect.stringContaining('allowed: a web ACL in the deployment’s account and region'),
    ]);
  });
});

describe('deployments of one app', () => {
  const synthesizing = (one: LatchkeyProps, other: LatchkeyProps) => {
    const app = temporaryApp();
    new Latchkey(stackOf(app, 'stack-0'), 'Latchkey', one);
    new Latchkey(stackOf(app, 'stack-1'), 'Latchkey', other);
    return () => app.synth();
  };

  it('are checked together when the app is synthesized', () => {
    expect(synthesizing(OPTIONS, PRODUCTION)).not.toThrow();
    expect(synthesizing(OPTIONS, { ...PRODUCTION, tenants: OPTIONS.tenants })).toThrow(
      '[stack-1/Latchkey] tenants[0].tenantId: found "tenant-a"; allowed: a tenant id of production',
    );
    expect(synthesizing(OPTIONS, { ...PRODUCTION, endpoints: OPTIONS.endpoints })).toThrow(
      'separate from endpoints of stack-1/Latchkey.contentBaseUrl',
    );
  });

  it('have names of their own', () => {
    expect(synthesizing(OPTIONS, OPTIONS)).toThrow(
      '[stack-1/Latchkey] environment: found staging global, as at stack-0/Latchkey; allowed: each environment',
    );
    expect(synthesizing(OPTIONS, { ...OPTIONS, prefix: 'other' })).not.toThrow();
  });
});

describe('keys, topics, networks and roles of the app', () => {
  it('are used as they are, although only the deployment knows their ARNs', () => {
    const app = temporaryApp();
    const stack = learningStack(app);
    const encryptionKey = new kms.Key(stack, 'OwnKey');
    latchkeyIn(stack, {
      tenants: [tenant('tenant-a', [{ interface: 'content', scope: 'api/read', ...READERS }])],
      resources: { encryptionKey, alarmTopic: new sns.Topic(stack, 'OwnTopic') },
      formerKmsKeyArns: [new kms.Key(stack, 'FormerKey').keyArn],
      logsKmsKeyArn: 'deployment',
      auditSecrets: true,
      secretReaders: { breakGlassRoleArn: principalIn(stack, 'BreakGlass').roleArn },
    });
    const synthesis = new Synthesis(app);
    const keyOf = ({ Properties }: { Properties: Record<string, unknown> }) => Properties.KmsKeyId;
    const ownKey = { 'Fn::GetAtt': [expect.stringMatching(/^OwnKey/), 'Arn'] };

    expect(synthesis.resources('AWS::SNS::Topic')).toHaveLength(1);
    expect(synthesis.resources('AWS::KMS::Key')).toHaveLength(2);
    expect(synthesis.resources('AWS::SecretsManager::Secret').map(keyOf)).toEqual([ownKey, ownKey, ownKey]);
    // Readers of other accounts and CloudWatch Logs need the key's policy.
    const policy = JSON.stringify(synthesis.only('AWS::KMS::Key', 'OwnKey').Properties.KeyPolicy);
    for (const text of ['333344445555', 'o-a1b2c3d4e5', 'logs.eu-west-1.amazonaws.com'])
      expect(policy).toContain(text);
  });

  it('include a VPC, whose endpoints can let the functions in', () => {
    const app = temporaryApp();
    const stack = learningStack(app);
    const vpc = new ec2.Vpc(stack, 'Vpc');
    const latchkey = latchkeyIn(stack, { resources: { vpc } });
    const endpoints = new ec2.SecurityGroup(stack, 'Endpoints', { vpc });
    endpoints.connections.allowFrom(latchkey, ec2.Port.tcp(443));
    const synthesis = new Synthesis(app);

    const groups = new Set(
      synthesis
        .properties('AWS::Lambda::Function')
        .filter(({ Code }) => 'S3Key' in (Code as object))
        .map(({ VpcConfig }) =>
          JSON.stringify((VpcConfig as { SecurityGroupIds: unknown }).SecurityGroupIds),
        ),
    );
    expect(groups.size).toBe(1);
    expect(synthesis.resources('AWS::EC2::SecurityGroupIngress')).toHaveLength(1);
  });

  it('are refused if the VPC has no way out to the platform, unless there is a proxy', () => {
    const stack = learningStack();
    const vpc = new ec2.Vpc(stack, 'Vpc', {
      subnetConfiguration: [{ name: 'closed', subnetType: ec2.SubnetType.PRIVATE_ISOLATED }],
    });
    const proxy = { url: 'http://proxy.example.org:3128' };

    expect(() => new Latchkey(stack, 'Closed', { ...OPTIONS, resources: { vpc } })).toThrow(
      'resources.vpc: found isolated subnets; allowed: subnets with a way out to the platform, or a proxy',
    );
    new Latchkey(stack, 'Proxied', { ...OPTIONS, proxy, resources: { vpc } });
  });
});

describe('its grants', () => {
  it('contain everything that they add to a role', () => {
    const stack = learningStack();
    const latchkey = latchkeyIn(stack, { restoreApi: { auth: 'iam' } });
    const role = principalIn(stack, 'Service');
    const actionsOf = (grant: iam.Grant) => grant.principalStatements.flatMap(({ actions }) => actions);

    expect(actionsOf(latchkey.token('tenant-a', 'content', 'api/read').grantReadToken(role)).sort()).toEqual([
      'kms:Decrypt',
      'secretsmanager:GetSecretValue',
    ]);
    expect(actionsOf(latchkey.grantEnsureFresh(role))).toEqual(['lambda:InvokeFunction']);
    expect(actionsOf(latchkey.operatorPolicy.grantOperate(role))).toEqual(
      expect.arrayContaining(['secretsmanager:RotateSecret', 'execute-api:Invoke', 'logs:FilterLogEvents']),
    );
  });

  it('come with the environment of a service that reads a token', () => {
    const stack = learningStack();
    const latchkey = latchkeyIn(stack);
    const found = Latchkey.fromLookup(stack, 'Found', { environment: 'staging', prefix: 'other' });
    const environments = [latchkey, found].map((each) =>
      each.token('tenant-a', 'content', 'api/read').environment(),
    );

    const key = { environment: 'staging', platformRegion: 'global', tenantId: 'tenant-a' };
    for (const { LATCHKEY_TOKEN } of environments)
      expect(parseTokenKey(LATCHKEY_TOKEN)).toEqual({ ...key, interface: 'content', scope: 'api/read' });
    expect(environments.map(({ LATCHKEY_TOKEN_SECRET }) => LATCHKEY_TOKEN_SECRET)).toEqual([
      'latchkey/staging/global/tenant-a/token/content/api-read',
      'other/staging/global/tenant-a/token/content/api-read',
    ]);
    expect(environments[0]!.TOKEN_REFRESH_ARN).toBe(latchkey.tokenRefreshArn);
  });

  it('name the tokens that there are', () => {
    const latchkey = latchkeyIn(learningStack());

    expect(() => latchkey.token('tenant-b', 'content', 'api/read')).toThrow(
      'learning/Latchkey: tenantId: found "tenant-b"; allowed: tenant-a',
    );
    expect(() => latchkey.token('tenant-a', 'content', 'api/write')).toThrow(
      'token: found content api/write; allowed: content api/read',
    );
  });
});

describe('a deployment of another stack', () => {
  it('is found by its parameters, of which only those are read that are used', () => {
    const app = temporaryApp();
    const stack = stackOf(app, 'service', {});
    const latchkey = Latchkey.fromLookup(stack, 'Latchkey', { environment: 'staging' });
    latchkey.grantEnsureFresh(principalIn(stack, 'Reader'));

    const template = JSON.stringify(new Synthesis(app).template('service'));
    expect(template.match(/"Default":"\/latchkey[^"]*"/g)).toEqual([
      '"Default":"/latchkey/staging/global/token-refresh-arn"',
    ]);
  });

  it('of another issuer has no region if the issuer has none', () => {
    const app = temporaryApp();
    const stack = stackOf(app, 'service', {});
    const latchkey = Latchkey.fromLookup(stack, 'Latchkey', { issuer: 'auth0', environment: 'production' });
    const token = latchkey.token('acme', 'api', 'read:users');
    latchkey.onTokenRenewed('Renewed', { target: { bind: () => ({ arn: 'arn:aws:sns:eu-west-1:1:t' }) } });

    expect([latchkey.issuer, latchkey.platformRegion]).toEqual(['auth0', undefined]);
    const key = { issuer: 'auth0', environment: 'production' };
    expect(parseTokenKey(token.environment().LATCHKEY_TOKEN)).toEqual({
      ...key,
      tenantId: 'acme',
      interface: 'api',
      scope: 'read:users',
    });
    expect(token.secretArn).toContain(':secret:latchkey/auth0/production/acme/token/api/read=3Ausers-??????');
    expect(latchkey.metric('TokenRenewed').dimensions).toEqual(key);
    const template = JSON.stringify(new Synthesis(app).template('service'));
    expect(template).toContain('/latchkey/auth0/production/token-refresh-arn');
    expect(template).toContain('"issuer":["auth0"]');
    expect(template).not.toContain('platformRegion');
  });

  it('has a reference of its own for each token, although names may have hyphens anywhere', () => {
    const stack = stackOf(temporaryApp(), 'service', {});
    const latchkey = Latchkey.fromLookup(stack, 'Latchkey', { issuer: 'auth0', environment: 'a' });
    const tokens = [
      latchkey.token('t', 'api', 'x'),
      latchkey.token('t-api', 'x', ''),
      latchkey.token('t', 'api-x', ''),
    ];

    expect(new Set(tokens.map(({ secretArn }) => secretArn)).size).toBe(3);
    expect(latchkey.token('t', 'api', 'x')).toBe(tokens[0]);
  });

  it('is refused under names that find nothing, or tokens of others', () => {
    const find = (options: object) =>
      Latchkey.fromLookup(learningStack(), 'Latchkey', options as { environment: 'staging' });
    const latchkey = find({ environment: 'staging' });

    expect(() => find({ environment: 'stagng', prefix: 'a/b' })).toThrow(
      'learning/Latchkey cannot be used:\n  environment: found "stagng"; allowed: staging, production\n  prefix: found "a/b"',
    );
    expect(() => find({ issuer: 'production', environment: 'a/*' })).toThrow(
      /issuer: found "production"; allowed: .*\n {2}environment: found "a\/\*"; allowed: /,
    );
    // A wildcard would grant the tokens of all tenants.
    expect(() => latchkey.token('*', 'content', 'api/read')).toThrow('tenantId: found "*"; allowed: 1–128');
    expect(() => latchkey.token('tenant-a', 'content', 'api/*' as 'api/read')).toThrow(
      'scope: found "api/*"; allowed: api/all, api/read, api/write',
    );
    const tenants = () =>
      new LatchkeyTenant(Stack.of(latchkey), 'Tenant', {
        latchkey: latchkey as Latchkey,
        tenantId: 'tenant-a',
      });
    expect(tenants).toThrow(
      'learning/Tenant: latchkey: found no Latchkey; allowed: one that this app creates',
    );
  });
});
