import { z } from 'zod';
import {
  description,
  failure,
  only,
  physicalName,
  resourceType,
  stateOf,
  tags,
  wholeNumber,
  type ResourceContext,
  type ResourceType,
} from '../template/resource-type';
import { createdId, requireApi, type RestApis } from './rest-api';
import { limit } from './stage-resource-types';
import { hasStage, type UsagePlan } from './usage-plans';

/** @see AWS CloudFormation Template Reference, AWS::ApiGateway::ApiKey */
export const apiKey = ({ usage }: RestApis): ResourceType =>
  resourceType(
    z.strictObject({
      Name: z.string().optional(),
      Value: z
        .string()
        .regex(/^[A-Za-z0-9]{20,128}$/, '20–128 letters and digits')
        .optional(),
      Enabled: z.boolean().default(false),
      GenerateDistinctId: only(false),
      Description: description,
      Tags: tags,
    }),
    ({ Value, Enabled }, context) => {
      const value = Value ?? context.random(40);
      // The value may be a credential, so the message leaves it out.
      if ([...usage.keys.values()].some((key) => key.value === value)) {
        throw failure('already_exists', context, 'an API key of this value already exists');
      }
      const id = createdId(context, 10);
      usage.keys.set(id, { id, value, isEnabled: Enabled });
      return { ref: id, attributes: { APIKeyId: id } };
    },
    { replacedBy: ['GenerateDistinctId', 'Name', 'Value'], delete: ({ ref }) => void usage.keys.delete(ref) },
  );

const usagePlanProperties = z.strictObject({
  UsagePlanName: z.string().optional(),
  ApiStages: z
    .array(
      z.strictObject({
        ApiId: z.string(),
        Stage: z.string(),
        // Limits for single methods are not supported.
        Throttle: z.strictObject({}).optional(),
      }),
    )
    .default([]),
  Throttle: z.strictObject({ RateLimit: limit, BurstLimit: limit }).optional(),
  Quota: z
    .strictObject({
      Limit: wholeNumber,
      Period: z.enum(['DAY', 'WEEK', 'MONTH']),
      Offset: only(0),
    })
    .optional(),
  Description: description,
  Tags: tags,
});

/** @see AWS CloudFormation Template Reference, AWS::ApiGateway::UsagePlan */
export const usagePlan = (apis: RestApis): ResourceType =>
  resourceType(
    usagePlanProperties,
    (properties, context) => {
      const limits = limitsOf(apis, properties, context);
      const id = createdId(context, 6);
      apis.usage.plans.set(id, { id, ...limits, keyIds: new Set() });
      return { ref: id, attributes: { Id: id } };
    },
    {
      update: (properties, context, { ref }) => {
        Object.assign(stateOf(apis.usage.plans, ref, context), limitsOf(apis, properties, context));
      },
      delete: ({ ref }) => void apis.usage.plans.delete(ref),
    },
  );

function limitsOf(
  apis: RestApis,
  { ApiStages, Throttle, Quota }: z.output<typeof usagePlanProperties>,
  context: ResourceContext,
): Omit<UsagePlan, 'id' | 'keyIds'> {
  for (const { ApiId, Stage } of ApiStages) {
    if (!requireApi(apis, ApiId, context).stages.has(Stage))
      throw failure('not_found', context, `the API has no stage ${Stage}`);
  }
  return {
    stages: ApiStages.map(({ ApiId, Stage }) => ({ apiId: ApiId, stageName: Stage })),
    throttle: Throttle && { ratePerSec: Throttle.RateLimit, burst: Throttle.BurstLimit },
    quota: Quota && { limit: Quota.Limit, period: Quota.Period },
  };
}

/** @see AWS CloudFormation Template Reference, AWS::ApiGateway::UsagePlanKey */
export const usagePlanKey = ({ usage }: RestApis): ResourceType =>
  resourceType(
    z.strictObject({ KeyId: z.string(), KeyType: z.literal('API_KEY'), UsagePlanId: z.string() }),
    ({ KeyId, UsagePlanId }, context) => {
      const plan = usage.plans.get(UsagePlanId);
      if (!plan) throw failure('not_found', context, `the account has no usage plan ${UsagePlanId}`);
      if (!usage.keys.has(KeyId)) throw failure('not_found', context, `the account has no API key ${KeyId}`);
      refuseSecondPlan([...usage.plans.values()], plan, KeyId, context);
      plan.keyIds.add(KeyId);
      const id = physicalName(context);
      return { ref: id, attributes: { Id: id } };
    },
    {
      replacedBy: ['KeyId', 'KeyType', 'UsagePlanId'],
      delete: ({ properties: { KeyId, UsagePlanId } }) =>
        void usage.plans.get(UsagePlanId)?.keyIds.delete(KeyId),
    },
  );

/** @see API Gateway developer guide, api-gateway-api-usage-plans: a key can be in one plan for each stage */
function refuseSecondPlan(
  plans: readonly UsagePlan[],
  { stages }: UsagePlan,
  keyId: string,
  context: ResourceContext,
): void {
  const taken = plans
    .filter(({ keyIds }) => keyIds.has(keyId))
    .flatMap((plan) => plan.stages)
    .find(({ apiId, stageName }) => hasStage(stages, apiId, stageName));
  if (taken) {
    throw failure(
      'already_exists',
      context,
      `the API key has a usage plan for stage ${taken.stageName} already`,
    );
  }
}
