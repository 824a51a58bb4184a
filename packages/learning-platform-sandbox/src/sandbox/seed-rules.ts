import { z } from 'zod';
import { deploymentName, deploymentKeySchema } from './deployment-key';
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
const deploymentKeyView = deploymentKeySchema.strip().optional().catch(undefined);
const seedView = z.object({ cells: z.array(z.unknown()).catch([]) }).catch({ cells: [] });
const tenantsView = z.object({ tenants: z.array(z.unknown()).catch([]) }).catch({ tenants: [] });

/** Identifiers already in use. The rules add the ones they check. */
export interface TakenNames {
  readonly tenantIds: Set<string>;
  readonly contentIds: Set<string>;
}

/** Faults between the parts of a seed, such as an identifier used twice. */
export function brokenSeedRules(input: unknown): InputFault[] {
  const taken = { tenantIds: new Set<string>(), contentIds: new Set<string>() };
  const cells = new Set<string>();
  return seedView.parse(input).cells.flatMap((deploymentInput, c) => {
    const deploymentKey = deploymentKeyView.parse(deploymentInput);
    const isTwice = deploymentKey !== undefined && !added(cells, deploymentName(deploymentKey));
    const ofTenants = tenantsView.parse(deploymentInput).tenants.flatMap((tenant, t) =>
      brokenTenantRules(deploymentKey, tenant, taken).map(({ path, message }) => ({
        path: ['cells', c, 'tenants', t, ...path],
        message,
      })),
    );
    return [
      ...(isTwice ? [{ path: ['cells', c], message: 'a deployment that is not listed yet' }] : []),
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
  const { tenantId, contents, ...given } = tenantView.parse(tenantInput);
  const deploymentKey = deploymentKeyView.parse(deploymentInput);
  const madeUp =
    deploymentKey && tenantId !== undefined ? seededReferences(deploymentKey, tenantId) : undefined;
  const ownOf = (kind: 'authorRefs' | 'collaborationIds') =>
    given[kind] === undefined ? madeUp?.[kind] : given[kind];
  const isForeign = (reference: string | undefined, own: readonly string[] | null | undefined) =>
    reference !== undefined && own?.includes(reference) === false;
  const [authorRefs, collaborationIds] = [ownOf('authorRefs'), ownOf('collaborationIds')];

  const faults: InputFault[] = [];
  if (tenantId !== undefined && !added(taken.tenantIds, tenantId)) {
    faults.push({ path: ['tenantId'], message: 'a tenant identifier that is not in use' });
  }
  contents.forEach(({ id, authorRef, collaborationId }, n) => {
    const fault = (field: string, message: string) => faults.push({ path: ['contents', n, field], message });
    if (id !== undefined && !added(taken.contentIds, id)) fault('id', 'a content id that is not in use');
    if (isForeign(authorRef, authorRefs)) fault('authorRef', "one of the tenant's authorRefs");
    if (isForeign(collaborationId, collaborationIds)) {
      fault('collaborationId', "one of the tenant's collaborationIds");
    }
  });
  return faults;
}

/** Adds a name and returns whether it is new. */
function added(names: Set<string>, name: string): boolean {
  const isNew = !names.has(name);
  names.add(name);
  return isNew;
}
