import { type PolicyDocument } from '../account';
import { type RequestContext } from './context-keys';
import { type Principal } from './principal';
import { evaluateStatement, type PolicyKind, type PrincipalMatch } from './statement';

export interface PolicyRequest {
  principal: Principal;
  /** `service:Operation`. */
  action: string;
  /** ARN, or `*` if the operation has no resource. */
  resource: string;
  /** The account that owns the resource. */
  resourceAccount: string;
  /** Condition keys besides those of the principal and the resource's account. */
  context?: RequestContext;
}

export interface NamedPolicy {
  name: string;
  document: PolicyDocument;
}

export interface Policies {
  /** The principal's inline and managed policies. */
  identity: readonly NamedPolicy[];
  /** The permissions boundary of the principal's role, if any. */
  boundary?: NamedPolicy;
  /** The policy that the session was created with, if any. */
  session?: NamedPolicy;
  /** The resource's policy: of a secret, queue, function or key, or a role's trust policy. */
  resource?: PolicyDocument;
}

/** `statements` lists what allowed the request; `message` is AWS's text for the denial. */
export type Decision = { allowed: true; statements: string[] } | { allowed: false; message: string };

interface MatchingStatements {
  allows: { label: string; by: PrincipalMatch }[];
  isDenied: boolean;
  notUnderstood: string[];
}

/**
 * Evaluates a request against policies, without an account. Explicit denials come first, then anything not understood,
 * which denies. Within an account, either side's policy suffices, but key and trust policies must always allow; across
 * accounts, both sides must allow.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic_policy-eval-denyallow.html
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
 */
export function evaluatePolicies(request: PolicyRequest, policies: Policies): Decision {
  const resourceKind = isRoleAssumption(request.action) ? 'trust' : 'resource';
  const requestInContext = { ...request, context: { ...principalContext(request), ...request.context } };
  const identity = matchStatements(requestInContext, 'identity', policies.identity);
  const limits = limitsOf(requestInContext, policies);
  const resource = matchStatements(
    requestInContext,
    resourceKind,
    policies.resource ? [{ name: RESOURCE_POLICY_NAMES[resourceKind], document: policies.resource }] : [],
  );

  if (identity.isDenied) return denied(request, 'with an explicit deny in an identity-based policy');
  const denying = limits.find(({ matching }) => matching.isDenied);
  if (denying) return denied(request, `with an explicit deny in a ${denying.name}`);
  if (resource.isDenied)
    return denied(request, `with an explicit deny in ${EXPLICIT_DENY_NAMES[resourceKind]}`);
  const [notUnderstood] = [identity, ...limits.map(({ matching }) => matching), resource].flatMap(
    (matching) => matching.notUnderstood,
  );
  if (notUnderstood !== undefined)
    return denied(request, `because the local evaluator does not understand ${notUnderstood}`);

  return decide(request, identity, limits, resource, resourceKind);
}

type RequestInContext = PolicyRequest & { context: RequestContext };

/** Policies that grant nothing, and limit what others grant. */
interface Limit {
  name: string;
  matching: MatchingStatements;
}

function limitsOf(request: RequestInContext, policies: Policies): Limit[] {
  return (['boundary', 'session'] as const).flatMap((kind) => {
    const policy = policies[kind];
    return policy ? [{ name: LIMIT_NAMES[kind], matching: matchStatements(request, kind, [policy]) }] : [];
  });
}

const LIMIT_NAMES = { boundary: 'permissions boundary', session: 'session policy' } as const;
const RESOURCE_POLICY_NAMES = { resource: 'resource-based policy', trust: 'role trust policy' } as const;
const EXPLICIT_DENY_NAMES = { resource: 'a resource-based policy', trust: 'the role trust policy' } as const;

/** Decides a request that nothing denies explicitly. */
function decide(
  request: PolicyRequest,
  identity: MatchingStatements,
  limits: readonly Limit[],
  resource: MatchingStatements,
  resourceKind: keyof typeof RESOURCE_POLICY_NAMES,
): Decision {
  const allowedBy = (...sides: MatchingStatements[]): Decision => ({
    allowed: true,
    statements: sides.flatMap(({ allows }) => allows.map(({ label }) => label)),
  });
  const noneAllows = (policy: string) =>
    denied(request, `because no ${policy} allows the ${request.action} action`);
  const resourceDoesNot = () => noneAllows(RESOURCE_POLICY_NAMES[resourceKind]);
  const resourceAllows = (named: PrincipalMatch) => resource.allows.some(({ by }) => by === named);

  if (request.principal.kind === 'service')
    return resourceAllows('caller') ? allowedBy(resource) : resourceDoesNot();
  const isSameAccount = request.principal.accountId === request.resourceAccount;
  if (isSameAccount && resourceAllows('caller')) return allowedBy(resource);

  const identityMustAllow = !isSameAccount || !resourceAllows('role');
  const resourceMustAllow =
    !isSameAccount || resourceKind === 'trust' || request.action.toLowerCase().startsWith('kms:');
  // Across accounts, the error names the identity-based policy first.
  if (identity.allows.length === 0 && !isSameAccount) return noneAllows('identity-based policy');
  if (resource.allows.length === 0 && resourceMustAllow) return resourceDoesNot();
  if (identity.allows.length === 0 && identityMustAllow) return noneAllows('identity-based policy');
  const limit = limits.find(({ matching }) => matching.allows.length === 0);
  if (limit) return noneAllows(limit.name);
  if (!identityMustAllow) return allowedBy(resource);
  return resourceMustAllow ? allowedBy(identity, resource) : allowedBy(identity);
}

function matchStatements(
  request: RequestInContext,
  kind: PolicyKind,
  policies: readonly NamedPolicy[],
): MatchingStatements {
  const matching: MatchingStatements = { allows: [], isDenied: false, notUnderstood: [] };
  for (const { name, document } of policies) {
    const statementRequest = { ...request, version: document.Version };
    const statements = Array.isArray(document.Statement) ? document.Statement : [document.Statement];
    statements.forEach((statement, n) => {
      const outcome = evaluateStatement(statement, kind, statementRequest);
      if ('applies' in outcome && !outcome.applies) return;
      const label = `${name}/${statement.Sid ?? n}`;
      if ('notUnderstood' in outcome) matching.notUnderstood.push(`${outcome.notUnderstood} in ${label}`);
      else if (statement.Effect === 'Deny') matching.isDenied = true;
      else matching.allows.push({ label, by: outcome.by });
    });
  }
  return matching;
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
    // Present with temporary credentials only. Those of a role never say that MFA was used:
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_mfa_configure-api-require.html
    ...(principal.kind === 'role-session' && { 'aws:MultiFactorAuthPresent': 'false' }),
    'aws:ResourceAccount': resourceAccount,
  };
}

/**
 * AWS's text for a denial, with the reason.
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
