import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../../../../core/json/json-object';
import { type AssemblyStack } from './assembly';
import { referencedNames } from './resolve';
import { TemplateError, type TemplateResource } from './template';

/** Types whose names tell those of Latchkey: `PREFIX/ENVIRONMENT/PLATFORM_REGION/…`. */
const NAMED = ['AWS::SecretsManager::Secret', 'AWS::SSM::Parameter'];

/** The resources of a stack that are left out, because the laptop does not support them and Latchkey does not need them. */
export class LeftOut {
  readonly #stack: AssemblyStack;
  readonly #onLeftOut: ((reason: string) => void) | undefined;
  readonly #ids = new Set<string>();
  #needed: ReadonlySet<string> | undefined;

  /** @param onLeftOut undefined if nothing may be left out */
  constructor(stack: AssemblyStack, onLeftOut: ((reason: string) => void) | undefined) {
    this.#stack = stack;
    this.#onLeftOut = onLeftOut;
  }

  /** Leaves a resource out, or throws the error that says why it cannot be created. */
  add(logicalId: string, error: unknown): void {
    const isMissing = error instanceof TemplateError && ['not_supported', 'not_found'].includes(error.code);
    this.#needed ??= neededByLatchkey(this.#stack);
    if (this.#onLeftOut === undefined || !isMissing || this.#needed.has(logicalId)) throw error;
    this.#ids.add(logicalId);
    const { Type } = this.#stack.template.Resources[logicalId]!;
    const [reason] = error.message.split('\n');
    this.#onLeftOut(`left out, as nothing of Latchkey needs it: ${reason} (${Type})`);
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

function namesIn({ Properties, DependsOn }: TemplateResource): string[] {
  return [...referencedNames(Properties), ...DependsOn];
}

/**
 * The functions, secrets and parameters of deployments and tenants, all that they refer to, and the policies of their roles.
 */
function neededByLatchkey({ template: { Resources }, assetDirs }: AssemblyStack): ReadonlySet<string> {
  const needed = new Set<string>();
  const need = (logicalId: string): void => {
    const resource = Resources[logicalId];
    if (resource === undefined || needed.has(logicalId)) return;
    needed.add(logicalId);
    namesIn(resource).forEach(need);
  };
  for (const [logicalId, { Type, Properties }] of Object.entries(Resources)) {
    const { Code, Name } = Properties;
    const codeDir = isJsonObject(Code) ? assetDirs.get(String(Code.S3Key)) : undefined;
    const isFunction = codeDir !== undefined && existsSync(join(codeDir, 'deployment.json'));
    const isNamed = NAMED.includes(Type) && /\/(staging|production)\/(global|mea)\//.test(String(Name));
    if (isFunction || isNamed) need(logicalId);
  }
  for (const [logicalId, { Type, Properties }] of Object.entries(Resources)) {
    const ofRoles = [...referencedNames(Properties.Roles)];
    if (Type === 'AWS::IAM::Policy' && ofRoles.some((role) => needed.has(role))) need(logicalId);
  }
  return needed;
}
