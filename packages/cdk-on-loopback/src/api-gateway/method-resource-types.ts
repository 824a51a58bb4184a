import { z } from 'zod';
import {
  alreadyExists,
  invalidTemplate,
  irrelevant,
  notFound,
  only,
  physicalName,
  resourceType,
  type ResourceType,
  wholeNumber,
} from '../template/resource-type';
import { isContextVariable } from './context-variables';
import {
  createdId,
  requireApi,
  type Authorizer,
  type IdentitySource,
  type MethodAuthorization,
  type RestApis,
} from './rest-api';

const HTTP_METHODS = ['ANY', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const;

const functionUri = z.string().transform((uri, issues): string => {
  const [, arn] =
    /^arn:aws:apigateway:[^:]+:lambda:path\/2015-03-31\/functions\/(arn:aws:lambda:[^:]+:\d{12}:function:[\w-]+)\/invocations$/.exec(
      uri,
    ) ?? [];
  if (arn !== undefined) return arn;
  issues.addIssue({ code: 'custom', message: `only a Lambda function without a version or alias: ${uri}` });
  return z.NEVER;
});
const roleArn = z.string().regex(/^arn:aws:iam::\d{12}:role\//);
const timeoutMs = wholeNumber.pipe(z.number().min(50).max(29_000)).default(29_000);

/**
 * Has no effect, since a proxy integration answers whatever its function answers.
 * @see https://docs.aws.amazon.com/apigateway/latest/api/API_PutMethodResponse.html
 */
const methodResponse = z.strictObject({
  StatusCode: z.string().regex(/^[1-5]\d\d$/, '[1-5]\\d\\d'),
  ResponseModels: irrelevant('documentation'),
  ResponseParameters: irrelevant('for other integrations'),
});

export const method = (apis: RestApis): ResourceType =>
  resourceType(
    z.strictObject({
      RestApiId: z.string(),
      ResourceId: z.string(),
      HttpMethod: z.enum(HTTP_METHODS),
      AuthorizationType: z.enum(['NONE', 'AWS_IAM', 'CUSTOM']),
      AuthorizerId: z.string().optional(),
      ApiKeyRequired: irrelevant('no usage plan counts anything here'),
      OperationName: irrelevant('for generated clients'),
      RequestParameters: irrelevant('required only where there is a request validator'),
      RequestModels: irrelevant('documentation where there is no request validator'),
      MethodResponses: z.array(methodResponse).optional(),
      Integration: z.strictObject({
        Type: z.literal('AWS_PROXY'),
        IntegrationHttpMethod: z.literal('POST', 'Lambda is invoked with POST'),
        Uri: functionUri,
        Credentials: roleArn.optional(),
        TimeoutInMillis: timeoutMs,
        ConnectionType: only('INTERNET'),
        ResponseTransferMode: only('BUFFERED'),
        PassthroughBehavior: irrelevant('a proxy integration passes every body through'),
      }),
    }),
    (properties, context) => {
      const { RestApiId, ResourceId, HttpMethod, AuthorizationType, AuthorizerId, Integration } = properties;
      const api = requireApi(apis, RestApiId, context);
      const methods = api.resources.get(ResourceId)?.methods;
      if (!methods) throw notFound(context, `the API has no resource ${ResourceId}`);
      if (methods.has(HttpMethod)) throw alreadyExists(context, 'Method already exists for this resource');
      const authorization = authorizationOf(AuthorizationType, AuthorizerId);
      if (!authorization) {
        throw invalidTemplate(context, 'AuthorizerId goes with AuthorizationType CUSTOM, and only with it');
      }
      if (authorization.type === 'CUSTOM' && !api.authorizers.has(authorization.authorizerId)) {
        throw notFound(context, `the API has no authorizer ${authorization.authorizerId}`);
      }
      const { Uri, Credentials, TimeoutInMillis } = Integration;
      methods.set(HttpMethod, {
        httpMethod: HttpMethod,
        authorization,
        integration: { functionArn: Uri, credentialsRoleArn: Credentials, timeoutMs: TimeoutInMillis },
      });
      return { ref: physicalName(context), attributes: {} };
    },
    {
      replacedBy: ['HttpMethod', 'ResourceId', 'RestApiId'],
      delete: ({ properties: { RestApiId, ResourceId, HttpMethod } }) =>
        void apis.byId.get(RestApiId)?.resources.get(ResourceId)?.methods.delete(HttpMethod),
    },
  );

const identitySource = z.string().transform((text, issues): IdentitySource => {
  const [, method, stage, context] =
    /^(?:method\.request\.((?:header|querystring)\.[\w.-]+)|stageVariables\.(\w+)|context\.([\w.]+))$/.exec(
      text,
    ) ?? [];
  if (method !== undefined) {
    const at = method.indexOf('.');
    return { from: method.slice(0, at) as 'header' | 'querystring', name: method.slice(at + 1) };
  }
  if (stage !== undefined) return { from: 'stageVariables', name: stage };
  if (context !== undefined && isContextVariable(context)) return { from: 'context', name: context };
  issues.addIssue({ code: 'custom', message: `unknown identity source ${text}` });
  return z.NEVER;
});
const pattern = z.string().transform((text, issues): RegExp => {
  try {
    return new RegExp(`^(?:${text})$`, 's');
  } catch {
    issues.addIssue({ code: 'custom', message: `not a regular expression: ${text}` });
    return z.NEVER;
  }
});

export const authorizer = (apis: RestApis): ResourceType =>
  resourceType(
    z.strictObject({
      RestApiId: z.string(),
      Name: z.string(),
      Type: z.enum(['TOKEN', 'REQUEST']),
      AuthorizerUri: functionUri,
      AuthorizerCredentials: roleArn.optional(),
      AuthorizerResultTtlInSeconds: wholeNumber.pipe(z.number().max(3600)).default(300),
      IdentitySource: z
        .string()
        .transform((text) => text.split(',').map((source) => source.trim()))
        .pipe(z.array(identitySource))
        .default([]),
      IdentityValidationExpression: pattern.optional(),
      AuthType: irrelevant('for OpenAPI documents'),
    }),
    (properties, context) => {
      const { RestApiId, Type, AuthorizerUri, AuthorizerCredentials, IdentitySource } = properties;
      const api = requireApi(apis, RestApiId, context);
      const id = createdId(context, 6);
      const created: Authorizer = {
        id,
        type: Type,
        target: { functionArn: AuthorizerUri, credentialsRoleArn: AuthorizerCredentials },
        identitySources: IdentitySource,
        tokenPattern: properties.IdentityValidationExpression,
        resultTtlSec: properties.AuthorizerResultTtlInSeconds,
      };
      const problem = problemOf(created);
      if (problem !== undefined) throw invalidTemplate(context, problem);
      api.authorizers.set(id, created);
      return { ref: id, attributes: { AuthorizerId: id } };
    },
    {
      replacedBy: ['RestApiId'],
      delete: ({ ref, properties }) => void apis.byId.get(properties.RestApiId)?.authorizers.delete(ref),
    },
  );

/** @returns undefined if the type and the authorizer do not match */
function authorizationOf(
  type: MethodAuthorization['type'],
  authorizerId: string | undefined,
): MethodAuthorization | undefined {
  if (type === 'CUSTOM') return authorizerId === undefined ? undefined : { type, authorizerId };
  return authorizerId === undefined ? { type } : undefined;
}

/** @see API Gateway developer guide, configure-api-gateway-lambda-authorization */
function problemOf({ type, identitySources, tokenPattern, resultTtlSec }: Authorizer): string | undefined {
  if (type === 'TOKEN') {
    const isOneHeader = identitySources.length === 1 && identitySources[0]?.from === 'header';
    return isOneHeader ? undefined : 'a TOKEN authorizer has one header as IdentitySource';
  }
  if (tokenPattern) return 'IdentityValidationExpression is for TOKEN authorizers';
  if (identitySources.length === 0 && resultTtlSec > 0) {
    return 'a REQUEST authorizer whose results are kept needs an IdentitySource';
  }
  return undefined;
}
