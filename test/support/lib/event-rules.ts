import { type Account } from 'cdk-on-loopback/testing';
import { provisionSynthesis } from './provisioned';
import { type Synthesis } from './synthesis';

export interface Rule {
  State: string;
  EventPattern: Record<string, unknown>;
}

/** The rules with every reference resolved, by the account that the stacks make. */
export function rulesOf(synthesis: Synthesis): {
  rules: Rule[];
  account: Account;
  roleOf: (fn: string) => string;
} {
  const { account, roles } = provisionSynthesis(synthesis);
  const [key] = [...account.keys.keys()];
  const arns = new Map(roles.map(({ logicalId, arn }) => [logicalId, arn]));
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const [[name, argument] = ['', '']] = Object.entries(value);
    if (name === 'Fn::GetAtt') return arns.get((argument as string[])[0]!) ?? key;
    if (name === 'Ref') return 'aws';
    if (name === 'Fn::Join') return (resolve((argument as unknown[])[1]) as string[]).join('');
    if (name === 'Fn::Split') {
      const [separator, text] = resolve(argument) as [string, string];
      return text.split(separator);
    }
    if (name === 'Fn::Select') {
      const [index, list] = resolve(argument) as [number, string[]];
      return list[index];
    }
    return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, resolve(part)]));
  };
  return {
    rules: synthesis.properties('AWS::Events::Rule').map((rule) => resolve(rule) as Rule),
    account,
    roleOf: (fn) => roles.find(({ description }) => description.startsWith(`Role of ${fn}`))!.arn,
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
