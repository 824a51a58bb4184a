import { differs, type Probe, verdictOf } from '../probe';
import { restApiTemplate } from '../rest-api';
import { DeploymentFailed, type System } from '../system';
import { outputs, tagsOf, withStack } from '../templates';

const LIMITS = { Quota: { Limit: 1000, Period: 'DAY' } };

/** A stack with an API key, which is in the plan of another stack, if there is one. */
const keysTemplate = (system: System, planId: string | undefined) => ({
  Resources: {
    TenantKey: {
      Type: 'AWS::ApiGateway::ApiKey',
      Properties: { Name: `${system.prefix}-tenant`, Enabled: true, Tags: tagsOf(system) },
    },
    ...(planId !== undefined && {
      Membership: {
        Type: 'AWS::ApiGateway::UsagePlanKey',
        Properties: { KeyId: { Ref: 'TenantKey' }, KeyType: 'API_KEY', UsagePlanId: planId },
      },
    }),
  },
  Outputs: outputs({ KeyId: { Ref: 'TenantKey' } }),
});

export const usagePlanOfOthers: Probe = {
  id: 'usage-plan-of-others',
  group: 'deploy',
  subject: 'A usage plan that is deleted while keys of other stacks are in it',
  reliedOn:
    "CloudFormation deletes it, and treats each key's membership as deleted when that key's stack is deployed",
  otherwise: "the update fails until the tenants' stacks are deployed",
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteUsagePlan.html',
    'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-usageplankey.html',
  ],
  look: (system) => {
    const { prefix, stacks } = system;
    const keys = `${prefix}-keys`;
    const deployment = (usagePlan: object | undefined) =>
      restApiTemplate(system, {
        ...(usagePlan && { usagePlan, more: { outputs: { PlanId: { Ref: 'Plan' } } } }),
      });
    return withStack(system, deployment(LIMITS), async ({ PlanId }) => {
      let step = 'the plan';
      try {
        await stacks.deploy({ name: keys, template: keysTemplate(system, PlanId) });
        await stacks.deploy({ name: prefix, template: deployment(undefined) });
        step = 'the membership of a key';
        await stacks.deploy({ name: keys, template: keysTemplate(system, undefined) });
        return verdictOf(true, 'the plan was deleted, and so was the membership in it later');
      } catch (error) {
        if (!(error instanceof DeploymentFailed)) throw error;
        return differs(`${step} was not deleted: ${error.status ?? 'refused'}`);
      } finally {
        await stacks.delete(keys);
      }
    });
  },
};
