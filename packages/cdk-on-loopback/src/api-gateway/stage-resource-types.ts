import { z } from 'zod';
import {
  alreadyExists,
  description,
  invalidTemplate,
  irrelevant,
  notFound,
  notSupported,
  only,
  type ResourceContext,
  resourceType,
  type ResourceType,
  tags,
} from '../template/resource-type';
import { unknownVariables } from './context-variables';
import { createdId, requireApi, type RestApis, snapshotOf, type Stage } from './rest-api';
import { ACCOUNT_LIMIT, type StageThrottle } from './throttling';

export const deployment = (apis: RestApis): ResourceType =>
  resourceType(
    z.strictObject({ RestApiId: z.string(), Description: description }),
    ({ RestApiId }, context) => {
      const api = requireApi(apis, RestApiId, context);
      if (![...api.resources.values()].some(({ methods }) => methods.size > 0)) {
        throw invalidTemplate(context, "The REST API doesn't contain any methods");
      }
      const id = createdId(context, 6);
      api.deployments.set(id, snapshotOf(api));
      return { ref: id, attributes: { DeploymentId: id } };
    },
    {
      replacedBy: ['RestApiId'],
      update: () => undefined,
      delete: ({ ref, properties }) => void apis.byId.get(properties.RestApiId)?.deployments.delete(ref),
    },
  );

/** A rate limit in requests per second, or a burst limit in requests. */
const limit = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .transform(Number),
  ])
  .pipe(z.number().min(0));
const methodSetting = z.strictObject({
  ResourcePath: z.string().startsWith('/').optional(),
  HttpMethod: z.string().optional(),
  ThrottlingRateLimit: limit.optional(),
  ThrottlingBurstLimit: limit.optional(),
  LoggingLevel: z.enum(['OFF', 'ERROR', 'INFO']).default('OFF'),
  DataTraceEnabled: only(false),
  MetricsEnabled: irrelevant('there are no metrics of single methods here'),
  CachingEnabled: only(false),
});
type MethodSetting = z.output<typeof methodSetting>;

const logFormat = z.string().superRefine((format, issues) => {
  for (const unknown of unknownVariables(format)) {
    issues.addIssue({ code: 'custom', message: `unknown variable ${unknown}` });
  }
  if (/\$stageVariables/.test(format))
    issues.addIssue({ code: 'custom', message: 'only $context variables' });
  if (!/\$context\.(?:requestId|extendedRequestId)\b/.test(format)) {
    issues.addIssue({
      code: 'custom',
      message: 'must have $context.requestId or $context.extendedRequestId',
    });
  }
});

export const stage = (apis: RestApis): ResourceType =>
  resourceType(
    z.strictObject({
      RestApiId: z.string(),
      StageName: z.string().regex(/^[\w-]{1,128}$/),
      DeploymentId: z.string(),
      Variables: z.record(z.string().regex(/^\w+$/), z.string()).default({}),
      MethodSettings: z.array(methodSetting).default([]),
      AccessLogSetting: z.strictObject({ DestinationArn: z.string(), Format: logFormat }).optional(),
      TracingEnabled: irrelevant('there is no X-Ray here'),
      CacheClusterEnabled: only(false),
      DocumentationVersion: irrelevant('documentation changes no response'),
      Description: description,
      Tags: tags,
    }),
    (properties, context) => {
      const { RestApiId, StageName, DeploymentId, Variables, MethodSettings, AccessLogSetting } = properties;
      const api = requireApi(apis, RestApiId, context);
      const definition = api.deployments.get(DeploymentId);
      if (!definition) throw notFound(context, `the API has no deployment ${DeploymentId}`);
      if (api.stages.has(StageName)) throw alreadyExists(context, `stage ${StageName} already exists`);
      const writesLogs =
        AccessLogSetting !== undefined || MethodSettings.some(({ LoggingLevel }) => LoggingLevel !== 'OFF');
      if (writesLogs && apis.cloudWatchRoleArn === undefined) {
        throw invalidTemplate(
          context,
          'CloudWatch Logs role ARN must be set in account settings to enable logging',
        );
      }
      const created: Stage = {
        name: StageName,
        deploymentId: DeploymentId,
        definition,
        variables: Variables,
        throttles: MethodSettings.flatMap((setting) => throttleOf(setting, context)),
      };
      if (AccessLogSetting) {
        const { DestinationArn, Format } = AccessLogSetting;
        created.accessLog = { logGroupName: logGroupOf(DestinationArn, context), format: Format };
      }
      api.stages.set(StageName, created);
      return { ref: StageName, attributes: {} };
    },
    {
      replacedBy: ['RestApiId', 'StageName'],
      delete: ({ ref, properties }) => void apis.byId.get(properties.RestApiId)?.stages.delete(ref),
    },
  );

/** Parses a method setting, whose path has `~1` for every slash but the first. `/*` and `*` apply to all methods. */
function throttleOf(setting: MethodSetting, context: ResourceContext): StageThrottle[] {
  const { ResourcePath = '', HttpMethod = '', ThrottlingRateLimit, ThrottlingBurstLimit } = setting;
  if ((ResourcePath === '/*') !== (HttpMethod === '*') || HttpMethod === '' || ResourcePath === '') {
    throw notSupported(context, 'MethodSettings are for one method, or for all with /* and *');
  }
  if (ThrottlingRateLimit === undefined && ThrottlingBurstLimit === undefined) return [];
  const path = ResourcePath.slice(1).replaceAll('~1', '/');
  return [
    {
      resourcePath: path === '*' ? '*' : path.startsWith('/') ? path : `/${path}`,
      httpMethod: HttpMethod,
      ratePerSec: ThrottlingRateLimit ?? ACCOUNT_LIMIT.ratePerSec,
      burst: ThrottlingBurstLimit ?? ACCOUNT_LIMIT.burst,
    },
  ];
}

function logGroupOf(arn: string, context: ResourceContext): string {
  const [, name] = /^arn:aws:logs:[^:]+:\d{12}:log-group:([^:]+)(?::\*)?$/.exec(arn) ?? [];
  if (name === undefined)
    throw notSupported(context, `AccessLogSetting.DestinationArn is not a log group: ${arn}`);
  if (!context.account.logGroups.has(name)) throw notFound(context, `the account has no log group ${name}`);
  return name;
}
