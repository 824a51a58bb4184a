import { type HttpsAnswer, type HttpsRequest, type Outputs, type System } from './system';
import { allow, arnOf, outputs, role, tagsOf, withStack } from './templates';

/** How long a new REST API, or a change of one, takes until it answers as it should. */
const NEW_API_SEC = 120;
/** What the authorizer accepts. */
export const RIGHT = { authorization: 'Probe right' };
/** What it refuses. */
export const WRONG = { authorization: 'Probe wrong' };
/** What the 401 of a request without credentials asks for. */
export const CHALLENGE = 'Probe';

/** The code of the function, which is also the authorizer. `GET /ID` fails in the way that the id names. */
const CODE = `
const ways = {
  crash: () => { throw new Error('as the probe asked'); },
  exit: () => process.exit(1),
  malformed: () => 'no response',
  slow: () => new Promise((resolve) => setTimeout(resolve, 20000)),
};
exports.handler = async ({ type, headers, methodArn, path, pathParameters, requestContext }) => {
  if (type === 'REQUEST') {
    const given = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization');
    if (given[1] !== '${RIGHT.authorization}') throw new Error('Unauthorized');
    const Statement = [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: methodArn }];
    const policyDocument = { Version: '2012-10-17', Statement };
    const key = process.env.API_KEY;
    return { principalId: 'probe', policyDocument, context: { caller: 'probe' }, ...(key && { usageIdentifierKey: key }) };
  }
  const way = ways[pathParameters.id];
  if (way) return way();
  const { path: contextPath, authorizer } = requestContext;
  const body = JSON.stringify({ path, contextPath, pathParameters, authorizer });
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
};
`;

export interface ApiSettings {
  /** Of its one method, `GET /{id}`. @default 'NONE' */
  readonly authorization?: 'NONE' | 'AWS_IAM' | 'CUSTOM';
  /** The function's. @default 10 */
  readonly timeoutSec?: number;
  /** `Quota` and `Throttle` of a usage plan, whose key the authorizer supplies. @default none */
  readonly usagePlan?: object;
  /** More properties of the stage. */
  readonly stage?: object;
  /** Properties that replace those of the API. */
  readonly api?: object;
  /** More of the stack. */
  readonly more?: { readonly resources?: object; readonly outputs?: Readonly<Record<string, unknown>> };
}

const ofApi = { RestApiId: { Ref: 'Api' } };
/** Each response that API Gateway makes says of which type it is. */
const TEMPLATE = { 'application/json': '{"type":"$context.error.responseType"}' };

const gatewayResponse = (ResponseType: string, more: object = {}) => ({
  Type: 'AWS::ApiGateway::GatewayResponse',
  Properties: { ...ofApi, ResponseType, ResponseTemplates: TEMPLATE, ...more },
});

/** A stack with a REST API of one method and its function. Its stage is `v1`. */
export function restApiTemplate(system: System, settings: ApiSettings): object {
  const { authorization = 'NONE', timeoutSec = 10, usagePlan, stage, api, more } = settings;
  const invocationUri = {
    'Fn::Sub':
      'arn:${AWS::Partition}:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${Function.Arn}/invocations',
  };
  const isCustom = authorization === 'CUSTOM';
  const hasPlan = usagePlan !== undefined;
  return {
    Resources: {
      Log: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 1, Tags: tagsOf(system) } },
      FunctionRole: role(system, 'lambda.amazonaws.com', [
        allow(['logs:CreateLogStream', 'logs:PutLogEvents'], arnOf('Log')),
      ]),
      Function: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          Code: { ZipFile: CODE },
          ...{ Handler: 'index.handler', Runtime: 'nodejs22.x', Timeout: timeoutSec },
          Role: arnOf('FunctionRole'),
          LoggingConfig: { LogGroup: { Ref: 'Log' } },
          ...(hasPlan && { Environment: { Variables: { API_KEY: keyOf(system) } } }),
          Tags: tagsOf(system),
        },
      },
      Permission: {
        Type: 'AWS::Lambda::Permission',
        Properties: {
          ...{ Action: 'lambda:InvokeFunction', FunctionName: { Ref: 'Function' } },
          Principal: 'apigateway.amazonaws.com',
          SourceArn: {
            'Fn::Sub': 'arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${Api}/*',
          },
        },
      },
      Api: {
        Type: 'AWS::ApiGateway::RestApi',
        Properties: {
          Name: `${system.prefix}-probe`,
          EndpointConfiguration: { Types: ['REGIONAL'] },
          ...(hasPlan && { ApiKeySourceType: 'AUTHORIZER' }),
          Tags: tagsOf(system),
          ...api,
        },
      },
      Default4xx: gatewayResponse('DEFAULT_4XX'),
      Default5xx: gatewayResponse('DEFAULT_5XX', { StatusCode: '500' }),
      Unauthorized: gatewayResponse('UNAUTHORIZED', {
        StatusCode: '401',
        ResponseParameters: { 'gatewayresponse.header.WWW-Authenticate': `'${CHALLENGE}'` },
      }),
      ...(isCustom && {
        Authorizer: {
          Type: 'AWS::ApiGateway::Authorizer',
          Properties: {
            ...{ ...ofApi, Name: 'probe', Type: 'REQUEST', AuthorizerUri: invocationUri },
            IdentitySource: 'method.request.header.Authorization',
            AuthorizerResultTtlInSeconds: 0,
          },
        },
      }),
      Item: {
        Type: 'AWS::ApiGateway::Resource',
        Properties: { ...ofApi, ParentId: { 'Fn::GetAtt': ['Api', 'RootResourceId'] }, PathPart: '{id}' },
      },
      Method: {
        Type: 'AWS::ApiGateway::Method',
        Properties: {
          ...{ ...ofApi, ResourceId: { Ref: 'Item' }, HttpMethod: 'GET' },
          AuthorizationType: authorization,
          ...(isCustom && { AuthorizerId: { Ref: 'Authorizer' } }),
          ...(hasPlan && { ApiKeyRequired: true }),
          Integration: { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: invocationUri },
        },
      },
      Deployment: {
        Type: 'AWS::ApiGateway::Deployment',
        DependsOn: ['Method', 'Default4xx', 'Default5xx', 'Unauthorized'],
        Properties: ofApi,
      },
      Stage: {
        Type: 'AWS::ApiGateway::Stage',
        Properties: {
          ...{ ...ofApi, DeploymentId: { Ref: 'Deployment' }, StageName: 'v1', Tags: tagsOf(system) },
          ...stage,
        },
      },
      ...(hasPlan && usagePlanResources(system, usagePlan)),
      ...more?.resources,
    },
    Outputs: outputs({
      Url: { 'Fn::Sub': 'https://${Api}.execute-api.${AWS::Region}.${AWS::URLSuffix}/v1' },
      ...{ ApiId: { Ref: 'Api' }, FunctionName: { Ref: 'Function' }, LogGroup: { Ref: 'Log' } },
      ...more?.outputs,
    }),
  };
}

/** The value of the plan's API key: at least 20 letters and digits, and no other run's. It opens nothing. */
const keyOf = ({ prefix }: System) => `probe${prefix.replaceAll('-', '')}`.padEnd(30, '0');

function usagePlanResources(system: System, limits: object): object {
  return {
    Key: {
      Type: 'AWS::ApiGateway::ApiKey',
      Properties: {
        ...{ Name: `${system.prefix}-probe`, Value: keyOf(system), Enabled: true },
        Tags: tagsOf(system),
      },
    },
    Plan: {
      Type: 'AWS::ApiGateway::UsagePlan',
      Properties: {
        UsagePlanName: `${system.prefix}-probe`,
        ApiStages: [{ ApiId: { Ref: 'Api' }, Stage: { Ref: 'Stage' } }],
        ...limits,
        Tags: tagsOf(system),
      },
    },
    PlanKey: {
      Type: 'AWS::ApiGateway::UsagePlanKey',
      Properties: { KeyId: { Ref: 'Key' }, KeyType: 'API_KEY', UsagePlanId: { Ref: 'Plan' } },
    },
  };
}

/** Deploys such a stack, looks, and deletes it. @throws {DeploymentFailed} */
export function withRestApi<Result>(
  system: System,
  settings: ApiSettings,
  look: (api: RestApi) => Promise<Result>,
): Promise<Result> {
  return withStack(system, restApiTemplate(system, settings), (outputsOfStack) =>
    look(new RestApi(system, outputsOfStack)),
  );
}

/** An answer, with the type of gateway response if API Gateway made it. */
export type ApiAnswer = HttpsAnswer & { readonly type: string | undefined };

/** A REST API of a stack. */
export class RestApi {
  readonly outputs: Outputs;
  readonly #system: System;

  constructor(system: System, outputsOfStack: Outputs) {
    this.#system = system;
    this.outputs = outputsOfStack;
  }

  async get(path: string, options: HttpsRequest = {}): Promise<ApiAnswer> {
    const answer = await this.#system.request(`${this.outputs.Url!}${path}`, options);
    return { ...answer, type: /"type": ?"([A-Z0-9_]+)"/.exec(answer.body)?.[1] };
  }

  /** Sends requests at the same time. */
  burst(count: number, path: string, options: HttpsRequest = {}): Promise<ApiAnswer[]> {
    return Promise.all(Array.from({ length: count }, () => this.get(path, options)));
  }

  /** Sends a request until the answer is as it should be. @throws {Error} named `ApiNotReady`, if that takes too long */
  async ready(
    path: string,
    options: HttpsRequest = {},
    isReady: (answer: ApiAnswer) => boolean = ({ status }) => status === 200,
  ): Promise<ApiAnswer> {
    const look = async () => {
      // A new host name cannot be resolved at once.
      const answer = await this.get(path, options).catch(() => undefined);
      return answer !== undefined && isReady(answer) ? answer : undefined;
    };
    const answer = await this.#system.time.until(look, { withinSec: NEW_API_SEC });
    if (answer === undefined)
      throw Object.assign(new Error('the API does not answer as it should'), { name: 'ApiNotReady' });
    return answer;
  }
}
