import { provisionSynthesis } from './provisioned';
import { type Synthesis } from './synthesis';

/** The rules with every reference resolved, by the account that the stacks make. */
export function rulesOf(synthesis: Synthesis) {
  const { account, roles } = provisionSynthesis(synthesis);
  const patterns = [...account.eventRules.values()].map(({ pattern }) => pattern);
  const rules = synthesis
    .properties('AWS::Events::Rule')
    .map(({ State }, index) => ({ State: State as string, EventPattern: patterns[index]! }));
  return {
    rules,
    account,
    roleOf: (fn: string) => roles.find(({ description }) => description.startsWith(`Role of ${fn}`))!.arn,
  };
}

/** An event as CloudTrail writes it. */
export const call = (service: string, eventName: string, detail: object) => ({
  source: `aws.${service}`,
  'detail-type': 'AWS API Call via CloudTrail',
  detail: { eventSource: `${service}.amazonaws.com`, eventName, sourceIPAddress: '203.0.113.1', ...detail },
});
export const byRole = (arn: string) => ({
  userIdentity: { arn: 'session', sessionContext: { sessionIssuer: { arn } } },
});
export const byUser = (arn: string) => ({ userIdentity: { type: 'IAMUser', arn } });
