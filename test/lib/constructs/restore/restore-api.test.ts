import * as iam from 'aws-cdk-lib/aws-iam';

import { type Configuration } from '../../../../lib/options/schema';
import { type GrantRestoreOptions } from '../../../../lib/constructs/restore/restore-api';
import { type DeploymentStack } from '../../../../lib/stacks/deployment-stack';
import { addStacks } from '../../../../lib/stacks/add-stacks';
import { configuration, tenant, type WrittenDeployment } from '../../../support/lib/configuration';
import { isAllowed, provisionSynthesis } from '../../../support/lib/provisioned';
import { Synthesis, synthesizeOnce, type Template, temporaryApp } from '../../../support/lib/synthesis';

const STACK = 'latchkey-staging-global';
const MODES = ['platform', 'iam'] as const;
type Mode = (typeof MODES)[number];
const withApi = (restoreApi: WrittenDeployment['restoreApi']): Configuration => configuration({ restoreApi });
const synthesized: Record<Mode, Synthesis> = {
  platform: synthesizeOnce(withApi({ auth: 'platform' })),
  iam: synthesizeOnce(withApi({ auth: 'iam' })),
};

/** Whether a resource waits for another one of API Gateway than the API, by way of any resources. */
function isPrecededByGateway({ Resources }: Template, logicalId: string): boolean {
  const { Properties, DependsOn = [] } = Resources[logicalId]!;
  const text = JSON.stringify(Properties);
  return Object.entries(Resources)
    .filter(
      ([id]) => DependsOn.includes(id) || text.includes(`{"Ref":"${id}"}`) || text.includes(`["${id}",`),
    )
    .some(
      ([id, { Type }]) =>
        (Type.startsWith('AWS::ApiGateway::') && Type !== 'AWS::ApiGateway::RestApi') ||
        isPrecededByGateway({ Resources }, id),
    );
}

const countsOf = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((each) => each === name).length]));

describe.each(MODES)('the restore API in %s mode', (mode) => {
  const synthesis = synthesized[mode];

  // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
  it('accepts only TLS 1.2 or 1.3, on a regional endpoint in strict mode', () => {
    expect(synthesis.only('AWS::ApiGateway::RestApi').Properties).toMatchObject({
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
  });

  it('has one method on one route', () => {
    const parts = synthesis.properties('AWS::ApiGateway::Resource').map(({ PathPart }) => PathPart);

    expect(parts).toEqual(['tenants', '{tenantId}', 'contents', '{contentId}', 'restore']);
    expect(synthesis.only('AWS::ApiGateway::Method').Properties).toMatchObject({
      HttpMethod: 'POST',
      Integration: { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST' },
    });
  });

  // "Total operations: 10 requests per second with a burst quota of 40 requests per second", for the account:
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
  it('starts with few resources at once, so that three deployments at a time stay within API Gateway’s burst of 40', () => {
    const startAtOnce = synthesis
      .resourcesOf(STACK)
      .filter(({ Type }) => Type.startsWith('AWS::ApiGateway::') && Type !== 'AWS::ApiGateway::RestApi')
      .filter(({ logicalId }) => !isPrecededByGateway(synthesis.template(STACK), logicalId))
      .map(({ Type }) => Type.replace('AWS::ApiGateway::', ''));

    expect(countsOf(startAtOnce)).toEqual({
      GatewayResponse: 10,
      Resource: 1,
      ...(mode === 'platform' && { Authorizer: 1 }),
    });
    expect(3 * startAtOnce.length).toBeLessThan(40);
  });

  it('has no validator, API key, usage plan or domain by default', () => {
    const types = synthesis.resources().map(({ Type }) => Type);

    expect(types.filter((type) => /RequestValidator|ApiKey|UsagePlan|DomainName/.test(type))).toEqual([]);
    const method = synthesis.only('AWS::ApiGateway::Method').Properties;
    expect(method).not.toHaveProperty('RequestValidatorId');
    expect(method).not.toHaveProperty('ApiKeyRequired', true);
  });

  it('throttles, without execution logs and metrics of single methods', () => {
    expect(synthesis.only('AWS::ApiGateway::Stage').Properties.MethodSettings).toEqual([
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        DataTraceEnabled: false,
        LoggingLevel: 'OFF',
        MetricsEnabled: false,
        ThrottlingRateLimit: 20,
        ThrottlingBurstLimit: 40,
      },
    ]);
  });

  it('logs accesses without headers, bodies and authorizer input', () => {
    const { AccessLogSetting } = synthesis.only('AWS::ApiGateway::Stage').Properties;
    const { Format } = AccessLogSetting as { Format: string };

    expect(Object.values(JSON.parse(Format) as Record<string, string>).sort()).toEqual(
      [
        '$context.authorizer.error',
        '$context.authorizer.principalId',
        '$context.authorizer.status',
        '$context.cipherSuite',
        '$context.error.responseType',
        '$context.httpMethod',
        '$context.identity.sourceIp',
        '$context.integration.error',
        '$context.integration.latency',
        '$context.integration.status',
        '$context.path',
        '$context.requestId',
        '$context.requestTime',
        '$context.resourcePath',
        '$context.responseLatency',
        '$context.responseLength',
        '$context.status',
        '$context.tlsVersion',
        ...(mode === 'iam'
          ? ['$context.identity.accountId', '$context.identity.caller', '$context.identity.userArn']
          : []),
      ].sort(),
    );
  });

  it('is the only one that may invoke the restore function, with this method and stage', () => {
    const restore = synthesis
      .properties('AWS::Lambda::Permission')
      .filter(({ FunctionName }) => JSON.stringify(FunctionName).includes('RestoreFunction'));

    expect(restore).toHaveLength(1);
    expect(restore[0]).toMatchObject({
      Action: 'lambda:InvokeFunction',
      Principal: 'apigateway.amazonaws.com',
    });
    expect(JSON.stringify(restore[0]!.SourceArn)).toMatch(
      /"RestoreApi\w+"\},"\/",\{"Ref":"RestoreApiDeploymentStagev1\w+"\},"\/POST\/tenants\/\*\/contents\/\*\/restore"/,
    );
  });
});

it('has the configured rate and burst', () => {
  const synthesis = synthesizeOnce(withApi({ rateLimit: 5, burstLimit: 7 }));

  expect(synthesis.only('AWS::ApiGateway::Stage').Properties.MethodSettings).toMatchObject([
    { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 7 },
  ]);
});

describe('authorization', () => {
  const policyOf = (mode: Mode) => synthesized[mode].only('AWS::ApiGateway::RestApi').Properties.Policy;
  const everybody = {
    Principal: { AWS: '*' },
    Action: 'execute-api:Invoke',
    Resource: 'execute-api:/*',
  };
  const denial = {
    ...everybody,
    Effect: 'Deny',
    Condition: { Bool: { 'aws:SecureTransport': 'false' } },
  };

  it('is up to the authorizer in platform mode: the resource policy denies only plain HTTP', () => {
    expect(policyOf('platform')).toMatchObject({ Statement: [denial, { ...everybody, Effect: 'Allow' }] });
  });

  it('is up to identity policies in iam mode: an Allow * would admit the whole account', () => {
    expect(policyOf('iam')).toMatchObject({ Statement: [denial] });
  });

  // https://docs.aws.amazon.com/apigateway/latest/developerguide/configure-api-gateway-lambda-authorization.html
  it('uses an authorizer that sees the whole request, without caching', () => {
    expect(synthesized.platform.only('AWS::ApiGateway::Authorizer').Properties).toMatchObject({
      Type: 'REQUEST',
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 0,
    });
    const { AuthorizationType, AuthorizerId } =
      synthesized.platform.only('AWS::ApiGateway::Method').Properties;
    const [authorizer] = synthesized.platform.resources('AWS::ApiGateway::Authorizer');
    expect({ AuthorizationType, AuthorizerId }).toEqual({
      AuthorizationType: 'CUSTOM',
      AuthorizerId: { Ref: authorizer!.logicalId },
    });
  });

  it('lets only this API’s authorizer invoke the authorizer function', () => {
    const permissions = synthesized.platform
      .properties('AWS::Lambda::Permission')
      .filter(({ FunctionName }) => JSON.stringify(FunctionName).includes('Authorizer'));

    expect(permissions).toHaveLength(1);
    expect(JSON.stringify(permissions[0]!.SourceArn)).toMatch(/"RestoreApi\w+"\},"\/authorizers\/",\{"Ref":/);
  });

  it('uses signatures in iam mode, without an authorizer function', () => {
    expect(synthesized.iam.only('AWS::ApiGateway::Method').Properties).toMatchObject({
      AuthorizationType: 'AWS_IAM',
    });
    expect(JSON.stringify(synthesized.iam.resources('AWS::Lambda::Function'))).not.toContain('Authorizer');
    expect(JSON.stringify(synthesized.iam.resources('AWS::SSM::Parameter'))).not.toContain('authorizer-arn');
  });
});

const rootOf = (account: string) => ({
  'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, `:iam::${account}:root`]],
});

// https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html (table B)
// https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-resource-policies-aws-condition-keys.html
it.each([
  [
    'callerAccounts',
    { callerAccounts: ['333344445555', '666677778888'] },
    { AWS: ['333344445555', '666677778888'].map(rootOf) },
    {},
  ],
  [
    'callerOrganizations',
    { callerOrganizations: ['o-a1b2c3d4e5'] },
    { AWS: '*' },
    { StringEquals: { 'aws:PrincipalOrgID': ['o-a1b2c3d4e5'] } },
  ],
])(
  '%s may let their principals call the route, and never principals of the own account',
  (_, callers, Principal, more) => {
    const open = synthesizeOnce(withApi({ auth: 'iam', ...callers }));
    const { Policy } = open.only('AWS::ApiGateway::RestApi').Properties;

    const { Statement } = Policy as { Statement: { Effect: string }[] };
    expect(Statement.filter(({ Effect }) => Effect === 'Allow')).toEqual([
      {
        Effect: 'Allow',
        Action: 'execute-api:Invoke',
        Principal,
        Resource: 'execute-api:/*/POST/tenants/*/contents/*/restore',
        Condition: { ...more, StringNotEquals: { 'aws:PrincipalAccount': { Ref: 'AWS::AccountId' } } },
      },
    ]);
  },
);

describe('grantRestore', () => {
  /** A deployment with two tenants, and a role. */
  function stackWithRole(mode: Mode) {
    const app = temporaryApp();
    const tenants = [tenant('tenant-a'), tenant('tenant-ab')];
    addStacks(app, configuration({ restoreApi: { auth: mode }, tenants }));
    const stack = app.node.findChild(STACK) as DeploymentStack;
    const assumedBy = new iam.AccountRootPrincipal();
    const role = new iam.Role(stack, 'Caller', { description: 'caller', assumedBy });
    return { app, api: stack.latchkey.restoreApi!, role };
  }

  /** Says whether a role with the grant may invoke something. */
  function decisionsFor(options?: GrantRestoreOptions) {
    const { app, api, role } = stackWithRole('iam');
    api.grantRestore(role, options);
    const { account, roles } = provisionSynthesis(new Synthesis(app));
    const caller = { account, roleArn: roles.find(({ description }) => description === 'caller')!.arn };
    const url = account.parameters.get('/latchkey/staging/global/restore-api-url')!.value;
    const apiId = /^https:\/\/([^.]+)\./.exec(url)![1];
    const may = (path: string, id = apiId) =>
      isAllowed(caller, 'execute-api:Invoke', {
        arn: `arn:aws:execute-api:${account.region}:${account.accountId}:${id}/${path}`,
        owner: account,
      });
    return { account, caller, may };
  }

  it('lets a role call only the route, for every tenant, in iam mode', () => {
    const { account, caller, may } = decisionsFor();

    expect(may('v1/POST/tenants/tenant-a/contents/c/restore')).toBe(true);
    expect(may('v1/POST/tenants/tenant-ab/contents/c/restore')).toBe(true);
    for (const path of [
      'v1/GET/tenants/tenant-a/contents/c/restore',
      'v1/POST/tenants/tenant-a/contents/c/archive',
      'v1/POST/tenants',
      'v2/POST/tenants/tenant-a/contents/c/restore',
    ]) {
      expect([path, may(path)]).toEqual([path, false]);
    }
    expect(may('v1/POST/tenants/tenant-a/contents/c/restore', 'other')).toBe(false);
    const arn = account.parameters.get('/latchkey/staging/global/restore-arn')!.value;
    const restore = { arn, owner: account, policy: account.functions.get(arn)!.resourcePolicy };
    expect(isAllowed(caller, 'lambda:InvokeFunction', restore)).toBe(false);
  });

  it('lets a role restore for the named tenants only', () => {
    const { may } = decisionsFor({ tenantIds: ['tenant-a'] });

    expect(may('v1/POST/tenants/tenant-a/contents/c/restore')).toBe(true);
    for (const path of [
      'v1/POST/tenants/tenant-ab/contents/c/restore',
      'v1/POST/tenants/tenant-/contents/c/restore',
      'v1/POST/tenants/%74enant-a/contents/c/restore',
      'v1/POST/tenants/tenant-a/contents/c/restore/',
    ]) {
      expect([path, may(path)]).toEqual([path, false]);
    }
  });

  it.each<[string[], string]>([
    [['tenant-a', 'tenant-c'], 'tenantIds: found "tenant-c"; allowed: tenant-a, tenant-ab'],
    [['*'], 'tenantIds: found "*"; allowed: tenant-a, tenant-ab'],
    [[], 'tenantIds: found none; allowed: one or more of tenant-a, tenant-ab'],
  ])('is refused for tenants other than those of the deployment: %j', (tenantIds, message) => {
    const { api, role } = stackWithRole('iam');

    expect(() => api.grantRestore(role, { tenantIds })).toThrow(new Error(message));
  });

  it('is refused in platform mode', () => {
    const { api, role } = stackWithRole('platform');

    expect(() => api.grantRestore(role)).toThrow(
      'restoreApi.auth: found platform; allowed for grantRestore: iam',
    );
  });
});

it('creates no API Gateway resources if the restore API is disabled', () => {
  const synthesis = synthesizeOnce(withApi({ enabled: false }));

  expect(synthesis.resources().filter(({ Type }) => Type.startsWith('AWS::ApiGateway'))).toEqual([]);
  for (const type of ['AWS::SSM::Parameter', 'AWS::Lambda::Function'])
    expect(JSON.stringify(synthesis.resources(type))).not.toMatch(/restore-|authorizer/i);
});
