import { differs, type Probe, verdictOf } from '../probe';
import { restApiTemplate, withRestApi } from '../rest-api';
import { DeploymentFailed } from '../system';
import { policy } from '../templates';

/** Nobody may call it: no VPC endpoint is needed to see whether the API stays the same. */
const PRIVATE = {
  EndpointConfiguration: { Types: ['PRIVATE'] },
  Policy: policy([
    { Effect: 'Deny', Principal: '*', Action: 'execute-api:Invoke', Resource: 'execute-api:/*' },
  ]),
};

export const privateApiKeepsId: Probe = {
  id: 'private-api-keeps-id',
  group: 'deploy',
  subject: 'A regional API that becomes private',
  reliedOn: 'it is updated in place and keeps its id',
  otherwise: 'callers need a new address',
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-api-migration.html',
    'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-restapi.html',
  ],
  look: (system) =>
    withRestApi(system, {}, async ({ outputs: { ApiId } }) => {
      const { prefix: name, stacks } = system;
      try {
        const template = restApiTemplate(system, { api: PRIVATE });
        const updated = (await stacks.deploy({ name, template }))[name]!;
        const isSame = updated.ApiId === ApiId;
        return verdictOf(isSame, `the private API has ${isSame ? 'the same' : 'another'} id`);
      } catch (error) {
        if (!(error instanceof DeploymentFailed)) throw error;
        return differs(`CloudFormation did not make it private: ${error.status ?? 'refused'}`);
      }
    }),
};
