import { type PolicyDocument } from '../account';
import { notFound, type ResourceContext } from '../template/resource-type';
import { defaultReadings, type Readings } from './readings';
import { type GatewayResponse, type GatewayResponseType } from './gateway-response';
import { type StageThrottle } from './throttling';

/** A Lambda function that API Gateway invokes: with a role's permissions, or else by the function's own policy. */
export interface LambdaTarget {
  functionArn: string;
  credentialsRoleArn?: string;
}

export type MethodAuthorization =
  { type: 'NONE' } | { type: 'AWS_IAM' } | { type: 'CUSTOM'; authorizerId: string };

export interface ApiMethod {
  /** `ANY` matches every method that the resource does not define. */
  httpMethod: string;
  authorization: MethodAuthorization;
  integration: LambdaTarget & { timeoutMs: number };
}

export interface ApiResource {
  id: string;
  /** Absent for the root. */
  parentId?: string;
  /** For example `/tenants/{tenantId}`. */
  path: string;
  /** By HTTP method. */
  methods: ReadonlyMap<string, ApiMethod>;
}

/** The part of a request that identifies the caller to an authorizer. */
export interface IdentitySource {
  from: 'header' | 'querystring' | 'stageVariables' | 'context';
  name: string;
}

export interface Authorizer {
  id: string;
  type: 'TOKEN' | 'REQUEST';
  target: LambdaTarget;
  identitySources: readonly IdentitySource[];
  /** The format of the token. Others get 401 without a call of the function. */
  tokenPattern?: RegExp;
  /** 0 disables the cache. */
  resultTtlSec: number;
}

/** The part of an API that a deployment freezes: later changes take effect with the next deployment. */
export interface ApiDefinition {
  policy?: PolicyDocument;
  resources: ReadonlyMap<string, ApiResource>;
  authorizers: ReadonlyMap<string, Authorizer>;
  gatewayResponses: ReadonlyMap<GatewayResponseType, GatewayResponse>;
}

export interface Stage {
  name: string;
  deploymentId: string;
  /** The one that the deployment has frozen. */
  definition: ApiDefinition;
  variables: Readonly<Record<string, string>>;
  throttles: readonly StageThrottle[];
  accessLog?: { logGroupName: string; format: string };
}

/** A REST API, as the template's resources build it up. */
export interface RestApi extends ApiDefinition {
  id: string;
  name: string;
  /** Whether only VPC endpoints lead to it. There are none here. */
  isPrivate: boolean;
  /** Whether its security policy requires TLS 1.3. The server accepts nothing below 1.2. */
  isTls13Only: boolean;
  resources: Map<string, ApiResource & { methods: Map<string, ApiMethod> }>;
  authorizers: Map<string, Authorizer>;
  gatewayResponses: Map<GatewayResponseType, GatewayResponse>;
  deployments: Map<string, ApiDefinition>;
  stages: Map<string, Stage>;
}

/** The account's REST APIs, and the settings that they share. */
export class RestApis {
  readonly byId = new Map<string, RestApi>();
  /** The role with which API Gateway writes logs, set by an `AWS::ApiGateway::Account`. */
  cloudWatchRoleArn: string | undefined;
  /** Which of several documented or recorded behaviors the requests get. */
  readonly readings: Readings = defaultReadings();
}

/** A copy of the current definition, which later changes of the API do not affect. */
export function snapshotOf(api: RestApi): ApiDefinition {
  const { policy, resources, authorizers, gatewayResponses } = api;
  return {
    policy,
    resources: new Map(
      [...resources].map(([id, resource]) => [id, { ...resource, methods: new Map(resource.methods) }]),
    ),
    authorizers: new Map(authorizers),
    gatewayResponses: new Map(gatewayResponses),
  };
}

/** An id in API Gateway's format: lower-case letters and digits. */
export function createdId({ random }: ResourceContext, length: number): string {
  return random(length).toLowerCase();
}

/** @throws {TemplateError} */
export function requireApi(apis: RestApis, id: string, context: ResourceContext): RestApi {
  const api = apis.byId.get(id);
  if (!api) throw notFound(context, `the account has no REST API ${id}`);
  return api;
}
