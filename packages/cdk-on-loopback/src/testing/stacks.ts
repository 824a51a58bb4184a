import { Account } from '../account';
import { provisionStack, type ProvisionedStack, type ProvisionOptions } from '../template/provision';
import { templateSchema } from '../template/template';

export const NOW_MS = Date.parse('2026-01-01T00:00:00Z');
export const ENDPOINT_URL = 'http://127.0.0.1:4566';

/** An empty account in the region that the CDK stacks of these tests are for. */
export function emptyAccount(): Account {
  return new Account('111111111111', 'eu-west-1');
}

/** A policy of a role, for tests that only need one. */
export const POLICY = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: '*' }],
};

interface Given extends Partial<ProvisionOptions> {
  stackName?: string;
  parameters?: Record<string, string>;
  assetDirs?: Map<string, string>;
  /** The stack until now, to update. */
  previous?: ProvisionedStack;
}

/** Provisions a template as CloudFormation would, with `X` for every random character. */
export function provision(template: Record<string, unknown>, given: Given = {}): ProvisionedStack {
  const { stackName = 'app', parameters = {}, assetDirs = new Map<string, string>() } = given;
  const { previous, ...options } = given;
  return provisionStack(
    { name: stackName, template: templateSchema.parse(template), parameters, assetDirs },
    {
      account: emptyAccount(),
      nowMs: NOW_MS,
      endpointUrl: ENDPOINT_URL,
      random: (length) => 'X'.repeat(length),
      ...options,
    },
    previous,
  );
}

/** Provisions resources alone: logical id → type and properties. */
export function provisionResources(
  resources: Record<string, [type: string, properties: Record<string, unknown>]>,
  given: Given = {},
): ProvisionedStack {
  const entries = Object.entries(resources).map(([id, [Type, Properties]]) => [id, { Type, Properties }]);
  return provision({ Resources: Object.fromEntries(entries) as unknown }, given);
}

/** An account with these resources. */
export function accountWith(resources: Parameters<typeof provisionResources>[0], given: Given = {}): Account {
  const account = given.account ?? emptyAccount();
  provisionResources(resources, { ...given, account });
  return account;
}

/** The properties of a role that a service may assume. */
export function roleFor(
  service: string,
  more: Record<string, unknown> = {},
): ['AWS::IAM::Role', Record<string, unknown>] {
  const statement = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: service } };
  return [
    'AWS::IAM::Role',
    { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [statement] }, ...more },
  ];
}
