import { type PolicyDocument } from '../account';
import { failure, type ResourceContext } from '../template/resource-type';
import { type GatewayResponse, type GatewayResponseType } from './gateway-response';
import { type StageThrottle } from './throttling';
import { UsagePlans } from './usage-plans';

/** A Lambda function that API Gateway invokes: with the rights of a role, or else by the function's own policy. */
export interface LambdaTarget {
  functionArn: string;
  credentialsRoleArn?: string;
}

/** Where a method's authorization comes from. */
export type MethodAuthorization =
  { type: 'NONE' } | { type: 'AWS_IAM' } | { type: 'CUSTOM'; authorizerId: string };

export interface ApiMethod {
  /** `ANY` stands for every method that the resource doesn't have by name. */
  httpMethod: string;
  authorization: MethodAuthorization;
  isApiKeyRequired: boolean;
  integration: LambdaTarget & { timeoutMs: number };
}

export interface ApiResource {
  id: string;
  /** Absent for the root alone. */
  parentId?: string;
  /** `/tenants/{tenantId}`. */
  path: string;
  /** By HTTP method. */
  methods: ReadonlyMap<string, ApiMethod>;
}

/** Which part of a request tells an authorizer who calls. */
export interface IdentitySource {
  from: 'header' | 'querystring' | 'stageVariables' | 'context';
  name: string;
}

export interface Authorizer {
  id: string;
  type: 'TOKEN' | 'REQUEST';
  target: LambdaTarget;
  identitySources: readonly IdentitySource[];
  /** What the token must look like; others get 401 without asking the function. */
  tokenPattern?: RegExp;
  /** 0: results are not kept. */
  resultTtlSec: number;
}

/** What a deployment fixes: later changes of the API reach callers only with the next deployment. */
export interface ApiDefinition {
  policy?: PolicyDocument;
  /** Where an API key comes from: the header `X-API-Key`, or what a Lambda authorizer answers. */
  apiKeySource: 'HEADER' | 'AUTHORIZER';
  resources: ReadonlyMap<string, ApiResource>;
  authorizers: ReadonlyMap<string, Authorizer>;
  gatewayResponses: ReadonlyMap<GatewayResponseType, GatewayResponse>;
}

export interface Stage {
  name: string;
  definition: ApiDefinition;
  variables: Readonly<Record<string, string>>;
  throttles: readonly StageThrottle[];
  accessLog?: { logGroupName: string; format: string };
}

/** What an API says of itself, for people. */
interface Documentation {
  /** Where it says something. */
  locations: Set<string>;
  versions: Set<string>;
}

/** A REST API as its resources in the template make it, step by step. */
export interface RestApi extends ApiDefinition {
  id: string;
  name: string;
  rootResourceId: string;
  /** The lowest version of TLS that its security policy admits; the server as a whole admits none below 1.2. */
  isTls13Only: boolean;
  resources: Map<string, ApiResource & { methods: Map<string, ApiMethod> }>;
  authorizers: Map<string, Authorizer>;
  gatewayResponses: Map<GatewayResponseType, GatewayResponse>;
  deployments: Map<string, ApiDefinition>;
  documentation: Documentation;
  stages: Map<string, Stage>;
}

/** The REST APIs of the account and region, and the settings that they share. */
export class RestApis {
  /** By id. */
  readonly apis = new Map<string, RestApi>();
  /** The role with which API Gateway writes logs: one per account and AWS region, set by an `AWS::ApiGateway::Account`. */
  cloudWatchRoleArn: string | undefined;
  readonly usage = new UsagePlans();
}

/** The definition as it is now, untouched by what is added to the API afterwards. */
export function snapshotOf(api: RestApi): ApiDefinition {
  const { policy, apiKeySource, resources, authorizers, gatewayResponses } = api;
  return {
    apiKeySource,
    ...(policy === undefined ? {} : { policy }),
    resources: new Map(
      [...resources].map(([id, resource]) => [id, { ...resource, methods: new Map(resource.methods) }]),
    ),
    authorizers: new Map(authorizers),
    gatewayResponses: new Map(gatewayResponses),
  };
}

/** An id as API Gateway makes it: lower-case letters and digits. */
export function createdId({ random }: ResourceContext, length: number): string {
  return random(length).toLowerCase();
}

/** @throws {TemplateError} */
export function requireApi(apis: RestApis, id: string, context: ResourceContext): RestApi {
  const api = apis.apis.get(id);
  if (!api) throw failure('not_found', context, `the account has no REST API ${id}`);
  return api;
}
