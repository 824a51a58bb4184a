import { isDeepStrictEqual } from 'node:util';
import { setTags } from './resource-tags';
import { type ExistingResource, failure, type ResourceContext, type ResourceType } from './resource-type';
import { TemplateError, type TemplateErrorCode, type TemplateResource } from './template';

/** A resource of a stack, with what its later changes need. */
export interface StackResource extends ExistingResource {
  type: string;
  deletionPolicy: string | undefined;
  /** The random parts of its names. */
  randomTexts: string[];
}

interface StackOperationOptions {
  context: Omit<ResourceContext, 'logicalId'>;
  types: Readonly<Record<string, ResourceType>>;
  /** What resources of other types are. @default an error */
  unknownType?: ResourceType | undefined;
  /** The stack's resources until now. */
  previous: ReadonlyMap<string, StackResource>;
}

/** What a template declares about a resource, besides its properties. */
type Declared = Pick<TemplateResource, 'Type' | 'DeletionPolicy' | 'UpdateReplacePolicy'>;

/** One creation, update or deletion of a stack: what it has changed so far, how to undo that, and what is left over. */
export class StackOperation {
  /** The stack's resources as they are to be, in order of creation. */
  readonly resources = new Map<string, StackResource>();
  private readonly options: StackOperationOptions;
  private readonly undo: (() => void)[] = [];
  /** Resources that were replaced and are not retained. */
  private readonly replaced = new Map<string, StackResource>();

  constructor(options: StackOperationOptions) {
    this.options = options;
  }

  /** Whether resources of a type can have an effect here. */
  knows(type: string): boolean {
    return this.options.types[type] !== undefined;
  }

  /**
   * Creates, replaces or updates a resource, or leaves it if nothing has changed.
   * @returns whether something has changed
   * @throws {TemplateError}
   */
  put(
    logicalId: string,
    { Type, DeletionPolicy, UpdateReplacePolicy }: Declared,
    resolved: () => unknown,
  ): boolean {
    const existing = this.options.previous.get(logicalId);
    const type = this.typeOf(logicalId, Type);
    // Properties of an unknown type may contain what cannot be resolved here.
    const properties = type === this.options.unknownType ? {} : resolved();
    const policy = { type: Type, deletionPolicy: DeletionPolicy };
    if (!existing) {
      this.create(logicalId, { ...policy, properties });
      return true;
    }
    // @see https://github.com/aws-quickstart/quickstart-amazon-eks/issues/361 (the message)
    if (existing.type !== Type)
      throw this.failure(
        'invalid_template',
        logicalId,
        `Update of resource type is not permitted: ${existing.type} to ${Type}`,
      );
    const changed = changedProperties(existing.properties, properties);
    if (changed.some((name) => type.replacedBy?.includes(name))) {
      this.create(logicalId, { ...policy, properties });
      if (UpdateReplacePolicy !== 'Retain') this.replaced.set(logicalId, existing);
    } else if (changed.length > 0) this.update(logicalId, { ...existing, ...policy, properties }, existing);
    else this.resources.set(logicalId, { ...existing, ...policy });
    return changed.length > 0;
  }

  /**
   * Undoes the changes in reverse order. Resources with the policy `Retain` stay even if they were just created.
   * @throws {TemplateError} with both reasons if a change cannot be undone
   * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-deletionpolicy.html
   */
  *rollBack(cause: Error): Generator<void> {
    const failures: string[] = [];
    for (const undo of this.undo.reverse()) {
      try {
        undo();
      } catch (error) {
        failures.push(`and the rollback failed: ${(error as Error).message}`);
      }
      yield;
    }
    if (failures.length > 0)
      throw new TemplateError('rollback_failed', [cause.message, ...failures].join('\n'), { cause });
  }

  /**
   * Deletes what the stack does not need anymore, in reverse order of creation.
   * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-updatereplacepolicy.html
   */
  *cleanUp(): Generator<void> {
    for (const [logicalId, existing] of [...this.options.previous].reverse()) {
      const isRemoved = !this.resources.has(logicalId) && !isRetained(existing);
      if (!isRemoved && !this.replaced.has(logicalId)) continue;
      this.delete(logicalId, existing);
      yield;
    }
  }

  private create(
    logicalId: string,
    declared: Pick<StackResource, 'type' | 'deletionPolicy' | 'properties'>,
  ): void {
    const randomTexts: string[] = [];
    const { type, deletionPolicy, properties } = declared;
    const made = this.typeOf(logicalId, type).create(properties, this.contextOf(logicalId, randomTexts));
    const resource = { ...made, ...declared, randomTexts };
    this.resources.set(logicalId, resource);
    setTags(this.options.context.account, resource);
    if (deletionPolicy !== 'Retain') this.undo.push(() => this.delete(logicalId, resource));
  }

  private update(logicalId: string, wanted: StackResource, existing: StackResource): void {
    // A change that fails halfway is undone, too: from the resource as it was.
    let current = existing;
    this.undo.push(() => void this.change(logicalId, existing, current));
    current = { ...wanted, ...this.change(logicalId, wanted, existing) };
    this.resources.set(logicalId, current);
  }

  /** Changes a resource in place. Its names and ids stay. */
  private change(logicalId: string, to: StackResource, from: StackResource): object | void {
    const type = this.typeOf(logicalId, to.type);
    const context = this.contextOf(logicalId, to.randomTexts);
    if (!type.update) type.delete?.(from, context);
    const made = type.update
      ? type.update(to.properties, context, from)
      : type.create(to.properties, context);
    setTags(context.account, { ...to, ...made });
    return made;
  }

  private delete(logicalId: string, existing: StackResource): void {
    this.options.types[existing.type]?.delete?.(existing, this.contextOf(logicalId, existing.randomTexts));
  }

  private typeOf(logicalId: string, name: string): ResourceType {
    const type = this.options.types[name] ?? this.options.unknownType;
    if (!type) throw this.failure('not_supported', logicalId, `unknown resource type ${name}`);
    return type;
  }

  /** Draws the resource's random texts again, and only then new ones. */
  private contextOf(logicalId: string, randomTexts: string[]): ResourceContext {
    const { context } = this.options;
    let next = 0;
    return { ...context, logicalId, random: (length) => (randomTexts[next++] ??= context.random(length)) };
  }

  private failure(code: TemplateErrorCode, logicalId: string, message: string): TemplateError {
    return failure(code, this.contextOf(logicalId, []), message);
  }
}

function isRetained({ deletionPolicy }: StackResource): boolean {
  return deletionPolicy === 'Retain' || deletionPolicy === 'RetainExceptOnCreate';
}

function changedProperties(before: unknown, after: unknown): string[] {
  const [old, wanted] = [before, after] as Record<string, unknown>[];
  const names = new Set([...Object.keys(old!), ...Object.keys(wanted!)]);
  return [...names].filter((name) => !isDeepStrictEqual(old![name], wanted![name]));
}
