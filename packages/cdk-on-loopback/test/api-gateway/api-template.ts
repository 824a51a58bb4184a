/** ARNs of functions without the name. */
export const FUNCTION_PREFIX = 'arn:aws:lambda:eu-west-1:111111111111:function:';

export type Resources = Record<string, { Type: string; Properties: object; DependsOn?: string[] }>;

/** The `arn:aws:apigateway:…` of a function, for methods and authorizers. */
export function uriOf(functionName: string): string {
  return `arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/${FUNCTION_PREFIX}${functionName}/invocations`;
}

export interface ApiShape {
  /** By full path, the additional properties of its one method. */
  routes?: Record<string, object>;
  api?: object;
  stage?: object;
  more?: Resources;
}

/**
 * A template with an API `Api`, its stage `v1`, and for each route `METHOD /path` a method whose function is `backend`.
 * @param more resources that come before the deployment
 */
export function apiTemplate({
  routes = { 'POST /items': {} },
  api = {},
  stage = {},
  more = {},
}: ApiShape = {}): Resources {
  const resources: Resources = {
    Api: {
      Type: 'AWS::ApiGateway::RestApi',
      Properties: { Name: 'api', EndpointConfiguration: { Types: ['REGIONAL'] }, ...api },
    },
    ...more,
  };
  for (const [n, [route, properties]] of Object.entries(routes).entries()) {
    const [httpMethod, path] = route.split(' ') as [string, string];
    resources[`Method${n}`] = {
      Type: 'AWS::ApiGateway::Method',
      Properties: {
        RestApiId: { Ref: 'Api' },
        ResourceId: addResource(resources, path),
        HttpMethod: httpMethod,
        AuthorizationType: 'NONE',
        Integration: { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: uriOf('backend') },
        ...properties,
      },
    };
  }
  const dependsOn = Object.keys(resources);
  resources['Deployment'] = {
    Type: 'AWS::ApiGateway::Deployment',
    DependsOn: dependsOn,
    Properties: { RestApiId: { Ref: 'Api' } },
  };
  resources['Stage'] = {
    Type: 'AWS::ApiGateway::Stage',
    Properties: { RestApiId: { Ref: 'Api' }, DeploymentId: { Ref: 'Deployment' }, StageName: 'v1', ...stage },
  };
  return resources;
}

function addResource(resources: Resources, path: string): object {
  if (path === '/') return { 'Fn::GetAtt': ['Api', 'RootResourceId'] };
  const at = path.lastIndexOf('/');
  const id = `Resource${Buffer.from(path).toString('hex')}`;
  resources[id] ??= {
    Type: 'AWS::ApiGateway::Resource',
    Properties: {
      RestApiId: { Ref: 'Api' },
      ParentId: addResource(resources, path.slice(0, at) || '/'),
      PathPart: path.slice(at + 1),
    },
  };
  return { Ref: id };
}

/** A gateway response of the API for one type. */
export function gatewayResponse(type: string, properties: object): Resources[string] {
  return {
    Type: 'AWS::ApiGateway::GatewayResponse',
    Properties: { RestApiId: { Ref: 'Api' }, ResponseType: type, ...properties },
  };
}
