import { type PolicyDocument } from '../account';
import { type RequestContext } from './context-keys';
import { type Principal } from './principal';
import { evaluateStatement, type PolicyKind, type PrincipalMatch } from './statement';

/** One request, as AWS's evaluation logic sees it. */
export interface PolicyRequest {
  principal: Principal;
  /** `service:Operation`. */
  action: string;
  /** ARN, or `*` for an operation without a resource. */
  resource: string;
  /** The account that owns the resource. */
  resourceAccount: string;
  /** Condition keys beyond those that the principal and the resource's account give by themselves. */
  context?: RequestContext;
}

/** A policy with the name by which a decision speaks of it. */
export interface NamedPolicy {
  name: string;
  document: PolicyDocument;
}

/** The policies in force for a request. */
export interface Policies {
  /** Inline and managed policies of the principal. */
  identity: readonly NamedPolicy[];
  /** The permissions boundary of the principal's role, if it has one. */
  boundary?: NamedPolicy;
  /** The policy of the resource: of a secret, queue or function, of a key, or the trust policy of a role. */
  resource?: PolicyDocument;
}

/** `statements` names what allowed the request; `message` is the text that AWS answers a denial with. */
export type Decision = { allowed: true; statements: string[] } | { allowed: false; message: string };

interface MatchingStatements {
  allows: { label: string; by: PrincipalMatch }[];
  isDenied: boolean;
  notUnderstood: string[];
}

/**
 * Decides a request over policy documents alone: explicit denials first, then what isn't understood (which denies),
 * then the allowances that the request needs. Within one account the principal's or the resource's policy is enough; a key policy
 * and a trust policy must always allow, by naming the principal or by leaving it to the policies of its account. Across accounts both sides must allow.
 * @see IAM user guide, reference_policies_evaluation-logic; KMS developer guide, key-policy-default-allow-root-enable-iam
 */
export function evaluatePolicies(request: PolicyRequest, policies: Policies): Decision {
  const resourceKind = isRoleAssumption(request.action) ? 'trust' : 'resource';
  const identity = matchStatements(request, 'identity', policies.identity);
  const boundary = policies.boundary && matchStatements(request, 'boundary', [policies.boundary]);
  const resource = matchStatements(
    request,
    resourceKind,
    policies.resource ? [{ name: RESOURCE_POLICY_NAMES[resourceKind], document: policies.resource }] : [],
  );

  if (identity.isDenied) return denied(request, 'with an explicit deny in an identity-based policy');
  if (boundary?.isDenied) return denied(request, 'with an explicit deny in a permissions boundary');
  if (resource.isDenied)
    return denied(request, `with an explicit deny in ${EXPLICIT_DENY_NAMES[resourceKind]}`);
  const [notUnderstood] = [identity, ...(boundary ? [boundary] : []), resource].flatMap(
    (found) => found.notUnderstood,
  );
  if (notUnderstood !== undefined)
    return denied(request, `because the local evaluator does not understand ${notUnderstood}`);

  return combine(request, identity, boundary, resource, resourceKind);
}

const RESOURCE_POLICY_NAMES = { resource: 'resource-based policy', trust: 'role trust policy' } as const;
const EXPLICIT_DENY_NAMES = { resource: 'a resource-based policy', trust: 'the role trust policy' } as const;

function combine(
  request: PolicyRequest,
  identity: MatchingStatements,
  boundary: MatchingStatements | undefined,
  resource: MatchingStatements,
  resourceKind: keyof typeof RESOURCE_POLICY_NAMES,
): Decision {
  const none = (policy: string) =>
    denied(request, `because no ${policy} allows the ${request.action} action`);
  const noResource = () => none(RESOURCE_POLICY_NAMES[resourceKind]);
  const labels = (...found: MatchingStatements[]): Decision => ({
    allowed: true,
    statements: found.flatMap(({ allows }) => allows.map(({ label }) => label)),
  });
  const names = (...ways: PrincipalMatch[]) => resource.allows.some(({ by }) => ways.includes(by));

  if (request.principal.kind === 'service') return names('direct') ? labels(resource) : noResource();
  const isSameAccount = request.principal.accountId === request.resourceAccount;
  if (isSameAccount && names('session')) return labels(resource);

  // A boundary limits what the principal's own policies give, and what a resource's policy gives to its role.
  const needsIdentity = !isSameAccount || !names('direct');
  const mustResource =
    !isSameAccount || resourceKind === 'trust' || request.action.toLowerCase().startsWith('kms:');
  if (mustResource && resource.allows.length === 0) {
    return !isSameAccount && identity.allows.length === 0 ? none('identity-based policy') : noResource();
  }
  if (needsIdentity && identity.allows.length === 0) return none('identity-based policy');
  if (boundary && boundary.allows.length === 0) return none('permissions boundary');
  return needsIdentity ? labels(identity, ...(mustResource ? [resource] : [])) : labels(resource);
}

function matchStatements(
  request: PolicyRequest,
  kind: PolicyKind,
  policies: readonly NamedPolicy[],
): MatchingStatements {
  const found: MatchingStatements = { allows: [], isDenied: false, notUnderstood: [] };
  const asked = { ...request, context: { ...principalContext(request), ...request.context } };
  for (const { name, document } of policies) {
    const statements = Array.isArray(document.Statement) ? document.Statement : [document.Statement];
    statements.forEach((statement, n) => {
      const label = `${name}/${statement.Sid ?? n}`;
      const outcome = evaluateStatement(statement, kind, asked);
      if ('notUnderstood' in outcome) found.notUnderstood.push(`${outcome.notUnderstood} in ${label}`);
      else if (outcome.applies && statement.Effect === 'Deny') found.isDenied = true;
      else if (outcome.applies) found.allows.push({ label, by: outcome.by });
    });
  }
  return found;
}

/** @see IAM user guide, reference_policies_condition-keys */
function principalContext({ principal, resourceAccount }: PolicyRequest): RequestContext {
  if (principal.kind === 'service') {
    return {
      'aws:PrincipalIsAWSService': 'true',
      'aws:PrincipalServiceName': principal.service,
      'aws:SourceArn': principal.sourceArn,
      'aws:SourceAccount': principal.sourceAccount,
      'aws:ResourceAccount': resourceAccount,
    };
  }
  return {
    'aws:PrincipalArn': principal.kind === 'role-session' ? principal.roleArn : principal.arn,
    'aws:PrincipalAccount': principal.accountId,
    'aws:PrincipalType': principal.kind === 'role-session' ? 'AssumedRole' : 'User',
    'aws:PrincipalIsAWSService': 'false',
    'aws:ResourceAccount': resourceAccount,
  };
}

/**
 * AWS's sentence for a denial, with its reason.
 * @see IAM user guide, troubleshoot_access-denied
 */
export function denied(request: PolicyRequest, reason: string): { allowed: false; message: string } {
  const who = request.principal.kind === 'service' ? request.principal.service : request.principal.arn;
  const message = `User: ${who} is not authorized to perform: ${request.action} on resource: ${request.resource} ${reason}`;
  return { allowed: false, message };
}

function isRoleAssumption(action: string): boolean {
  return action.toLowerCase() === 'sts:assumerole';
}
