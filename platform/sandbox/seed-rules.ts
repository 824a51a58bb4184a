import { z } from 'zod';
import { deploymentName, deploymentKeySchema } from './deployment-key';
import { seededReferences } from './seeded-ids';
import { type InputFault } from './validation';

// What the rules look at. A part of another shape is told of by the schema of the seed, and passes for absent here, so that
// one fault hides no other. References of another shape are null: nothing can be said about who refers to them.
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

/** The names that other tenants have already. Grows with what is looked at. */
export interface TakenNames {
  readonly tenantIds: Set<string>;
  readonly contentIds: Set<string>;
}

/** What is wrong between the parts of a seed, each part being right by itself. */
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
      ...(isTwice ? [{ path: ['cells', c], message: 'each deployment is listed once' }] : []),
      ...ofTenants,
    ];
  });
}

/**
 * What is wrong between a tenant and the others, and between its parts.
 *
 * The tenant identifier differs between live and staging, so an identifier may be used in one deployment only.
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
    faults.push({ path: ['tenantId'], message: 'a tenant identifier belongs to one deployment, once' });
  }
  contents.forEach(({ id, authorRef, collaborationId }, n) => {
    const fault = (field: string, message: string) => faults.push({ path: ['contents', n, field], message });
    if (id !== undefined && !added(taken.contentIds, id)) fault('id', 'each content has an id of its own');
    if (isForeign(authorRef, authorRefs)) fault('authorRef', "one of the tenant's authorRefs");
    if (isForeign(collaborationId, collaborationIds)) {
      fault('collaborationId', "one of the tenant's collaborationIds");
    }
  });
  return faults;
}

/** Adds a name. Returns whether it was new. */
function added(names: Set<string>, name: string): boolean {
  const isNew = !names.has(name);
  names.add(name);
  return isNew;
}
