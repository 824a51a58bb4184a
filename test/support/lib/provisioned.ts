import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';

import { PROVEN_TAG } from '../../../core/rotation/proof-record';
import {
  Account,
  authorize,
  type PolicyDocument,
  provisionStack,
  readAssembly,
  type PolicyStatement,
  RESOURCE_TYPES,
  type ResourceType,
  type Secret,
} from 'cdk-on-loopback/testing';
import { Synthesis, temporaryApp } from './synthesis';

/** The account that a synthesis creates, with all references in policies resolved. */
export type ProvisionedAccount = ReturnType<typeof provisionSynthesis>;
export type DescribedRole = ProvisionedAccount['roles'][number];

/** Resources without influence on permissions: they exist and have any attribute. */
const stub: ResourceType = {
  create: (_, { logicalId }) => ({
    ref: logicalId,
    attributes: new Proxy({}, { get: (_target, name) => `${logicalId}.${String(name)}` }),
  }),
};

export function provisionSynthesis({ assembly }: Synthesis, into?: Account) {
  const { accountId, region, stacks } = readAssembly(assembly.directory);
  const account = into ?? new Account(accountId, region);
  const roles = stacks.flatMap((stack) => {
    const resources = Object.entries(stack.template.Resources);
    const unknown = resources.map(([, { Type }]) => Type).filter((type) => !(type in RESOURCE_TYPES));
    const { resources: created } = provisionStack(stack, {
      account,
      nowMs: 0,
      endpointUrl: 'http://127.0.0.1:4566',
      types: Object.fromEntries(unknown.map((type) => [type, stub])),
    });
    return resources
      .filter(([, { Type }]) => Type === 'AWS::IAM::Role')
      .map(([logicalId, { Properties }]) => ({
        arn: created.get(logicalId)!.attributes.Arn!,
        stack: stack.name,
        logicalId,
        description: (Properties.Description as string | undefined) ?? logicalId,
      }));
  });
  return { account, roles };
}

/** Adds a secret that exists already, such as one retained from an earlier stack. */
export function addSecret(account: Account, name: string, kmsKeyArn?: string): Secret {
  const arn = `arn:aws:secretsmanager:${account.region}:${account.accountId}:secret:${name}-AbCdEf`;
  const secret: Secret = {
    arn,
    name,
    kmsKeyArn,
    tags: {},
    createdAtMs: 0,
    lastChangedAtMs: 0,
    versions: new Map(),
  };
  account.secrets.set(arn, secret);
  return secret;
}

export interface Caller {
  account: Account;
  roleArn: string;
}

/** Adds a key that no stack creates. It leaves access to the policies of its account. */
export function addKey({ accountId, keys }: Account, arn: string): void {
  const Principal = { AWS: `arn:aws:iam::${accountId}:root` };
  keys.set(arn, {
    arn,
    policy: { Statement: { Effect: 'Allow', Principal, Action: 'kms:*', Resource: '*' } },
  });
}

const EVERYTHING: PolicyStatement = { Effect: 'Allow', Action: '*', Resource: '*' };

/** Adds a role that no stack creates. Without statements, it is an administrator. */
export function addRole(
  account: Account,
  roleArn: string,
  Statement: PolicyDocument['Statement'] = EVERYTHING,
): Caller {
  account.roles.set(roleArn, {
    arn: roleArn,
    name: roleArn.split('/').at(-1)!,
    assumeRolePolicy: { Statement: [] },
    inlinePolicies: [{ name: 'own', document: { Statement } }],
    managedPolicyArns: [],
  });
  return { account, roleArn };
}

/** Adds a role with the policies of operators alone. */
export function addOperator(account: Account): Caller {
  const operator = addRole(account, `arn:aws:iam::${account.accountId}:role/operator`, []);
  account.roles.get(operator.roleArn)!.managedPolicyArns = [...account.managedPolicies.keys()];
  return operator;
}

/** A role in a stack of another app, with the permissions that `grant` gives. */
export function roleOutside(into: Account, grant: (stack: Stack, role: iam.Role) => void): Caller {
  const app = temporaryApp();
  const stack = new Stack(app, 'service', { env: { account: into.accountId, region: into.region } });
  grant(stack, new iam.Role(stack, 'Role', { assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com') }));
  const { account, roles } = provisionSynthesis(new Synthesis(app), into);
  return { account, roleArn: roles[0]!.arn };
}

/**
 * The KMS permissions that Secrets Manager needs for its caller.
 * @see Secrets Manager user guide, security-encryption (permissions for the KMS key)
 */
const KEY_ACTIONS = {
  GetSecretValue: ['kms:Decrypt'],
  PutSecretValue: ['kms:Decrypt', 'kms:GenerateDataKey'],
  DescribeSecret: [],
  ListSecretVersionIds: [],
  UpdateSecretVersionStage: [],
  RotateSecret: [],
  RestoreSecret: [],
  PutResourcePolicy: [],
  DeleteSecret: [],
  TagResource: [],
  UntagResource: [],
} as const;
export type SecretAction = keyof typeof KEY_ACTIONS;
export const SECRET_ACTIONS = Object.keys(KEY_ACTIONS) as SecretAction[];

/** Whether a role may perform an action on a secret, by the policies of the role, the secret and the key together. */
export function may(caller: Caller, action: SecretAction, owner: Account, secret: Secret): boolean {
  return (
    // By name: a policy may also name what the request asks for.
    isAllowed(
      caller,
      `secretsmanager:${action}`,
      { arn: secret.arn, owner, policy: secret.resourcePolicy },
      { 'secretsmanager:SecretId': secret.name, 'aws:TagKeys': PROVEN_TAG },
    ) && KEY_ACTIONS[action].every((keyAction) => mayUseKey(caller, keyAction, owner, secret))
  );
}

/** Whether a role may use the key for this secret, whatever the secret's policy. */
export function mayUseKey(
  caller: Caller,
  action: 'kms:Decrypt' | 'kms:GenerateDataKey',
  owner: Account,
  secret: Secret,
): boolean {
  const arn = secret.kmsKeyArn!;
  return isAllowed(
    caller,
    action,
    { arn, owner, policy: owner.keys.get(arn)?.policy },
    {
      'kms:ViaService': `secretsmanager.${owner.region}.amazonaws.com`,
      'kms:CallerAccount': caller.account.accountId,
      'kms:EncryptionContext:SecretARN': secret.arn,
    },
  );
}

export function isAllowed(
  { account, roleArn }: Caller,
  action: string,
  resource: { arn: string; owner: Account; policy?: PolicyDocument },
  context: Record<string, string> = {},
): boolean {
  const sessionArn = `${roleArn.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/test`;
  return authorize(account, {
    principal: {
      kind: 'role-session',
      accountId: account.accountId,
      arn: sessionArn,
      roleArn,
      sessionName: 'test',
    },
    action,
    resource: resource.arn,
    resourceAccount: resource.owner.accountId,
    resourcePolicy: resource.policy,
    context,
  }).allowed;
}
