import { z } from 'zod';
import { deploymentKeyView, deploymentName } from './deployment-key';
import { seededReferences } from './seeded-ids';
import { type InputFault } from './validation';

// Lenient views of a seed. The seed's schema reports malformed parts; here they count as absent, so that all faults are
// reported together. Malformed references are null, and what refers to them is not checked.
const text = z.string().optional().catch(undefined);
const references = z.array(z.string()).nullish().catch(null);
const content = z.object({ id: text, authorRef: text, collaborationId: text }).catch({});
const tenantView = z
  .object({
    tenantId: text,
    authorRefs: references,
    collaborationIds: references,
    contents: z.array(content).catch([]),
  })
  .catch({ contents: [] });
const lenientDeploymentKey = deploymentKeyView.optional().catch(undefined);
const seedView = z.object({ deployments: z.array(z.unknown()).catch([]) }).catch({ deployments: [] });
const tenantsView = z.object({ tenants: z.array(z.unknown()).catch([]) }).catch({ tenants: [] });

/** Identifiers in use. Checking a tenant adds its own. */
export interface TakenNames {
  readonly tenantIds: Set<string>;
  readonly contentIds: Set<string>;
}

/** Faults between the parts of a seed, such as an identifier used twice. */
export function brokenSeedRules(input: unknown): InputFault[] {
  const taken = { tenantIds: new Set<string>(), contentIds: new Set<string>() };
  const deployments = new Set<string>();
  return seedView.parse(input).deployments.flatMap((deploymentInput, c) => {
    const deploymentKey = lenientDeploymentKey.parse(deploymentInput);
    const isTwice = deploymentKey !== undefined && !addIfNew(deployments, deploymentName(deploymentKey));
    const ofTenants = tenantsView.parse(deploymentInput).tenants.flatMap((tenant, t) =>
      brokenTenantRules(deploymentKey, tenant, taken).map(({ path, message }) => ({
        path: ['deployments', c, 'tenants', t, ...path],
        message,
      })),
    );
    return [
      ...(isTwice ? [{ path: ['deployments', c], message: 'a deployment that is not listed yet' }] : []),
      ...ofTenants,
    ];
  });
}

/**
 * Faults between a tenant and other tenants, and between its parts. A tenant identifier differs between live and staging, so
 * it may be used in one deployment only.
 * @param deploymentInput the deployment of the tenant
 * @see platform specification, "HTTP Basic authentication"; "Acting-user object", rule 3
 */
export function brokenTenantRules(
  deploymentInput: unknown,
  tenantInput: unknown,
  taken: TakenNames,
): InputFault[] {
  const { tenantId, contents, ...references } = tenantView.parse(tenantInput);
  const deploymentKey = lenientDeploymentKey.parse(deploymentInput);
  const defaults =
    deploymentKey && tenantId !== undefined ? seededReferences(deploymentKey, tenantId) : undefined;
  const isForeign = (kind: 'authorRefs' | 'collaborationIds', reference: string | undefined) => {
    const allowed = references[kind] === undefined ? defaults?.[kind] : references[kind];
    return reference !== undefined && allowed?.includes(reference) === false;
  };

  const faults: InputFault[] = [];
  if (tenantId !== undefined && !addIfNew(taken.tenantIds, tenantId)) {
    faults.push({ path: ['tenantId'], message: 'a tenant identifier that is not in use' });
  }
  contents.forEach(({ id, authorRef, collaborationId }, n) => {
    const fault = (field: string, message: string) => faults.push({ path: ['contents', n, field], message });
    if (id !== undefined && !addIfNew(taken.contentIds, id)) fault('id', 'a content id that is not in use');
    if (isForeign('authorRefs', authorRef)) fault('authorRef', "one of the tenant's authorRefs");
    if (isForeign('collaborationIds', collaborationId)) {
      fault('collaborationId', "one of the tenant's collaborationIds");
    }
  });
  return faults;
}

function addIfNew(names: Set<string>, name: string): boolean {
  const isNew = !names.has(name);
  names.add(name);
  return isNew;
}
