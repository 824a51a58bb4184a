import { must, NotExaminableError } from './check';
import { type HttpAnswer } from './https-requests';
import { contentRequest, type ContentRequest, expectSuccess, isJsonObject, objectOf } from './requests';
import { type WritableTenant } from './tenant';

interface ContentWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** `{id}` stands for the id of the content. */
  readonly path: string;
  /** Body fields besides the acting user. Assumed: the specification shows none. */
  readonly fields?: object;
}

export const CREATE: ContentWrite = {
  method: 'POST',
  path: '/contents',
  fields: { title: 'Made by the conformance suite' },
};
export const UPDATE: ContentWrite = {
  method: 'PATCH',
  path: '/contents/{id}',
  fields: { title: 'Changed by the conformance suite' },
};
export const DELETE: ContentWrite = { method: 'DELETE', path: '/contents/{id}' };
export const PUBLISH: ContentWrite = { method: 'POST', path: '/contents/{id}/publish' };
/** All writes that exist today. @see specification, "4. Other content operations that exist" */
export const EXISTING_WRITES: readonly ContentWrite[] = [CREATE, UPDATE, DELETE, PUBLISH];

export function sendWrite(
  tenant: WritableTenant,
  { method, path, fields }: ContentWrite,
  contentId: string,
  actingUser: object,
  scope?: string,
): Promise<HttpAnswer> {
  const json = { ...fields, ...actingUser };
  return contentRequest(tenant, method, path.replace('{id}', contentId), { json, scope });
}

/**
 * Sends a write that is coming soon. Method and path are assumed. Moves the acting user from the body to headers if the platform
 * expects it there. @see specification, "Acting-user object", rule 5
 */
function sendComingSoon(
  tenant: WritableTenant,
  operation: 'restore' | 'archive',
  contentId: string,
  request: ContentRequest,
): Promise<HttpAnswer> {
  const path = `/contents/${contentId}/${operation}`;
  const { actingUserHeaders: names } = tenant;
  if (names === undefined || !isJsonObject(request.json))
    return contentRequest(tenant, 'POST', path, request);
  const { authorRef, collaborationId, ...json } = request.json;
  const headers = {
    ...(typeof authorRef === 'string' && { [names.authorRef]: authorRef }),
    ...(typeof collaborationId === 'string' && { [names.collaborationId]: collaborationId }),
    ...request.headers,
  };
  return contentRequest(tenant, 'POST', path, { ...request, json, headers });
}

/** Sends a restore. Default body: the tenant's author as the acting user. */
export function restore(
  tenant: WritableTenant,
  contentId: string,
  change: ContentRequest = {},
): Promise<HttpAnswer> {
  const usual = change.body === undefined ? { json: { authorRef: tenant.authorRef } } : {};
  return sendComingSoon(tenant, 'restore', contentId, { ...usual, ...change });
}

/** Restores a content and returns the record. */
export async function expectRestored(
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
export async function expectArchived(
  tenant: WritableTenant,
  contentId: string,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await sendComingSoon(tenant, 'archive', contentId, {
    json: { authorRef: tenant.authorRef },
  });
  if ([404, 405, 501].includes(answer.status))
    throw new NotExaminableError('the platform has no POST /contents/{id}/archive');
  expectSuccess(answer);
  return objectOf(answer);
}

/**
 * Creates a content of the tenant's author and returns its id.
 * @throws {NotExaminableError} if create does not work as assumed
 */
export async function createContent(tenant: WritableTenant): Promise<string> {
  const answer = await sendWrite(tenant, CREATE, '', { authorRef: tenant.authorRef });
  if (answer.status === 422)
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

export const UNKNOWN_REFERENCE = 'nobody-has-this-reference';
export const UNKNOWN_CONTENT_ID = 'ffffffffffffffffffffffff';
