import { type PolicyDocument } from '../account';
import { type RequestContext } from '../iam/context-keys';
import { type Principal } from '../iam/principal';
import { evaluateStatement } from '../iam/statement';

/** The effect of one policy on a call. */
export type PolicyEffect =
  { effect: 'allow' | 'deny' | 'neither' } | { effect: 'deny'; notUnderstood: string };

/** An anonymous caller, who matches only policies for everybody. */
const ANYBODY: Principal = { kind: 'role-session', accountId: '', arn: '', roleArn: '', sessionName: '' };

/**
 * Evaluates one policy for invoking a method: an API's resource policy for an anonymous caller, or the policy that a
 * Lambda authorizer returned. Anything that is not understood denies.
 * @param kind `resource` for the API's policy, whose statements have a Principal; `identity` for an authorizer's
 * @see API Gateway developer guide, apigateway-authorization-flow
 */
export function policyEffect(
  document: PolicyDocument,
  kind: 'resource' | 'identity',
  methodArn: string,
  context: RequestContext,
): PolicyEffect {
  const outcomes = [document.Statement].flat().map((statement) => ({
    effect: statement.Effect,
    ...evaluateStatement(statement, kind, {
      principal: ANYBODY,
      action: 'execute-api:Invoke',
      resource: methodArn,
      context,
      version: document.Version,
    }),
  }));
  const applying = outcomes.filter((outcome) => 'applies' in outcome && outcome.applies);
  if (applying.some(({ effect }) => effect === 'Deny')) return { effect: 'deny' };
  for (const outcome of outcomes) {
    if ('notUnderstood' in outcome) return { effect: 'deny', notUnderstood: outcome.notUnderstood };
  }
  return { effect: applying.length > 0 ? 'allow' : 'neither' };
}
