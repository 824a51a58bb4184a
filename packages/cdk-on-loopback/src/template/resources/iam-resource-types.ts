import { z } from 'zod';
import { type Role } from '../../account';
import {
  alreadyExists,
  description,
  irrelevant,
  notFound,
  physicalName,
  type ResourceContext,
  resourceType,
  stateOf,
  tags,
} from '../resource-type';
import { policyDocumentOf } from '../../iam/policy-document';

const inlinePolicy = z.strictObject({ PolicyName: z.string(), PolicyDocument: policyDocumentOf('role') });
const path = z.string().startsWith('/').endsWith('/').default('/');
const noUsers = z.array(z.never({ error: 'the account has no users and groups' })).optional();

const roleProperties = z.strictObject({
  RoleName: z.string().max(64).optional(),
  Path: path,
  AssumeRolePolicyDocument: policyDocumentOf('trust'),
  Policies: z.array(inlinePolicy).default([]),
  ManagedPolicyArns: z.array(z.string()).default([]),
  PermissionsBoundary: z.string().optional(),
  MaxSessionDuration: irrelevant('a run is shorter than the shortest session'),
  Description: description,
  Tags: tags,
});

export const iamRole = resourceType(
  roleProperties,
  (properties, context) => {
    const { account } = context;
    const name = properties.RoleName ?? physicalName(context);
    const arn = `arn:aws:iam::${account.accountId}:role${properties.Path}${name}`;
    if (roleNamed(name, context)) throw alreadyExists(context, `role ${name} already exists`);
    account.roles.set(arn, { arn, name, ...permissionsOf(properties, context) });
    return { ref: name, attributes: { Arn: arn, RoleId: `AROA${context.random(17).toUpperCase()}` } };
  },
  {
    replacedBy: ['Path', 'RoleName'],
    // Policies that other resources attached to the role stay.
    update: (properties, context, { attributes, properties: { Policies, ManagedPolicyArns } }) => {
      const role = stateOf(context.account.roles, attributes.Arn, context);
      const declaredNames = Policies.map(({ PolicyName }) => PolicyName);
      const attached = role.inlinePolicies.filter(({ name }) => !declaredNames.includes(name));
      const attachedArns = role.managedPolicyArns.filter((arn) => !ManagedPolicyArns.includes(arn));
      Object.assign(role, permissionsOf(properties, context));
      role.inlinePolicies.push(...attached);
      role.managedPolicyArns.push(...attachedArns);
    },
    delete: ({ attributes }, { account }) => void account.roles.delete(attributes.Arn!),
  },
);

export const iamPolicy = resourceType(
  z.strictObject({
    PolicyName: z.string(),
    PolicyDocument: policyDocumentOf('role'),
    Roles: z.array(z.string()).default([]),
    Users: noUsers,
    Groups: noUsers,
  }),
  ({ PolicyName, PolicyDocument, Roles }, context) => {
    for (const name of Roles)
      requireRole(name, context).inlinePolicies.push({ name: PolicyName, document: PolicyDocument });
    const id = physicalName(context);
    return { ref: id, attributes: { Id: id } };
  },
  {
    delete: ({ properties: { PolicyName, Roles } }, context) => {
      for (const role of Roles.map((name) => roleNamed(name, context)))
        if (role) role.inlinePolicies = role.inlinePolicies.filter(({ name }) => name !== PolicyName);
    },
  },
);

export const iamManagedPolicy = resourceType(
  z.strictObject({
    ManagedPolicyName: z.string().optional(),
    Path: path,
    PolicyDocument: policyDocumentOf('managed'),
    Roles: z.array(z.string()).default([]),
    Users: noUsers,
    Groups: noUsers,
    Description: description,
  }),
  ({ ManagedPolicyName, Path, PolicyDocument, Roles }, context) => {
    const { account } = context;
    const arn = `arn:aws:iam::${account.accountId}:policy${Path}${ManagedPolicyName ?? physicalName(context)}`;
    if (account.managedPolicies.has(arn)) throw alreadyExists(context, `${arn} already exists`);
    account.managedPolicies.set(arn, { arn, document: PolicyDocument });
    for (const name of Roles) requireRole(name, context).managedPolicyArns.push(arn);
    return { ref: arn, attributes: { PolicyArn: arn } };
  },
  {
    replacedBy: ['Description', 'ManagedPolicyName', 'Path'],
    delete: ({ ref, properties: { Roles } }, context) => {
      for (const role of Roles.map((name) => roleNamed(name, context)))
        if (role) role.managedPolicyArns = role.managedPolicyArns.filter((arn) => arn !== ref);
      context.account.managedPolicies.delete(ref);
    },
  },
);

function permissionsOf(
  properties: z.output<typeof roleProperties>,
  context: ResourceContext,
): Omit<Role, 'arn' | 'name'> {
  const { AssumeRolePolicyDocument, Policies, ManagedPolicyArns, PermissionsBoundary } = properties;
  ManagedPolicyArns.forEach((policyArn) => requireManagedPolicy(policyArn, context));
  if (PermissionsBoundary !== undefined) requireManagedPolicy(PermissionsBoundary, context);
  return {
    assumeRolePolicy: AssumeRolePolicyDocument,
    inlinePolicies: Policies.map(({ PolicyName, PolicyDocument }) => ({
      name: PolicyName,
      document: PolicyDocument,
    })),
    managedPolicyArns: [...ManagedPolicyArns],
    permissionsBoundaryArn: PermissionsBoundary,
  };
}

/** AWS managed policies are not checked here: src/iam denies a role with one that it does not support. */
function requireManagedPolicy(arn: string, context: ResourceContext): void {
  if (arn.startsWith('arn:aws:iam::aws:policy/') || context.account.managedPolicies.has(arn)) return;
  throw notFound(context, `the account has no managed policy ${arn}`);
}

function roleNamed(name: string, { account }: ResourceContext): Role | undefined {
  return [...account.roles.values()].find((role) => role.name === name);
}

function requireRole(name: string, context: ResourceContext): Role {
  const role = roleNamed(name, context);
  if (!role) throw notFound(context, `the account has no role ${name}`);
  return role;
}
