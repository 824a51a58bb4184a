import { z } from 'zod';
import { RefusedRequestError } from '../errors';
import { type Tenant } from '../tenants';

const actingUserSchema = z
  .object({ authorRef: z.string().min(1).optional(), collaborationId: z.string().min(1).optional() })
  .refine(({ authorRef, collaborationId }) => authorRef ?? collaborationId);

/** Who performs a write: at least one of the two. @see platform specification, "Acting-user object" */
export type ActingUser = z.output<typeof actingUserSchema>;

/**
 * Reads the acting user from the body of a write. Unknown fields are ignored.
 * @throws {RefusedRequestError} 400 for malformed JSON, 422 for JSON of another shape
 */
export function actingUserInBody(body: string): ActingUser {
  return readActingUser(parseJson(body));
}

/**
 * Reads the acting user from the headers of a write (provisional). There need be no body then; what is there has to be JSON.
 * @throws {RefusedRequestError} 400 for malformed JSON, 422 when both headers are missing
 */
export function actingUserInHeaders(header: (name: string) => string | undefined, body: string): ActingUser {
  if (body !== '') parseJson(body);
  return readActingUser({ authorRef: header('X-Author-Ref'), collaborationId: header('X-Collaboration-Id') });
}

/**
 * Checks that both references are the tenant's own. One answer for unknown and foreign: neither tells of another tenant.
 * @throws {RefusedRequestError} 422
 */
export function requireOwnReferences({ authorRef, collaborationId }: ActingUser, tenant: Tenant): void {
  const isOwn = (reference: string | undefined, own: readonly string[]) =>
    reference === undefined || own.includes(reference);
  const wrong = [
    ...(isOwn(authorRef, tenant.authorRefs) ? [] : ['authorRef']),
    ...(isOwn(collaborationId, tenant.collaborationIds) ? [] : ['collaborationId']),
  ];
  if (wrong.length === 0) return;
  throw new RefusedRequestError(422, `${wrong.join(' and ')}: unknown, or of another organisation`);
}

function readActingUser(input: unknown): ActingUser {
  const result = actingUserSchema.safeParse(input);
  if (result.success) return result.data;
  throw new RefusedRequestError(
    422,
    'at least one of authorRef and collaborationId is required, as a string',
  );
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new RefusedRequestError(400, 'the body is not well-formed JSON');
  }
}
