import { type AssemblyStack } from './assembly';
import { referencedNames } from './resolve';
import { TemplateError, type TemplateResource } from './template';

/** What happens to resources that are not supported here. */
export interface Omission {
  /** The logical ids of a stack's resources that may not be left out. @default none */
  neededOf?(stack: AssemblyStack): ReadonlySet<string>;
  /** Called with the reason, for each resource that is left out. */
  tell(reason: string): void;
}

/** The resources of a stack that are left out, because they are not supported here. */
export class LeftOut {
  readonly #stack: AssemblyStack;
  readonly #omission: Omission | undefined;
  readonly #ids = new Set<string>();
  #needed: ReadonlySet<string> | undefined;

  /** @param omission undefined if nothing may be left out */
  constructor(stack: AssemblyStack, omission: Omission | undefined) {
    this.#stack = stack;
    this.#omission = omission;
  }

  /** Leaves a resource out, or throws the error that says why it cannot be created. */
  add(logicalId: string, error: unknown): void {
    const isMissing = error instanceof TemplateError && ['not_supported', 'not_found'].includes(error.code);
    this.#needed ??= this.#omission?.neededOf?.(this.#stack) ?? new Set();
    if (this.#omission === undefined || !isMissing || this.#needed.has(logicalId)) throw error;
    this.#ids.add(logicalId);
    const { Type } = this.#stack.template.Resources[logicalId]!;
    const reason = error.message.replaceAll(/\s*\n\s*/g, ' ');
    this.#omission.tell(`${reason} (${Type})`);
  }

  /** Leaves a resource out if it refers to one that is. */
  isForLackOfAnother(logicalId: string): boolean {
    const lacking = namesIn(this.#stack.template.Resources[logicalId]!).find((name) => this.#ids.has(name));
    if (lacking === undefined) return false;
    const message = `stack ${this.#stack.name}, ${logicalId}: needs ${lacking}, which is left out`;
    this.add(logicalId, new TemplateError('not_supported', message));
    return true;
  }

  isReferredTo(value: unknown): boolean {
    return [...referencedNames(value)].some((name) => this.#ids.has(name));
  }
}

/** The logical ids to which a resource refers. */
export function namesIn({ Properties, DependsOn }: TemplateResource): string[] {
  return [...referencedNames(Properties), ...DependsOn];
}
