import { referencedNames } from './resolve';
import { type Template, TemplateError } from './template';

/**
 * Logical ids so that every resource comes after those it refers to or names in `DependsOn`; otherwise as written.
 * @throws {TemplateError} on a cycle, which it names, or a `DependsOn` that names nothing.
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
          `stack ${stackName}, ${logicalId}: DependsOn names ${other}, which is no resource`,
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
