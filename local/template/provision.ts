import { randomInt } from 'node:crypto';
import { type Account } from '../account';
import { type CloudAssembly, type AssemblyStack } from './assembly';
import { creationOrder } from './creation-order';
import { resolve, type CreatedResource, type ResolveScope } from './resolve';
import { type ResourceType } from './resource-type';
import { RESOURCE_TYPES } from './resource-types';
import { TemplateError } from './template';

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export interface ProvisionOptions {
  account: Account;
  nowMs: number;
  /** Base URL of the AWS endpoint, without a trailing slash. */
  endpointUrl: string;
  /** Additional resource types, by name. */
  types?: Readonly<Record<string, ResourceType>>;
  random?: (length: number) => string;
}

/** A provisioned stack. */
export interface ProvisionedStack {
  name: string;
  resources: ReadonlyMap<string, CreatedResource>;
  /** Output values, by logical id. */
  outputs: Readonly<Record<string, string>>;
}

/**
 * Creates all resources of a stack, in order of dependency.
 * @throws {TemplateError} for anything not supported, missing or already existing; resources created before it remain
 */
export function provisionStack(stack: AssemblyStack, options: ProvisionOptions): ProvisionedStack {
  const { template, name: stackName } = stack;
  const types = { ...RESOURCE_TYPES, ...options.types };
  const resources = new Map<string, CreatedResource>();
  const scope = scopeOf(stack, options, resources);
  for (const logicalId of creationOrder(template, stackName)) {
    const { Type, Properties, Condition } = template.Resources[logicalId]!;
    const type = types[Type];
    if (!type)
      throw new TemplateError(
        'not_supported',
        `stack ${stackName}, ${logicalId}: unknown resource type ${Type}`,
      );
    if (Condition !== undefined && !scope.condition(Condition)) continue;
    resources.set(
      logicalId,
      type.create(resolve(Properties, scope, `${logicalId}.Properties`), {
        account: options.account,
        stackName,
        logicalId,
        nowMs: options.nowMs,
        assetDirs: stack.assetDirs,
        endpointUrl: options.endpointUrl,
        random: options.random ?? randomText,
      }),
    );
  }
  const outputs = Object.entries(template.Outputs)
    .filter(([, { Condition }]) => Condition === undefined || scope.condition(Condition))
    .map(([id, { Value }]) => [id, String(resolve(Value, scope, `Outputs.${id}`))] as const);
  return { name: stackName, resources, outputs: Object.fromEntries(outputs) };
}

/** Provisions all stacks of an assembly, in its order. @throws {TemplateError} see {@link provisionStack} */
export function provisionAssembly(assembly: CloudAssembly, options: ProvisionOptions): ProvisionedStack[] {
  return assembly.stacks.map((stack) => provisionStack(stack, options));
}

function scopeOf(
  stack: AssemblyStack,
  { account }: ProvisionOptions,
  resources: Map<string, CreatedResource>,
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
      'AWS::StackId': `arn:aws:cloudformation:${account.region}:${account.accountId}:stack/${stackName}/local`,
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

function randomText(length: number): string {
  return Array.from({ length }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('');
}
