import { dependencyOrder } from './dependency-order';
import { referencedNames } from './resolve';
import { type Template, TemplateError } from './template';

/**
 * The logical ids, each after those it refers to or names in `DependsOn`; otherwise in the template's order.
 * @throws {TemplateError} naming a cycle, or a `DependsOn` without a resource
 */
export function creationOrder({ Resources }: Template, stackName: string): string[] {
  const invalid = (message: string): TemplateError =>
    new TemplateError('invalid_template', `stack ${stackName}${message}`);
  return dependencyOrder(
    Object.keys(Resources),
    (logicalId) => {
      const { DependsOn, Properties } = Resources[logicalId]!;
      const missing = DependsOn.find((other) => !Object.hasOwn(Resources, other));
      if (missing !== undefined)
        throw invalid(`, ${logicalId}: DependsOn names ${missing}, which is not a resource`);
      return [...DependsOn, ...referencedNames(Properties)];
    },
    (cycle) => invalid(`: circular dependency ${cycle.join(' → ')}`),
  );
}
