import { must } from './check';
import { type HttpAnswer } from './https-requests';
import { contentRequest, type ContentRequest, expectSuccess, isJsonObject, objectOf } from './requests';
import { NotExaminableError, type WritableTenant } from './tenant';

/** A write operation of the content interface. */
interface ContentWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** `{id}` stands for the id of the content. */
  readonly path: string;
  /** A status in which the write is possible. Irrelevant for create. */
  readonly possibleIn: 'draft' | 'ready' | 'published' | 'archived';
  /** Body fields besides the acting user. Assumed: the specification shows none. */
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
/** The existing writes except create. @see specification, "4. Other content operations that exist" */
export const CHANGES: readonly ContentWrite[] = [UPDATE, DELETE, PUBLISH];
/** All writes that exist today. */
export const EXISTING_WRITES: readonly ContentWrite[] = [CREATE, ...CHANGES];

/** Method and path are assumed. Of archive, the specification shows only the answer. */
const RESTORE: ContentWrite = {
  method: 'POST',
  path: '/contents/{id}/restore',
  possibleIn: 'archived',
};
const ARCHIVE: ContentWrite = { method: 'POST', path: '/contents/{id}/archive', possibleIn: 'published' };
/** The writes that the specification announces as coming soon. */
export const COMING_SOON_WRITES: readonly ContentWrite[] = [RESTORE, ARCHIVE];

/** Sends a write with an acting user where the platform expects it. */
export function sendWrite(
  tenant: WritableTenant,
  write: ContentWrite,
  contentId: string,
  actingUser: object,
): Promise<HttpAnswer> {
  const { method, path, fields } = write;
  const request = { json: { ...fields, ...actingUser } };
  const sent = COMING_SOON_WRITES.includes(write) ? withActingUserInPlace(tenant, request) : request;
  return contentRequest(tenant, method, path.replace('{id}', contentId), sent);
}

/**
 * Moves the acting user of a restore or archive from the body to headers, if the platform expects it there.
 * @see specification, "Acting-user object", rule 5
 */
function withActingUserInPlace(
  { actingUserHeaders: names }: WritableTenant,
  request: ContentRequest,
): ContentRequest {
  if (names === undefined || !isJsonObject(request.json)) return request;
  const { authorRef, collaborationId, ...json } = request.json;
  return {
    ...request,
    json,
    headers: {
      ...(typeof authorRef === 'string' && { [names.authorRef]: authorRef }),
      ...(typeof collaborationId === 'string' && { [names.collaborationId]: collaborationId }),
      ...request.headers,
    },
  };
}

/** Sends a restore. Default body: the tenant's author as the acting user. */
export function restore(
  tenant: WritableTenant,
  contentId: string,
  change: ContentRequest = {},
): Promise<HttpAnswer> {
  const usual = change.body === undefined ? { json: { authorRef: tenant.authorRef } } : {};
  const request = withActingUserInPlace(tenant, { ...usual, ...change });
  return contentRequest(tenant, 'POST', RESTORE.path.replace('{id}', contentId), request);
}

/** Sends an archive with the tenant's author as the acting user. */
export function archive(tenant: WritableTenant, contentId: string): Promise<HttpAnswer> {
  return sendWrite(tenant, ARCHIVE, contentId, { authorRef: tenant.authorRef });
}

/** Restores a content and returns the record. */
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
 * Archives a content and returns the record.
 * @throws {NotExaminableError} if the platform has no such operation, which is only assumed
 */
export async function archived(
  tenant: WritableTenant,
  contentId: string,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await archive(tenant, contentId);
  if ([404, 405, 501].includes(answer.status))
    throw new NotExaminableError(`the platform has no ${ARCHIVE.method} ${ARCHIVE.path}`);
  expectSuccess(answer);
  return objectOf(answer);
}

/**
 * Creates a content of the tenant's author and returns its id.
 * @throws {NotExaminableError} if create does not work as assumed
 */
export async function createdContent(tenant: WritableTenant, more?: object): Promise<string> {
  const answer = await sendWrite(tenant, CREATE, '', { authorRef: tenant.authorRef, ...more });
  if (more === undefined && answer.status === 422)
    throw new NotExaminableError('a create needs fields that the specification does not show');
  expectSuccess(answer);
  const { id } = objectOf(answer);
  if (typeof id !== 'string') throw new NotExaminableError('the answer to a create has no id');
  return id;
}

/** The items of a record. @throws {ViolationError} unless they are an array of objects */
export function itemsOf({
  items,
}: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  must(Array.isArray(items), 'the items of the record are not an array');
  must(items.every(isJsonObject), 'an item of the record is not an object');
  return items;
}

/** A reference that does not exist. */
export const UNKNOWN_REFERENCE = 'nobody-has-this-reference';
/** A content id that does not exist. */
export const UNKNOWN_CONTENT_ID = 'ffffffffffffffffffffffff';
