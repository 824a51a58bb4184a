import { AwsError } from './aws-error';

/** One page of a list, and what to ask for the next one with. */
interface Page<Item> {
  items: Item[];
  nextToken?: string;
}

/**
 * The page of `all` that a token points at. The list is read anew for each page, so `all` must come in a stable order.
 * @throws {AwsError} with `invalidTokenCode` when the token isn't one of ours.
 */
export function pageOf<Item>(
  all: readonly Item[],
  size: number,
  token: string | undefined,
  invalidTokenCode: string,
): Page<Item> {
  const start =
    token === undefined
      ? 0
      : Number(/^after-(\d{1,9})$/.exec(Buffer.from(token, 'base64').toString())?.[1] ?? NaN);
  if (Number.isNaN(start))
    throw new AwsError(invalidTokenCode, 'The next token is not one that an earlier answer gave.');
  const end = start + size;
  return {
    items: all.slice(start, end),
    ...(end < all.length ? { nextToken: Buffer.from(`after-${end}`).toString('base64') } : {}),
  };
}
