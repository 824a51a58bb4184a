import * as iam from 'aws-cdk-lib/aws-iam';

import { type DeploymentStack } from '../../../../lib/stacks/deployment-stack';
import { addStacks } from '../../../../lib/stacks/add-stacks';
import { ACCOUNT_ID, configuration, REGION, tenant } from '../../../support/lib/configuration';
import { Synthesis, synthesisWith, type Template, temporaryApp } from '../../../support/lib/synthesis';

const STACK = 'latchkey-staging-global';
const MODES = ['platform', 'iam'] as const;
type Mode = (typeof MODES)[number];
const synthesized: Record<Mode, Synthesis> = {
  platform: synthesisWith({ restoreApi: { auth: 'platform', rateLimit: 5, burstLimit: 7 } }),
  iam: synthesisWith({ restoreApi: { auth: 'iam' } }),
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

    expect([...new Set(startAtOnce)]).toEqual(expect.arrayContaining(['GatewayResponse', 'Resource']));
    expect(3 * startAtOnce.length).toBeLessThan(40);
  });

  it('has no validator, API key, usage plan or domain by default', () => {
    const types = synthesis.resources().map(({ Type }) => Type);

    expect(types.filter((type) => /RequestValidator|ApiKey|UsagePlan|DomainName/.test(type))).toEqual([]);
    const method = synthesis.only('AWS::ApiGateway::Method').Properties;
    expect(method).not.toHaveProperty('RequestValidatorId');
    expect(method).not.toHaveProperty('ApiKeyRequired', true);
  });

  it('throttles as configured, without execution logs and metrics of single methods', () => {
    expect(synthesis.only('AWS::ApiGateway::Stage').Properties.MethodSettings).toEqual([
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        DataTraceEnabled: false,
        LoggingLevel: 'OFF',
        MetricsEnabled: false,
        ThrottlingRateLimit: mode === 'platform' ? 5 : 20,
        ThrottlingBurstLimit: mode === 'platform' ? 7 : 40,
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
    const [permission, ...others] = synthesis
      .properties('AWS::Lambda::Permission')
      .filter(({ FunctionName }) => JSON.stringify(FunctionName).includes('RestoreFunction'));

    expect(others).toEqual([]);
    expect(permission).toMatchObject({ Principal: 'apigateway.amazonaws.com' });
    expect(JSON.stringify(permission!.SourceArn)).toMatch(
      /"RestoreApi\w+"\},"\/",\{"Ref":"RestoreApiDeploymentStagev1\w+"\},"\/POST\/tenants\/\*\/contents\/\*\/restore"/,
    );
  });
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
    expect(synthesized.platform.only('AWS::ApiGateway::Method').Properties).toMatchObject({
      AuthorizationType: 'CUSTOM',
      AuthorizerId: { Ref: synthesized.platform.only('AWS::ApiGateway::Authorizer').logicalId },
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
    const open = synthesisWith({ restoreApi: { auth: 'iam', ...callers } });
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
    const role = new iam.Role(stack, 'Caller', { assumedBy });
    return { app, api: stack.latchkey.restoreApi!, role };
  }

  it.each([
    ['every tenant', undefined, '*'],
    ['the named tenants only', { tenantIds: ['tenant-a'] }, 'tenant-a'],
  ])('lets a role call only the route, for %s, in iam mode', (_, options, tenantIds) => {
    const { app, api, role } = stackWithRole('iam');
    api.grantRestore(role, options);

    const region = `${REGION}:${ACCOUNT_ID}`;
    const route = [
      { Ref: expect.stringMatching(/^RestoreApi/) as string },
      `/v1/POST/tenants/${tenantIds}/contents/*/restore`,
    ];
    expect(new Synthesis(app).statements('Caller')).toMatchObject([
      {
        Action: 'execute-api:Invoke',
        Effect: 'Allow',
        Resource: {
          'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, `:execute-api:${region}:`, ...route]],
        },
      },
    ]);
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
