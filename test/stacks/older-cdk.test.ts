import { Annotations, Stack, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as lambda from 'aws-cdk-lib/aws-lambda';

import { configuration } from '../support/lib/configuration';
import { EDGES } from '../support/lib/edge';
import { synthesize } from '../support/lib/synthesis';

/** What aws-cdk-lib 2.200 lacks, of what the constructs might use. */
const MISSING: [owner: object, name: string][] = [
  [Annotations.prototype, 'addInfoV2'],
  [Stack.prototype, 'addStackDependency'],
  [Validations, 'of'],
  [apigateway.EndpointAccessMode, 'STRICT'],
  [apigateway.SecurityPolicy, 'TLS13_1_2_PFS_PQ_2025_09'],
  [lambda.Runtime, 'NODEJS_24_X'],
];
/** Properties that its L1 constructs, or those soon after, do not put into the template. */
const UNKNOWN: [prototype: object, name: string][] = [
  [apigateway.CfnDomainName.prototype, 'endpointAccessMode'],
  [apigateway.CfnRestApi.prototype, 'endpointAccessMode'],
  [apigateway.CfnRestApi.prototype, 'securityPolicy'],
  [cloudwatch.CfnAlarm.prototype, 'warmUpConfiguration'],
];

const stacks = () =>
  [EDGES.domainWithZone, EDGES.vpcEndpointIdsIam].map((restoreApi) =>
    synthesize(configuration({ restoreApi })).assembly.stacks.map(
      ({ stackName, template, dependencies }) => ({
        stackName,
        template: template as unknown,
        after: dependencies.map(({ id }) => id),
      }),
    ),
  );

/** As they are: the next test file may share them. */
const changed = [...MISSING, ...UNKNOWN, [Stack.prototype, 'addDependency'] as const].map(
  ([owner, name]) => ({
    owner,
    name,
    descriptor: Object.getOwnPropertyDescriptor(owner, name),
  }),
);
afterEach(() => {
  for (const { owner, name, descriptor } of changed) {
    Reflect.deleteProperty(owner, name);
    if (descriptor !== undefined) Object.defineProperty(owner, name, descriptor);
  }
});

it('stacks are the same without what older versions of aws-cdk-lib lack', () => {
  const expected = stacks();
  const { addStackDependency } = Object.getOwnPropertyDescriptors(Stack.prototype);
  Object.defineProperty(Stack.prototype, 'addDependency', addStackDependency);
  for (const [owner, name] of MISSING) {
    expect(owner).toHaveProperty(name);
    expect(Reflect.deleteProperty(owner, name)).toBe(true);
  }
  for (const [prototype, name] of UNKNOWN)
    Object.defineProperty(prototype, name, { get: () => undefined, set: () => undefined });

  expect(stacks()).toEqual(expected);
});
