import { type Account } from '../account';
import { randomText } from '../random-text';
import { type CloudAssembly, type AssemblyStack } from './assembly';
import { creationOrder } from './creation-order';
import { LeftOut, type Omission } from './left-out';
import { resolve } from './resolve';
import { type ResourceType, STAND_IN } from './resource-type';
import { RESOURCE_TYPES } from './resource-types';
import { StackOperation, type StackResource } from './stack-operation';
import { scopeOf } from './stack-scope';

export interface ProvisionOptions {
  account: Account;
  nowMs: number;
  /** Base URL of the AWS endpoint, without a trailing slash. */
  endpointUrl: string;
  /** Folder for the code that templates contain. @default a template with code is refused */
  inlineCodeDir?: string;
  /** Additional resource types, by name. */
  types?: Readonly<Record<string, ResourceType>>;
  random?: (length: number) => string;
  /** Called for what a template declares and this account does not enforce. */
  onInert?: (text: string) => void;
  /** Resources of unknown types have no effect, and others that are not supported here are left out. @default they are errors */
  omission?: Omission;
}

export interface ProvisionedStack {
  name: string;
  /** By logical id, in the order in which they depend on each other. */
  resources: ReadonlyMap<string, StackResource>;
  /** Output values, by logical id. */
  outputs: Readonly<Record<string, string>>;
}

/** An operation on a stack. It yields after each change, so that the account can be used in between, as on AWS. */
export type StackSteps<Result> = Generator<void, Result, void>;

/**
 * Creates a stack, or updates it to another template: resources in order of dependency, and at the end, in reverse order,
 * deletes those that are not needed anymore. If it fails, everything is undone as far as the resources' policies say.
 * @param previous the stack until now
 * @throws {TemplateError} for anything not supported, missing or already existing
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-update-behaviors.html
 */
export function* deployStack(
  stack: AssemblyStack,
  options: ProvisionOptions,
  previous?: ProvisionedStack,
): StackSteps<ProvisionedStack> {
  const { template, name } = stack;
  const operation = operationOn(stack, options, previous);
  const scope = scopeOf(stack, options.account, operation.resources);
  const outputs: Record<string, string> = {};
  const leftOut = new LeftOut(stack, options.omission);
  const unknown = new Set<string>();
  try {
    for (const logicalId of creationOrder(template, name)) {
      const { Properties, Condition, ...declared } = template.Resources[logicalId]!;
      if (Condition !== undefined && !scope.condition(Condition)) continue;
      const resolved = (): unknown => resolve(Properties, scope, `${logicalId}.Properties`);
      if (leftOut.addDependent(logicalId)) continue;
      if (!operation.knows(declared.Type)) unknown.add(declared.Type);
      try {
        if (operation.put(logicalId, declared, resolved)) yield;
      } catch (error) {
        leftOut.add(logicalId, error);
      }
    }
    for (const [id, { Condition, Value }] of Object.entries(template.Outputs)) {
      if (Condition !== undefined && !scope.condition(Condition)) continue;
      if (leftOut.isReferredTo(Value)) continue;
      outputs[id] = String(resolve(Value, scope, `Outputs.${id}`));
    }
  } catch (error) {
    yield* operation.rollBack(error as Error);
    throw error;
  }
  yield* operation.cleanUp();
  leftOut.report();
  if (unknown.size > 0) options.onInert?.(`stack ${name}: no effect here: ${[...unknown].join(', ')}`);
  return { name, resources: operation.resources, outputs };
}

/** Deletes a stack's resources in reverse order, except those that their policies retain. */
export function* deleteStack(previous: ProvisionedStack, options: ProvisionOptions): StackSteps<void> {
  const { name } = previous;
  yield* operationOn({ name, assetDirs: new Map<string, string>() }, options, previous).cleanUp();
}

/** Runs an operation at once. */
export function atOnce<Result>(steps: StackSteps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Creates or updates a stack at once. @throws {TemplateError} see {@link deployStack} */
export function provisionStack(
  stack: AssemblyStack,
  options: ProvisionOptions,
  previous?: ProvisionedStack,
): ProvisionedStack {
  return atOnce(deployStack(stack, options, previous));
}

/** Provisions all stacks of an assembly, in its order. @throws {TemplateError} see {@link deployStack} */
export function provisionAssembly(assembly: CloudAssembly, options: ProvisionOptions): ProvisionedStack[] {
  return assembly.stacks.map((stack) => provisionStack(stack, options));
}

/** Calls a function at most once with each text. */
function once(call: ((text: string) => void) | undefined): (text: string) => void {
  const seen = new Set<string>();
  return (text) => {
    if (!seen.has(text)) call?.(text);
    seen.add(text);
  };
}

function operationOn(
  { name: stackName, assetDirs }: Pick<AssemblyStack, 'name' | 'assetDirs'>,
  {
    account,
    nowMs,
    endpointUrl,
    inlineCodeDir,
    types,
    onInert,
    omission,
    random = randomText,
  }: ProvisionOptions,
  previous: ProvisionedStack | undefined,
): StackOperation {
  return new StackOperation({
    context: {
      account,
      stackName,
      nowMs,
      assetDirs,
      endpointUrl,
      random,
      ...(inlineCodeDir !== undefined && { inlineCodeDir }),
      onInert: once(onInert),
    },
    types: { ...RESOURCE_TYPES, ...types },
    unknownType: omission && STAND_IN,
    previous: previous?.resources ?? new Map<string, StackResource>(),
  });
}
