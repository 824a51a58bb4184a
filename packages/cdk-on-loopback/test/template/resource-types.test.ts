import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { apiGatewayResourceTypes } from '../../src/api-gateway/api-gateway-resource-types';
import { RestApis } from '../../src/api-gateway/rest-api';
import { rotationResourceTypes } from '../../src/rotation/rotation-resource-types';
import { RESOURCE_TYPES } from '../../src/template/resource-types';

test('the properties that replace a resource are those that AWS publishes', () => {
  const types = {
    ...RESOURCE_TYPES,
    ...apiGatewayResourceTypes(new RestApis()),
    ...rotationResourceTypes(undefined!),
  };
  const published = replacingProperties();

  const declared = Object.entries(types)
    .filter(([, type]) => !('reason' in type))
    .map(([name, type]) => [name, type.replacedBy ?? []] as const);

  for (const [name, replacedBy] of declared) {
    const known = published.get(name)!.filter((property) => !UNSUPPORTED.includes(`${name} ${property}`));
    expect([name, ...replacedBy]).toEqual([name, ...known.sort()]);
  }
});

/** Properties that no template may have here. */
const UNSUPPORTED = [
  'AWS::ApiGateway::Deployment DeploymentCanarySettings',
  'AWS::DynamoDB::Table ImportSourceSpecification',
  'AWS::Events::EventBus EventSourceName',
  'AWS::Lambda::Function TenancyConfig',
  'AWS::Lambda::Permission EventSourceToken',
  'AWS::Lambda::Permission FunctionUrlAuthType',
  'AWS::Lambda::Permission InvokedViaFunctionUrl',
];

/** From the specification of CloudFormation's resource types that the CDK compares templates with. */
function replacingProperties(): Map<string, string[]> {
  interface Specified {
    cloudFormationType: string;
    properties: Record<string, { causesReplacement?: string }>;
  }
  const file = join(dirname(require.resolve('aws-cdk/package.json')), 'db.json.gz');
  const { schema } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
    schema: { resource: { entities?: Record<string, Specified> } };
  };
  return new Map(
    Object.values(schema.resource.entities!).map(({ cloudFormationType, properties }) => [
      cloudFormationType,
      Object.entries(properties)
        .filter(([, { causesReplacement }]) => causesReplacement === 'yes')
        .map(([name]) => name),
    ]),
  );
}
