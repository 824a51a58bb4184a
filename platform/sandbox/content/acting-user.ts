import { z } from 'zod';
import { RefusedRequestError } from '../errors';
import { type Tenant } from '../tenants';

const reference = z.string('a string that is not empty').min(1, 'a string that is not empty');

/** Of writes that want at least one of the two. @see platform specification, "Acting-user object" */
export const actingUserSchema = z
  .object(
    { authorRef: reference.optional(), collaborationId: reference.optional() },
    'the body is not an object',
  )
  .refine(
    ({ authorRef, collaborationId }) => authorRef ?? collaborationId,
    'at least one of authorRef and collaborationId is required',
  );

/**
 * Of writes that require authorRef, and take no collaboration.
 * @see platform specification, "Acting-user object", rule 4
 */
export const authorFields = {
  authorRef: reference,
  collaborationId: z.undefined('accepted by POST /contents only').optional(),
};

/**
 * Of `POST /contents`, where a collaboration may be named that is to own the content.
 * @see platform specification, "Acting-user object", rule 4
 */
export const creatorFields = { authorRef: reference, collaborationId: reference.optional() };

/** Who performs a write. */
export type ActingUser = z.output<typeof actingUserSchema>;

/**
 * Checks that both references are the tenant's own. One answer for unknown and foreign: neither tells of another tenant.
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
  throw new RefusedRequestError(422, `${wrong.join(' and ')}: unknown, or of another organisation`);
}
