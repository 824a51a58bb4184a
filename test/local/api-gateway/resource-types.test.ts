import { apiGatewayResourceTypes } from '../../../local/api-gateway/resource-types';
import { RestApis } from '../../../local/api-gateway/rest-api';
import { apiTemplate, gatewayResponse, type Resources, uriOf } from './api-template';
import { Gateway } from './gateway';

let gateway: Gateway;
beforeEach(() => {
  gateway = new Gateway();
  gateway.addFunction('backend', () => ({ statusCode: 200 }));
});
afterEach(() => gateway.close());

const api = { RestApiId: { Ref: 'Api' } };
const withMethod = (properties: object): Resources => apiTemplate({ routes: { 'GET /a': properties } });
const integration = (properties: object): object => ({
  Integration: { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: uriOf('backend'), ...properties },
});
const authorizer = (properties: object): Resources =>
  apiTemplate({
    more: {
      Guard: {
        Type: 'AWS::ApiGateway::Authorizer',
        Properties: { Name: 'g', ...api, Type: 'TOKEN', AuthorizerUri: uriOf('backend'), ...properties },
      },
    },
  });
const response = (properties: object): Resources =>
  apiTemplate({ more: { Custom: gatewayResponse('DEFAULT_4XX', properties) } });
const resources = (...parts: [id: string, parent: string, part: string][]): Resources =>
  apiTemplate({
    more: Object.fromEntries(
      parts.map(([id, parent, PathPart]) => [
        id,
        {
          Type: 'AWS::ApiGateway::Resource',
          Properties: {
            ...api,
            ParentId: parent === '/' ? { 'Fn::GetAtt': ['Api', 'RootResourceId'] } : { Ref: parent },
            PathPart,
          },
        },
      ]),
    ),
  });

/** AWS CloudFormation Template Reference, AWS::ApiGateway::…: what isn't understood is refused by name. */
describe('refused templates', () => {
  it.each<[string, Resources, RegExp]>([
    [
      'an EDGE endpoint',
      apiTemplate({ api: { EndpointConfiguration: { Types: ['EDGE'] } } }),
      /only REGIONAL/,
    ],
    [
      'a default endpoint',
      apiTemplate({ api: { EndpointConfiguration: undefined } }),
      /EndpointConfiguration/,
    ],
    ['an OpenAPI body', apiTemplate({ api: { Body: {} } }), /"Body"/],
    ['binary media types', apiTemplate({ api: { BinaryMediaTypes: ['*/*'] } }), /BinaryMediaTypes/],
    ['compression', apiTemplate({ api: { MinimumCompressionSize: 0 } }), /"MinimumCompressionSize"/],
    ['an unknown security policy', apiTemplate({ api: { SecurityPolicy: 'TLS_1_3' } }), /SecurityPolicy/],
    [
      'an enhanced one without access mode',
      apiTemplate({ api: { SecurityPolicy: 'SecurityPolicy_TLS13_1_3_2025_09' } }),
      /EndpointAccessMode/,
    ],
    [
      'a disabled endpoint',
      apiTemplate({ api: { DisableExecuteApiEndpoint: true } }),
      /DisableExecuteApiEndpoint/,
    ],
    [
      'a policy over 8,192 characters',
      apiTemplate({
        api: {
          Policy: {
            Statement: { Sid: 'x'.repeat(8192), Effect: 'Deny', Principal: '*', Action: '*', Resource: '*' },
          },
        },
      }),
      /8192/,
    ],
    ['an unknown path part', resources(['R', '/', 'a b']), /PathPart/],
    [
      'a child of a greedy part',
      resources(['R', '/', '{p+}'], ['S', 'R', 'a']),
      /child of a resource with a greedy/,
    ],
    ['two of one name', resources(['R', '/', 'a'], ['S', '/', 'a']), /already has this name: \/a/],
    ['two variables side by side', resources(['R', '/', '{a}'], ['S', '/', '{b}']), /only one is allowed/],
    ['Cognito', withMethod({ AuthorizationType: 'COGNITO_USER_POOLS' }), /AuthorizationType/],
    ['CUSTOM without an authorizer', withMethod({ AuthorizationType: 'CUSTOM' }), /AuthorizerId goes with/],
    ['an authorizer without CUSTOM', withMethod({ AuthorizerId: 'x' }), /AuthorizerId goes with/],
    [
      'an unknown authorizer',
      withMethod({ AuthorizationType: 'CUSTOM', AuthorizerId: 'x' }),
      /no authorizer x/,
    ],
    ['a request validator', withMethod({ RequestValidatorId: 'x' }), /"RequestValidatorId"/],
    ['another integration', withMethod(integration({ Type: 'MOCK' })), /Type/],
    ['an integration by GET', withMethod(integration({ IntegrationHttpMethod: 'GET' })), /POST/],
    [
      'an alias',
      withMethod(integration({ Uri: uriOf('backend').replace('backend', 'backend:live') })),
      /version or alias/,
    ],
    ['a timeout over 29 s', withMethod(integration({ TimeoutInMillis: 29_001 })), /TimeoutInMillis/],
    ['request templates', withMethod(integration({ RequestTemplates: {} })), /"RequestTemplates"/],
    [
      'a TOKEN authorizer by query',
      authorizer({ IdentitySource: 'method.request.querystring.q' }),
      /one header/,
    ],
    ['a TOKEN authorizer without source', authorizer({}), /one header/],
    [
      'an unknown identity source',
      authorizer({ IdentitySource: 'method.request.body' }),
      /unknown identity source/,
    ],
    ['kept results without a source', authorizer({ Type: 'REQUEST' }), /needs an IdentitySource/],
    [
      'a pattern for REQUEST',
      authorizer({ Type: 'REQUEST', IdentitySource: 'context.path', IdentityValidationExpression: 'x' }),
      /for TOKEN/,
    ],
    [
      'no regular expression',
      authorizer({ IdentitySource: 'method.request.header.A', IdentityValidationExpression: '(' }),
      /no regular expression/,
    ],
    [
      'results kept for too long',
      authorizer({ IdentitySource: 'method.request.header.A', AuthorizerResultTtlInSeconds: 3601 }),
      /AuthorizerResultTtlInSeconds/,
    ],
    [
      'an unknown gateway response',
      apiTemplate({ more: { Custom: gatewayResponse('TEAPOT', {}) } }),
      /ResponseType/,
    ],
    [
      'an unknown variable',
      response({ ResponseTemplates: { 'application/json': '$context.secret' } }),
      /unknown variable \$context.secret/,
    ],
    [
      'a template language',
      response({ ResponseTemplates: { 'application/json': '$util.escapeJavaScript(1)' } }),
      /unknown variable \$util/,
    ],
    [
      'an unknown parameter',
      response({ ResponseParameters: { 'gatewayresponse.header.X': 'method.request.body.a' } }),
      /method.request.body.a/,
    ],
    [
      'a parameter that is no header',
      response({ ResponseParameters: { 'gatewayresponse.path.X': "'a'" } }),
      /gatewayresponse.path.X/,
    ],
    ['a stage name with a dot', apiTemplate({ stage: { StageName: 'v1.0' } }), /StageName/],
    ['a canary', apiTemplate({ stage: { CanarySetting: {} } }), /"CanarySetting"/],
    ['a cache', apiTemplate({ stage: { CacheClusterEnabled: true } }), /CacheClusterEnabled/],
    ['an unknown deployment', apiTemplate({ stage: { DeploymentId: 'x' } }), /no deployment x/],
    [
      'logged bodies',
      apiTemplate({
        stage: { MethodSettings: [{ ResourcePath: '/*', HttpMethod: '*', DataTraceEnabled: true }] },
      }),
      /DataTraceEnabled/,
    ],
    [
      'settings for half of a stage',
      apiTemplate({ stage: { MethodSettings: [{ ResourcePath: '/*', HttpMethod: 'GET' }] } }),
      /for one method/,
    ],
    [
      'execution logs without a role',
      apiTemplate({
        stage: { MethodSettings: [{ ResourcePath: '/*', HttpMethod: '*', LoggingLevel: 'ERROR' }] },
      }),
      /role ARN must be set/,
    ],
    ['a deployment of nothing', apiTemplate({ routes: {} }), /doesn't contain any methods/],
  ])('%s', (_, template, message) => {
    expect(() => gateway.provision(template)).toThrow(message);
  });

  it.each([
    ['headers', '$context.requestId $input.params', /unknown variable \$input.params/],
    ['no id', '$context.status', /must have \$context.requestId/],
    ['stage variables', '$context.requestId $stageVariables.a', /only \$context/],
  ])('an access log with %s', (_, Format, message) => {
    gateway.apis.cloudWatchRoleArn = 'arn:aws:iam::111111111111:role/logging';
    const DestinationArn = { 'Fn::GetAtt': ['Logs', 'Arn'] };
    const more = { Logs: { Type: 'AWS::Logs::LogGroup', Properties: {} } };

    const provision = () =>
      gateway.provision(apiTemplate({ more, stage: { AccessLogSetting: { DestinationArn, Format } } }));

    expect(provision).toThrow(message);
  });
});

describe('created resources', () => {
  it('answer Ref and Fn::GetAtt', () => {
    const { resources: created } = gateway.provision(
      apiTemplate({ more: { Custom: gatewayResponse('THROTTLED', {}), ...noOps() } }),
    );

    const { id, rootResourceId, stages } = gateway.api;
    expect(created.get('Api')).toEqual({
      ref: id,
      attributes: { RestApiId: id, RootResourceId: rootResourceId },
    });
    expect(created.get('Stage')).toEqual({ ref: 'v1', attributes: {} });
    expect(Object.keys(created.get('Deployment')!.attributes)).toEqual(['DeploymentId']);
    expect(Object.keys(created.get('Validator')!.attributes)).toEqual(['RequestValidatorId']);
    expect([...stages.keys()]).toEqual(['v1']);
    expect(id).toMatch(/^[a-z0-9]{10}$/);
  });

  it('gives every type that makes no difference a reason', () => {
    const types = Object.values(apiGatewayResourceTypes(new RestApis())).filter((type) => 'reason' in type);

    expect(types).toHaveLength(2);
    expect(types.every((type) => (type as { reason?: string }).reason)).toBe(true);
  });

  function noOps(): Resources {
    return {
      Model: { Type: 'AWS::ApiGateway::Model', Properties: {} },
      Validator: { Type: 'AWS::ApiGateway::RequestValidator', Properties: { ...api, Name: 'v' } },
    };
  }
});

/** API Gateway developer guide: set-up-deployments (a deployment is a snapshot). */
describe('a deployment', () => {
  it('does not have methods, gateway responses and authorizers that come after it', async () => {
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
