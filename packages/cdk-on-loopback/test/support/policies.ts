import { type PolicyDocument, type PolicyStatement } from '../../src/account';

/** A statement that allows actions, on everything unless a resource is named. */
export const allow = (
  Action: PolicyStatement['Action'],
  Resource: PolicyStatement['Resource'] = '*',
  Condition?: PolicyStatement['Condition'],
): PolicyStatement => ({ Effect: 'Allow', Action, Resource, ...(Condition && { Condition }) });

/** A resource's policy that admits a service. @param sourceArn on behalf of this resource alone */
export const admitting = (
  Service: string,
  action: string,
  resource: string,
  sourceArn?: string,
): PolicyDocument => {
  const Condition = sourceArn === undefined ? undefined : { ArnEquals: { 'aws:SourceArn': sourceArn } };
  return { Statement: { ...allow(action, resource, Condition), Principal: { Service } } };
};
