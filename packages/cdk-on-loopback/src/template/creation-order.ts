import { referencedNames } from './resolve';
import { type Template, TemplateError } from './template';

/**
 * The logical ids, each after those it refers to or names in `DependsOn`; otherwise in the template's order.
 * @throws {TemplateError} naming a cycle, or a `DependsOn` without a resource
 */
export function creationOrder(template: Template, stackName: string): string[] {
  const ordered: string[] = [];
  const done = new Set<string>();
  const visit = (logicalId: string, trail: string[]): void => {
    if (done.has(logicalId)) return;
    if (trail.includes(logicalId)) {
      const cycle = [...trail.slice(trail.indexOf(logicalId)), logicalId].join(' → ');
      throw new TemplateError('invalid_template', `stack ${stackName}: circular dependency ${cycle}`);
    }
    const { DependsOn, Properties } = template.Resources[logicalId]!;
    for (const other of DependsOn) {
      if (!Object.hasOwn(template.Resources, other)) {
        throw new TemplateError(
          'invalid_template',
          `stack ${stackName}, ${logicalId}: DependsOn names ${other}, which is not a resource`,
        );
      }
    }
    for (const other of [...DependsOn, ...referencedNames(Properties)]) {
      if (Object.hasOwn(template.Resources, other)) visit(other, [...trail, logicalId]);
    }
    done.add(logicalId);
    ordered.push(logicalId);
  };
  for (const logicalId of Object.keys(template.Resources)) visit(logicalId, []);
  return ordered;
}
