import { type Account } from '../account';
import { type AssemblyStack } from './assembly';
import { type CreatedResource, resolve, type ResolveScope } from './resolve';
import { TemplateError } from './template';

/** The values of a stack's names; `resources` are those that exist so far. */
export function scopeOf(
  stack: AssemblyStack,
  account: Account,
  resources: ReadonlyMap<string, CreatedResource>,
): ResolveScope {
  const { template, name: stackName } = stack;
  const ssmParameter = (name: string): string | undefined => account.parameters.get(name)?.value;
  const scope: ResolveScope = {
    stackName,
    pseudoParameters: {
      'AWS::AccountId': account.accountId,
      'AWS::Region': account.region,
      'AWS::Partition': 'aws',
      'AWS::URLSuffix': 'amazonaws.com',
      'AWS::StackName': stackName,
      'AWS::StackId': account.arn('cloudformation', `stack/${stackName}/local`),
    },
    mappings: template.Mappings,
    resource: (logicalId) => resources.get(logicalId),
    ssmParameter,
    parameter: (name) => {
      const declared = template.Parameters[name];
      if (!declared) return undefined;
      const given = stack.parameters[name] ?? declared.Default;
      if (given === undefined)
        throw new TemplateError('invalid_template', `stack ${stackName}: parameter ${name} has no value`);
      if (declared.Type === 'String' || declared.Type === 'Number') return String(given);
      if (declared.Type !== 'AWS::SSM::Parameter::Value<String>') {
        throw new TemplateError(
          'not_supported',
          `stack ${stackName}: parameter ${name} is of unknown type ${declared.Type}`,
        );
      }
      const value = ssmParameter(String(given));
      if (value === undefined) {
        throw new TemplateError(
          'not_found',
          `stack ${stackName}: parameter ${name} reads SSM parameter ${given}, which does not exist`,
        );
      }
      return value;
    },
    condition: (name) => {
      if (!Object.hasOwn(template.Conditions, name)) {
        throw new TemplateError('invalid_template', `stack ${stackName}: no condition is named ${name}`);
      }
      return resolve(template.Conditions[name], scope, `Conditions.${name}`) === true;
    },
  };
  return scope;
}
