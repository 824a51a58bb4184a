import { type PolicyStatement } from '../account';
import { evaluateConditions, type Verdict } from './conditions';
import { type RequestContext } from './context-keys';
import { STATEMENT_ELEMENTS } from './malformed-policy';
import { type Principal } from './principal';
import { expandVariables } from './policy-variables';
import { matchesResource, matchesWildcards } from './wildcard';

/** The kind of policy that a statement is in, which decides the elements it must have. */
export type PolicyKind = 'identity' | 'boundary' | 'session' | 'resource' | 'trust';

interface StatementRequest {
  principal: Principal;
  action: string;
  resource: string;
  context: RequestContext;
  /** The version of the policy. */
  version: string | undefined;
}

/**
 * Whom a statement's Principal names: `caller` is the session, user or service itself, or everybody. Within an account,
 * permissions boundaries and session policies do not limit such a statement.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html (IAM role principals)
 */
export type PrincipalMatch = 'none' | 'account' | 'role' | 'caller';

/** Whether a statement applies to a request, or what in it is not understood. */
type StatementOutcome =
  { applies: false } | { applies: true; by: PrincipalMatch } | { notUnderstood: string };

/**
 * Evaluates whether a statement applies to a request: principal, action, resource, then condition. Something not
 * understood matters only if everything before it applies.
 * @see IAM user guide, reference_policies_elements
 */
export function evaluateStatement(
  statement: PolicyStatement,
  kind: PolicyKind,
  request: StatementRequest,
): StatementOutcome {
  const unknown = Object.keys(statement).find((element) => !STATEMENT_ELEMENTS.includes(element));
  if (unknown !== undefined) return { notUnderstood: `element ${unknown}` };
  if (statement.Effect !== 'Allow' && statement.Effect !== 'Deny')
    return { notUnderstood: 'the Effect of a statement' };

  if (kind === 'resource' && isKeyRequest(request) && isIncomplete(statement)) return { applies: false };

  const by = matchPrincipal(statement, kind, request.principal);
  if (by === 'none') return { applies: false };
  const failed =
    // Most statements are for other actions, and most of the work is in the parts after that.
    unlessHolds(matchAction(statement, request.action)) ??
    unlessHolds(matchResource(statement, kind, request));
  if (failed) return failed;
  if (by === 'not understood') return { notUnderstood: 'NotPrincipal' };
  return (
    unlessHolds(evaluateConditions(statement.Condition, request.version, request.context)) ?? {
      applies: true,
      by,
    }
  );
}

/** Why a statement does not apply; undefined if this part of it holds. */
function unlessHolds(verdict: Verdict): StatementOutcome | undefined {
  if ('notUnderstood' in verdict) return verdict;
  return verdict.holds ? undefined : { applies: false };
}

function isKeyRequest({ action }: StatementRequest): boolean {
  return action.toLowerCase().startsWith('kms:');
}

/** Such a statement of a key policy has no effect. @see https://docs.aws.amazon.com/kms/latest/APIReference/API_PutKeyPolicy.html */
function isIncomplete({ Action, NotAction, Resource, NotResource }: PolicyStatement): boolean {
  return (Action ?? NotAction) === undefined || (Resource ?? NotResource) === undefined;
}

function matchPrincipal(
  statement: PolicyStatement,
  kind: PolicyKind,
  principal: Principal,
): PrincipalMatch | 'not understood' {
  if (kind !== 'resource' && kind !== 'trust') return 'caller';
  if (statement.NotPrincipal !== undefined || statement.Principal === undefined) return 'not understood';
  if (statement.Principal === '*') return 'caller';
  if (typeof statement.Principal === 'string') return 'not understood';

  const matches = Object.entries(statement.Principal).flatMap(([type, names]) =>
    toList(names).map((name) => matchPrincipalName(type, name, principal)),
  );
  return (['caller', 'role', 'account'] as const).find((match) => matches.includes(match)) ?? 'none';
}

function matchPrincipalName(type: string, name: string, principal: Principal): PrincipalMatch {
  if (type === 'AWS' && name === '*') return 'caller';
  if (principal.kind === 'service')
    return type === 'Service' && name === principal.service ? 'caller' : 'none';
  if (type !== 'AWS') return 'none';
  if (name === principal.accountId || name === `arn:aws:iam::${principal.accountId}:root`) return 'account';
  if (name === principal.arn) return 'caller';
  return principal.kind === 'role-session' && name === principal.roleArn ? 'role' : 'none';
}

function matchAction(statement: PolicyStatement, action: string): Verdict {
  const patterns = toList(statement.Action ?? statement.NotAction);
  if (patterns.length === 0) return { notUnderstood: 'a statement without Action' };
  const lowerAction = action.toLowerCase();
  const matches = patterns.some((pattern) => matchesWildcards(pattern.toLowerCase(), lowerAction));
  return { holds: statement.Action === undefined ? !matches : matches };
}

function matchResource(statement: PolicyStatement, kind: PolicyKind, request: StatementRequest): Verdict {
  // A trust policy applies to its own role and has no Resource element.
  if (kind === 'trust') return { holds: true };
  const patterns = toList(statement.Resource ?? statement.NotResource);
  if (patterns.length === 0) return { notUnderstood: 'a statement without Resource' };
  const isNegated = statement.Resource === undefined;
  const verdicts = patterns.map((pattern) => matchesPattern(pattern, isNegated, request));
  if (verdicts.includes(true)) return { holds: !isNegated };
  const unclear = verdicts.find((verdict) => typeof verdict === 'object');
  return unclear ?? { holds: isNegated };
}

function matchesPattern(
  pattern: string,
  isNegated: boolean,
  { resource, version, context }: StatementRequest,
): boolean | { notUnderstood: string } {
  if (pattern === '*' || pattern === resource) return true;
  const expanded = expandVariables(pattern, 'resource', version, context);
  if ('notUnderstood' in expanded) return expanded;
  // AWS says that it "will not match any resource", which can be read both ways where the element is negated.
  if ('hasNoValue' in expanded)
    return isNegated && { notUnderstood: 'NotResource with a policy variable without a value' };
  return matchesResource(expanded.text, resource) ?? { notUnderstood: `Resource ${pattern}` };
}

function toList(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}
