import { apiGatewayResourceTypes } from '../../src/api-gateway/api-gateway-resource-types';
import { RestApis } from '../../src/api-gateway/rest-api';
import { provisionResources } from '../../src/testing/stacks';
import { ACCEPTED, type DeployedOwner, MALFORMED } from './cases/malformed-policies';

type Resources = Parameters<typeof provisionResources>[0];

const SECRET: Resources = { Secret: ['AWS::SecretsManager::Secret', { Name: 's' }] };
const REST_API = { Name: 'a', EndpointConfiguration: { Types: ['REGIONAL'] } };

/** How a template brings a policy to its owner, and the error of the owner's service. */
const OWNERS: Record<
  DeployedOwner,
  { type: string; properties: Record<string, unknown>; at: string; error: string }
> = {
  role: {
    type: 'AWS::IAM::Policy',
    properties: { PolicyName: 'p' },
    at: 'PolicyDocument',
    error: 'MalformedPolicyDocument',
  },
  managed: {
    type: 'AWS::IAM::ManagedPolicy',
    properties: {},
    at: 'PolicyDocument',
    error: 'MalformedPolicyDocument',
  },
  trust: {
    type: 'AWS::IAM::Role',
    properties: {},
    at: 'AssumeRolePolicyDocument',
    error: 'MalformedPolicyDocument',
  },
  secret: {
    type: 'AWS::SecretsManager::ResourcePolicy',
    properties: { SecretId: { Ref: 'Secret' } },
    at: 'ResourcePolicy',
    error: 'MalformedPolicyDocumentException',
  },
  key: { type: 'AWS::KMS::Key', properties: {}, at: 'KeyPolicy', error: 'MalformedPolicyDocumentException' },
  queue: {
    type: 'AWS::SQS::QueuePolicy',
    properties: { Queues: [] },
    at: 'PolicyDocument',
    error: 'InvalidAttributeValue: Invalid value for the parameter Policy.',
  },
  topic: {
    type: 'AWS::SNS::TopicPolicy',
    properties: { Topics: [] },
    at: 'PolicyDocument',
    error: 'InvalidParameter: Invalid parameter: Policy Error: null',
  },
  api: {
    type: 'AWS::ApiGateway::RestApi',
    properties: REST_API,
    at: 'Policy',
    error: 'BadRequestException: Invalid policy document.',
  },
};

function deploy(owner: DeployedOwner, document: unknown): void {
  const { type, properties, at } = OWNERS[owner];
  const types = apiGatewayResourceTypes(new RestApis());
  provisionResources({ ...SECRET, Policy: [type, { ...properties, [at]: document }] }, { types });
}

describe.each(Object.entries(MALFORMED))('a deployment refuses, says %s,', (_source, cases) => {
  it.each(cases)('%s', (_what, owner, document, place, text) => {
    const { at, error } = OWNERS[owner];

    const refused = () => deploy(owner, document);

    expect(refused).toThrow(`stack app, Policy: ${place === '' ? at : `${at}.${place}`}: `);
    expect(refused).toThrow(text);
    expect(refused).toThrow(`(${error})`);
    expect(refused).toThrow(expect.objectContaining({ code: 'invalid_template' }) as Error);
  });
});

describe.each(Object.entries(ACCEPTED))('a deployment accepts, says %s,', (_source, cases) => {
  it.each(cases)('%s', (_what, owner, document) => {
    expect(() => deploy(owner, document)).not.toThrow();
  });
});

it('each service refuses a malformed policy with its own error', () => {
  const policy = { Version: '2012-10-17', Statement: [{ Effect: 'Maybe' }] };
  for (const [owner, { error }] of Object.entries(OWNERS))
    expect(() => deploy(owner as DeployedOwner, policy)).toThrow(`(${error})`);
});
