import { NotExaminableError } from './check';
import { contentRequest, expectSuccess, jsonOf } from './requests';
import { type ExaminedTenant } from './tenant';

/** The vocabulary of the `statuses` filter. @see specification, "Status vocabularies" */
export const LEGACY_STATUSES = ['created', 'published', 'archived', 'deleted'] as const;
/** The lifecycle statuses that the filter does not know. */
export const LIFECYCLE_ONLY_STATUSES = ['draft', 'ready'] as const;

/**
 * The catalogue views that `GET /contents` returns.
 * @throws {NotExaminableError} unless the answer is an array of objects: the specification does not show it
 */
export async function listedContents(
  tenant: ExaminedTenant,
  status?: string,
): Promise<readonly { readonly id?: unknown }[]> {
  const query = status === undefined ? '' : `?statuses=${status}`;
  const answer = await contentRequest(tenant, 'GET', `/contents${query}`);
  expectSuccess(answer);
  const contents = jsonOf(answer);
  if (
    !Array.isArray(contents) ||
    contents.some((content) => typeof content !== 'object' || content === null)
  ) {
    throw new NotExaminableError('the platform does not list contents as an array of objects');
  }
  return contents as object[];
}

export async function listedIds(tenant: ExaminedTenant, status?: string): Promise<readonly unknown[]> {
  return (await listedContents(tenant, status)).map(({ id }) => id);
}

/** Whether the filter refuses a status, or finds nothing with it. */
export async function filtersNothing(tenant: ExaminedTenant, status: string): Promise<boolean> {
  const { status: answered } = await contentRequest(tenant, 'GET', `/contents?statuses=${status}`);
  return (answered >= 400 && answered < 500) || (await listedIds(tenant, status)).length === 0;
}

/** The field names of a JSON object, sorted. */
export function shapeOf(object: object): string {
  return Object.keys(object).toSorted().join();
}
