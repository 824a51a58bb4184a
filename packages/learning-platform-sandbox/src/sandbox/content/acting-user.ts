import { z } from '@hono/zod-openapi';
import { RefusedRequestError } from '../errors';
import { anyOf } from '../openapi/rules';
import { type Tenant } from '../tenants';

const reference = z.string('a non-empty string').min(1, 'a non-empty string');

/** The acting user of archive and restore: at least one reference. @see platform specification, "Acting-user object" */
export const actingUserSchema = z
  .object(
    { authorRef: reference.optional(), collaborationId: reference.optional() },
    'the body is not an object',
  )
  .refine(
    ({ authorRef, collaborationId }) => authorRef ?? collaborationId,
    'at least one of authorRef and collaborationId is required',
  )
  .openapi('ActingUser', anyOf(['authorRef', 'collaborationId']));

/**
 * The acting user of update, publish and delete: an authorRef, and no collaboration.
 * @see platform specification, "Acting-user object", rule 4
 */
export const authorFields = {
  authorRef: reference,
  // JSON Schema has no undefined, and the generator needs a type.
  collaborationId: z
    .undefined('accepted by POST /contents only')
    .optional()
    .openapi({ type: 'null', not: {} }),
};

/**
 * The acting user of create: an authorRef, and optionally the collaboration that will own the content.
 * @see platform specification, "Acting-user object", rule 4
 */
export const creatorFields = { authorRef: reference, collaborationId: reference.optional() };

export type ActingUser = z.output<typeof actingUserSchema>;

/**
 * Checks that both references belong to the tenant. Unknown and foreign references get the same answer, which reveals nothing
 * about other tenants.
 * @throws {RefusedRequestError} 422
 * @see platform specification, "Acting-user object", rule 3
 */
export function requireOwnReferences({ authorRef, collaborationId }: ActingUser, tenant: Tenant): void {
  const isOwn = (ref: string | undefined, own: readonly string[]) => ref === undefined || own.includes(ref);
  const wrong = [
    ...(isOwn(authorRef, tenant.authorRefs) ? [] : ['authorRef']),
    ...(isOwn(collaborationId, tenant.collaborationIds) ? [] : ['collaborationId']),
  ];
  if (wrong.length === 0) return;
  throw new RefusedRequestError(422, `${wrong.join(' and ')}: unknown, or belongs to another organization`);
}
