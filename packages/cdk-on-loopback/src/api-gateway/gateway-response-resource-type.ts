import { z } from 'zod';
import { alreadyExists, physicalName, resourceType, type ResourceType } from '../template/resource-type';
import { isContextVariable, unknownVariables } from './context-variables';
import { GATEWAY_RESPONSE_STATUSES, type GatewayResponseType, type HeaderValue } from './gateway-response';
import { requireApi, type RestApis } from './rest-api';

const parameterValue = z.string().transform((text, issues): HeaderValue => {
  const [, literal] = /^'(.*)'$/s.exec(text) ?? [];
  if (literal !== undefined) return { from: 'static', text: literal };
  const [, context] = /^context\.(.+)$/.exec(text) ?? [];
  if (context !== undefined && isContextVariable(context)) return { from: 'context', name: context };
  const [, stageVariable] = /^stageVariables\.(\w+)$/.exec(text) ?? [];
  if (stageVariable !== undefined) return { from: 'stageVariables', name: stageVariable };
  const [, from, name] = /^method\.request\.(header|querystring|path)\.([\w.$-]+)$/.exec(text) ?? [];
  if (from && name) return { from: from as 'header' | 'querystring' | 'path', name };
  issues.addIssue({ code: 'custom', message: `not supported: ${text}` });
  return z.NEVER;
});
const template = z.string().superRefine((text, issues) => {
  for (const unknown of unknownVariables(text)) {
    issues.addIssue({ code: 'custom', message: `unknown variable ${unknown}` });
  }
});

export const gatewayResponse = (apis: RestApis): ResourceType =>
  resourceType(
    z.strictObject({
      RestApiId: z.string(),
      ResponseType: z.enum(Object.keys(GATEWAY_RESPONSE_STATUSES) as GatewayResponseType[]),
      StatusCode: z
        .string()
        .regex(/^[2-5]\d\d$/)
        .transform(Number)
        .optional(),
      ResponseParameters: z
        .record(z.string().regex(/^gatewayresponse\.header\.[\w!#$%&'*+.^`|~-]+$/), parameterValue)
        .default({}),
      ResponseTemplates: z.record(z.string().toLowerCase(), template).default({}),
    }),
    ({ RestApiId, ResponseType, StatusCode, ResponseParameters, ResponseTemplates }, context) => {
      const api = requireApi(apis, RestApiId, context);
      if (api.gatewayResponses.has(ResponseType)) {
        throw alreadyExists(context, `the API has a gateway response for ${ResponseType} already`);
      }
      const headers = Object.entries(ResponseParameters).map(([key, value]) => [
        key.split('.').slice(2).join('.'),
        value,
      ]);
      api.gatewayResponses.set(ResponseType, {
        statusCode: StatusCode,
        headers: Object.fromEntries(headers) as Record<string, HeaderValue>,
        templates: ResponseTemplates,
      });
      const id = physicalName(context);
      return { ref: id, attributes: { Id: id } };
    },
    {
      replacedBy: ['ResponseType', 'RestApiId'],
      delete: ({ properties: { RestApiId, ResponseType } }) =>
        void apis.byId.get(RestApiId)?.gatewayResponses.delete(ResponseType),
    },
  );
