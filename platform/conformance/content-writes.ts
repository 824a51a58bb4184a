import { must } from './check';
import { type HttpAnswer } from './https-requests';
import { contentRequest, type ContentRequest, expectSuccess, isJsonObject, objectOf } from './requests';
import { NotExaminableError, type WritableTenant } from './tenant';

/** A write of the content interface, as the specification names it. */
interface ContentWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** `{id}` stands for the id of the content. */
  readonly path: string;
  /** A state in which the write is possible; for create, any. */
  readonly possibleIn: 'draft' | 'ready' | 'published' | 'archived';
  /** What the body needs besides the acting user. The specification shows none of it: assumed. */
  readonly fields?: object;
}

/** Creates a content. */
export const CREATE: ContentWrite = {
  method: 'POST',
  path: '/contents',
  possibleIn: 'draft',
  fields: { title: 'Made by the conformance suite' },
};
/** Changes a content. */
export const UPDATE: ContentWrite = {
  method: 'PATCH',
  path: '/contents/{id}',
  possibleIn: 'draft',
  fields: { title: 'Changed by the conformance suite' },
};
/** Deletes a content. */
export const DELETE: ContentWrite = { method: 'DELETE', path: '/contents/{id}', possibleIn: 'draft' };
/** Publishes a content. */
export const PUBLISH: ContentWrite = {
  method: 'POST',
  path: '/contents/{id}/publish',
  possibleIn: 'ready',
};
/** The writes that exist on contents that are there. @see specification, "4. Other content operations that exist" */
export const CHANGES: readonly ContentWrite[] = [UPDATE, DELETE, PUBLISH];
/** All writes that exist today. */
export const EXISTING_WRITES: readonly ContentWrite[] = [CREATE, ...CHANGES];

/** Restore is described without method and path: assumed, as is all of archive but its answer. */
const RESTORE: ContentWrite = {
  method: 'POST',
  path: '/contents/{id}/restore',
  possibleIn: 'archived',
};
const ARCHIVE: ContentWrite = { method: 'POST', path: '/contents/{id}/archive', possibleIn: 'published' };
/** The writes that are yet to come. */
export const COMING_SOON_WRITES: readonly ContentWrite[] = [RESTORE, ARCHIVE];

/** Sends a write with an acting user in its body. */
export function sendWrite(
  tenant: WritableTenant,
  { method, path, fields }: ContentWrite,
  contentId: string,
  actingUser: object,
): Promise<HttpAnswer> {
  return contentRequest(tenant, method, path.replace('{id}', contentId), {
    json: { ...fields, ...actingUser },
  });
}

/** Sends a restore, by the tenant's author unless something else is said. */
export function restore(
  tenant: WritableTenant,
  contentId: string,
  change: ContentRequest = {},
): Promise<HttpAnswer> {
  const usual = change.body === undefined ? { json: { authorRef: tenant.authorRef } } : {};
  return contentRequest(tenant, 'POST', RESTORE.path.replace('{id}', contentId), { ...usual, ...change });
}

/** Sends an archive by the tenant's author. */
export function archive(tenant: WritableTenant, contentId: string): Promise<HttpAnswer> {
  return sendWrite(tenant, ARCHIVE, contentId, { authorRef: tenant.authorRef });
}

/** Restores a content, and returns the record that is answered. */
export async function restored(
  tenant: WritableTenant,
  contentId: string,
  json: object = { authorRef: tenant.authorRef },
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await restore(tenant, contentId, { json });
  expectSuccess(answer);
  return objectOf(answer);
}

/**
 * Archives a content, and returns the record that is answered.
 * @throws {NotExaminableError} where the platform has no such operation: that there is one is assumed
 */
export async function archived(
  tenant: WritableTenant,
  contentId: string,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await archive(tenant, contentId);
  if ([404, 405, 501].includes(answer.status))
    throw new NotExaminableError(`${ARCHIVE.method} ${ARCHIVE.path}`);
  expectSuccess(answer);
  return objectOf(answer);
}

/**
 * Creates a content of the tenant's author, and returns its id.
 * @throws {NotExaminableError} where a create is not as it is assumed
 */
export async function createdContent(tenant: WritableTenant, more?: object): Promise<string> {
  const answer = await sendWrite(tenant, CREATE, '', { authorRef: tenant.authorRef, ...more });
  if (more === undefined && answer.status === 422) throw new NotExaminableError('what a create needs');
  expectSuccess(answer);
  const { id } = objectOf(answer);
  if (typeof id !== 'string') throw new NotExaminableError('the id in the answer to a create');
  return id;
}

/** The items of a record, each an object. @throws {ViolationError} when it has none that are objects */
export function itemsOf({
  items,
}: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  must(Array.isArray(items), 'the items of the record are not an array');
  must(items.every(isJsonObject), 'an item of the record is not an object');
  return items;
}

/** A reference that nobody has. */
export const UNKNOWN_REFERENCE = 'nobody-has-this-reference';
/** A content id that nothing has. */
export const UNKNOWN_CONTENT_ID = 'ffffffffffffffffffffffff';
