import { type PolicyDocument } from '../account';
import { type RequestContext } from '../iam/context-keys';
import { type Principal } from '../iam/principal';
import { evaluateStatement } from '../iam/statement';

/** What one policy says about a call. */
export type PolicyEffect =
  { effect: 'allow' | 'deny' | 'neither' } | { effect: 'deny'; notUnderstood: string };

/** Whoever hasn't shown who they are: only a policy for everybody names them. */
const ANYBODY: Principal = { kind: 'role-session', accountId: '', arn: '', roleArn: '', sessionName: '' };

/**
 * What a policy says about invoking a method, as API Gateway asks it of an API's resource policy for an anonymous caller,
 * and of the policy that a Lambda authorizer returned. What can't be understood denies, whatever else is allowed.
 * @param kind `resource` for the API's own policy, whose statements have a Principal; `identity` for an authorizer's
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
    }),
  }));
  const applying = outcomes.filter((outcome) => 'applies' in outcome && outcome.applies);
  if (applying.some(({ effect }) => effect === 'Deny')) return { effect: 'deny' };
  for (const outcome of outcomes) {
    if ('notUnderstood' in outcome) return { effect: 'deny', notUnderstood: outcome.notUnderstood };
  }
  return { effect: applying.length > 0 ? 'allow' : 'neither' };
}
