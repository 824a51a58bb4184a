import { type AssemblyStack } from './assembly';
import { referencedNames } from './resolve';
import { TemplateError, type TemplateResource } from './template';

/** What happens to resources that are not supported here. */
export interface Omission {
  /** The logical ids of a stack's resources that may not be left out. @default none */
  neededOf?(stack: AssemblyStack): ReadonlySet<string>;
  /** Called once for each reason, which names the resources that are left out for it, directly or because they need one. */
  onLeftOut(reason: string): void;
}

/** The resources of a stack that are left out, because they are not supported here. */
export class LeftOut {
  readonly #stack: AssemblyStack;
  readonly #omission: Omission | undefined;
  /** The reasons and, after each, the resources that are left out for it. */
  readonly #groups: { readonly reason: string; readonly ids: string[] }[] = [];
  #needed: ReadonlySet<string> | undefined;

  /** @param omission undefined if nothing may be left out */
  constructor(stack: AssemblyStack, omission: Omission | undefined) {
    this.#stack = stack;
    this.#omission = omission;
  }

  /** Leaves a resource out, or throws the error that says why it cannot be created. */
  add(logicalId: string, error: unknown): void {
    const isMissing = error instanceof TemplateError && ['not_supported', 'not_found'].includes(error.code);
    if (this.#omission === undefined || !isMissing || this.#needs(logicalId)) throw error;
    const { Type } = this.#stack.template.Resources[logicalId]!;
    const reason = `${error.message.replaceAll(/\s*\n\s*/g, ' ')} (${Type})`;
    this.#groups.push({ reason, ids: [logicalId] });
  }

  /** Leaves a resource out if it refers to one that is left out. Returns whether it does. @throws {TemplateError} if it is needed */
  addDependent(logicalId: string): boolean {
    const names = dependenciesOf(this.#stack.template.Resources[logicalId]!);
    const group = this.#groups.find(({ ids }) => ids.some((id) => names.includes(id)));
    if (group === undefined) return false;
    if (this.#needs(logicalId)) {
      const needs = `stack ${this.#stack.name}, ${logicalId}: needs ${group.ids[0]}, which is left out`;
      throw new TemplateError('not_supported', `${needs}: ${group.reason}`);
    }
    group.ids.push(logicalId);
    return true;
  }

  /** Reports each reason once. */
  report(): void {
    for (const { reason, ids } of this.#groups)
      this.#omission!.onLeftOut(
        [reason, ...(ids.length > 1 ? [`with it ${ids.slice(1).join(', ')}`] : [])].join('; '),
      );
  }

  #needs(logicalId: string): boolean {
    this.#needed ??= this.#omission?.neededOf?.(this.#stack) ?? new Set();
    return this.#needed.has(logicalId);
  }

  /** Whether a value refers to a resource that is left out. */
  isReferredTo(value: unknown): boolean {
    const names = referencedNames(value);
    return this.#groups.some(({ ids }) => ids.some((id) => names.has(id)));
  }
}

/** The logical ids that a resource refers to or depends on. */
export function dependenciesOf({ Properties, DependsOn }: TemplateResource): string[] {
  return [...referencedNames(Properties), ...DependsOn];
}
