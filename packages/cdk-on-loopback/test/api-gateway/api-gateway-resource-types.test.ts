import { apiGatewayResourceTypes } from '../../src/api-gateway/api-gateway-resource-types';
import { RestApis } from '../../src/api-gateway/rest-api';
import { apiTemplate, gatewayResponse, type Resources, uriOf } from './api-template';
import { Gateway } from './gateway';

let gateway: Gateway;
beforeEach(() => (gateway = new Gateway()));
afterEach(() => gateway.close());

const api = { RestApiId: { Ref: 'Api' } };
const withMethod = (properties: object): Resources => apiTemplate({ routes: { 'GET /a': properties } });
const withMore = (Type: string, Properties: object): Resources =>
  apiTemplate({ more: { More: { Type, Properties: { ...api, ...Properties } } } });
const withSettings = (settings: object): Resources =>
  apiTemplate({ stage: { MethodSettings: [{ ResourcePath: '/*', HttpMethod: '*', ...settings }] } });
const resources = (...parts: [id: string, parent: string, part: string][]): Resources =>
  apiTemplate({
    more: Object.fromEntries(
      parts.map(([id, parent, PathPart]) => {
        const ParentId = parent === '/' ? { 'Fn::GetAtt': ['Api', 'RootResourceId'] } : { Ref: parent };
        return [id, { Type: 'AWS::ApiGateway::Resource', Properties: { ...api, ParentId, PathPart } }];
      }),
    ),
  });
const expectRefusal = (template: Resources, message: RegExp): void =>
  expect(() => gateway.provision(template)).toThrow(message);

/** AWS CloudFormation Template Reference, AWS::ApiGateway::…: anything not supported is rejected by name. */
describe('a template is refused with', () => {
  it.each([
    [{ EndpointConfiguration: { Types: ['NEAR'] } }, /EndpointConfiguration/],
    [{ SecurityPolicy: 'TLS_1_3' }, /SecurityPolicy/],
    [{ SecurityPolicy: 'SecurityPolicy_TLS13_1_3_2025_09' }, /EndpointAccessMode/],
  ])('a REST API of %j', (properties, message) => expectRefusal(apiTemplate({ api: properties }), message));

  it('a policy over 8,192 characters', () => {
    const statement = { Effect: 'Deny', Principal: '*', Action: '*', Resource: '*' };
    const Policy = { Statement: { Sid: 'x'.repeat(8192), ...statement } };

    expectRefusal(apiTemplate({ api: { Policy } }), /8192/);
  });

  it.each<[string, Resources, RegExp]>([
    ['an unknown path part', resources(['R', '/', 'a b']), /PathPart/],
    [
      'a child of a greedy part',
      resources(['R', '/', '{p+}'], ['S', 'R', 'a']),
      /child of a resource with a/,
    ],
    ['two of one name', resources(['R', '/', 'a'], ['S', '/', 'a']), /already has this name: \/a/],
    ['two sibling variables', resources(['R', '/', '{a}'], ['S', '/', '{b}']), /only one is allowed/],
    ['no methods', apiTemplate({ routes: {} }), /doesn't contain any methods/],
  ])('%s', (_, template, message) => expectRefusal(template, message));

  it.each([
    [{ AuthorizationType: 'COGNITO_USER_POOLS' }, /AuthorizationType/],
    [{ AuthorizationType: 'CUSTOM' }, /AuthorizerId goes with/],
    [{ AuthorizerId: 'x' }, /AuthorizerId goes with/],
    [{ AuthorizationType: 'CUSTOM', AuthorizerId: 'x' }, /no authorizer x/],
    [{ MethodResponses: [{ StatusCode: 'default' }] }, /\[1-5\].*\n.*MethodResponses\[0\].StatusCode/],
  ])('a method of %j', (properties, message) => expectRefusal(withMethod(properties), message));

  it.each([
    [{ Type: 'MOCK' }, /Type/],
    [{ IntegrationHttpMethod: 'GET' }, /POST/],
    [{ Uri: uriOf('backend:live') }, /version or alias/],
    [{ TimeoutInMillis: 29_001 }, /TimeoutInMillis/],
  ])('an integration of %j', (properties, message) => {
    const usual = { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: uriOf('backend') };

    expectRefusal(withMethod({ Integration: { ...usual, ...properties } }), message);
  });

  it.each([
    [{ IdentitySource: 'method.request.querystring.q' }, /one header/],
    [{}, /one header/],
    [{ IdentitySource: 'method.request.body' }, /unknown identity source/],
    [{ Type: 'REQUEST' }, /needs an IdentitySource/],
    [{ Type: 'REQUEST', IdentitySource: 'context.path', IdentityValidationExpression: 'x' }, /for TOKEN/],
    [
      { IdentitySource: 'method.request.header.A', IdentityValidationExpression: '(' },
      /not a regular expression/,
    ],
    [
      { IdentitySource: 'method.request.header.A', AuthorizerResultTtlInSeconds: 3601 },
      /AuthorizerResultTtlInSeconds/,
    ],
  ])('a TOKEN authorizer of %j', (properties, message) => {
    const usual = { Name: 'g', Type: 'TOKEN', AuthorizerUri: uriOf('backend') };

    expectRefusal(withMore('AWS::ApiGateway::Authorizer', { ...usual, ...properties }), message);
  });

  it.each([
    [{ ResponseType: 'TEAPOT' }, /ResponseType/],
    [{ ResponseTemplates: { 'application/json': '$context.secret' } }, /unknown variable \$context.secret/],
    [{ ResponseTemplates: { 'application/json': '$util.escapeJavaScript(1)' } }, /unknown variable \$util/],
    [
      { ResponseParameters: { 'gatewayresponse.header.X': 'method.request.body.a' } },
      /method.request.body.a/,
    ],
    [{ ResponseParameters: { 'gatewayresponse.path.X': "'a'" } }, /gatewayresponse.path.X/],
  ])('a gateway response of %j', (properties, message) =>
    expectRefusal(
      withMore('AWS::ApiGateway::GatewayResponse', { ResponseType: 'DEFAULT_4XX', ...properties }),
      message,
    ),
  );

  it.each([
    [{ StageName: 'v1.0' }, /StageName/],
    [{ CacheClusterEnabled: true }, /CacheClusterEnabled/],
    [{ DeploymentId: 'x' }, /no deployment x/],
  ])('a stage of %j', (stage, message) => expectRefusal(apiTemplate({ stage }), message));

  it.each([
    [{ DataTraceEnabled: true }, /DataTraceEnabled/],
    [{ HttpMethod: 'GET' }, /for one method/],
    [{ LoggingLevel: 'ERROR' }, /role ARN must be set/],
  ])('settings for all methods of %j', (settings, message) => expectRefusal(withSettings(settings), message));

  it.each([
    ['headers', '$context.requestId $input.params', /unknown variable \$input.params/],
    ['no id', '$context.status', /must have \$context.requestId/],
    ['stage variables', '$context.requestId $stageVariables.a', /only \$context/],
  ])('an access log with %s', (_, Format, message) => {
    gateway.apis.cloudWatchRoleArn = 'arn:aws:iam::111111111111:role/logging';
    const DestinationArn = { 'Fn::GetAtt': ['Logs', 'Arn'] };
    const more = { Logs: { Type: 'AWS::Logs::LogGroup', Properties: {} } };

    expectRefusal(apiTemplate({ more, stage: { AccessLogSetting: { DestinationArn, Format } } }), message);
  });
});

describe('created resources', () => {
  it('answer Ref and Fn::GetAtt', () => {
    const { resources: created } = gateway.provision(
      apiTemplate({
        more: {
          Custom: gatewayResponse('THROTTLED', {}),
          Model: { Type: 'AWS::ApiGateway::Model', Properties: {} },
          Validator: { Type: 'AWS::ApiGateway::RequestValidator', Properties: { ...api, Name: 'v' } },
        },
      }),
    );

    const { id, resources, stages } = gateway.api;
    const [rootResourceId] = resources.keys();
    expect(created.get('Api')).toMatchObject({
      ref: id,
      attributes: { RestApiId: id, RootResourceId: rootResourceId },
    });
    expect(created.get('Stage')).toMatchObject({ ref: 'v1', attributes: {} });
    expect(Object.keys(created.get('Deployment')!.attributes)).toEqual(['DeploymentId']);
    expect(Object.keys(created.get('Validator')!.attributes)).toEqual(['RequestValidatorId']);
    expect([...stages.keys()]).toEqual(['v1']);
    expect(id).toMatch(/^[a-z0-9]{10}$/);
  });

  it('gives a reason for every type without effect', () => {
    const types = Object.values(apiGatewayResourceTypes(new RestApis())).filter((type) => 'reason' in type);

    expect(types).toHaveLength(11);
    expect(types.every((type) => (type as { reason?: string }).reason)).toBe(true);
  });
});

/** API Gateway developer guide: set-up-deployments (a deployment is a snapshot). */
describe('a deployment', () => {
  it('does not have methods, gateway responses and authorizers that were added after it', async () => {
    const template = apiTemplate({ routes: { 'GET /a': {}, 'GET /b': {} } });
    const late = { ...template['Method1']!, DependsOn: ['Deployment'] };
    const dependsOn = template['Deployment']!.DependsOn!.filter((id) => id !== 'Method1');
    gateway.provision({
      ...template,
      Method1: late,
      Deployment: { ...template['Deployment']!, DependsOn: dependsOn },
      Custom: { ...gatewayResponse('DEFAULT_4XX', { StatusCode: '499' }), DependsOn: ['Deployment'] },
    });
    await gateway.start();

    const replies = [await gateway.call('/a'), await gateway.call('/b')];

    expect(replies.map(({ status }) => status)).toEqual([200, 403]);
  });
});

describe('an update', () => {
  const redeployed = (template: Resources): Resources => {
    const { Deployment, Stage, ...others } = template;
    const DeploymentId = { Ref: 'Next' };
    return {
      ...others,
      Next: Deployment!,
      Stage: { ...Stage!, Properties: { ...Stage!.Properties, DeploymentId } },
    };
  };

  it('changes what a stage serves once it gets another deployment, at the same address', async () => {
    gateway.addFunction('other', () => ({ statusCode: 201 }));
    const created = gateway.provision(apiTemplate());
    await gateway.start();
    const statusOf = async () => (await gateway.call('/items', { method: 'POST' })).status;
    const changed = apiTemplate({
      routes: {
        'POST /items': {
          Integration: { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: uriOf('other') },
        },
      },
    });

    const statuses = [await statusOf()];
    const updated = gateway.provision(changed, created);
    statuses.push(await statusOf());
    gateway.provision(redeployed(changed), updated);
    statuses.push(await statusOf());

    expect(statuses).toEqual([200, 200, 201]);
    expect(gateway.api.deployments.size).toBe(1);
  });

  it('deletes an API with everything in it', () => {
    gateway.provision({}, gateway.provision(apiTemplate()));

    expect(gateway.apis.byId.size).toBe(0);
  });
});
