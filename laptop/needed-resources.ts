import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../core/json/json-object';
import { type AssemblyStack, dependenciesOf, referencedNames } from 'cdk-on-loopback';

/** Types whose names show whether a resource is Latchkey's: `PREFIX/ENVIRONMENT/PLATFORM_REGION/…` on the learning platform. */
const NAMED = ['AWS::SecretsManager::Secret', 'AWS::SSM::Parameter'];

/**
 * The functions, secrets and parameters of deployments and tenants, all that they refer to, and the policies of their roles.
 */
export function neededByLatchkey({ template: { Resources }, assetDirs }: AssemblyStack): ReadonlySet<string> {
  const needed = new Set<string>();
  const need = (logicalId: string): void => {
    const resource = Resources[logicalId];
    if (resource === undefined || needed.has(logicalId)) return;
    needed.add(logicalId);
    dependenciesOf(resource).forEach(need);
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
