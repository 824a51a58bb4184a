import { z } from 'zod';
import { ITEM_STATUSES } from './content/item-schedule';
import { ITEM_TYPES, LIFECYCLE_STATUSES } from './content/records';
import { textSchema } from './validation';

const MAX_ITEMS = 100;
const label = textSchema(1, 256);

/** One item of a content of a seed. */
export const seedItemSchema = z
  .strictObject({
    type: z.enum(ITEM_TYPES).optional(),
    summary: label.optional(),
    status: z.enum(ITEM_STATUSES).default('ok'),
    failureReason: label.optional(),
  })
  .superRefine(({ status, failureReason }, context) => {
    if ((status === 'error') === (failureReason !== undefined)) return;
    const message = 'present when status is "error", and only then';
    context.addIssue({ code: 'custom', path: ['failureReason'], message });
  });

/** A content's place in its lifecycle, and its items. Items that are left out are made to fit the status. */
export const contentStateFields = {
  status: z.enum(LIFECYCLE_STATUSES).default('archived'),
  items: z.array(seedItemSchema).max(MAX_ITEMS).optional(),
};

/** One content of a seed. What is left out is made up, the same in every run. */
export const seedContentSchema = z
  .strictObject({
    ...contentStateFields,
    id: z
      .string()
      .regex(/^[0-9a-fA-F]{24}$/, '24 hexadecimal digits')
      .optional(),
    title: label.optional(),
    authorRef: z.string().optional(),
    collaborationId: z.string().optional(),
  })
  .superRefine(requireMatchingItems);

/** One content of a seed. */
export type SeedContent = z.output<typeof seedContentSchema>;
/** One item of a content of a seed. */
export type SeedItem = z.output<typeof seedItemSchema>;

/**
 * A draft all of whose items are `ok` is ready, and nothing else is.
 * @see platform specification, "States and transitions", rule 3
 */
export function requireMatchingItems(
  { status, items }: Pick<SeedContent, 'status' | 'items'>,
  context: z.RefinementCtx,
): void {
  if (!items || (status !== 'draft' && status !== 'ready')) return;
  const isReady = items.length > 0 && items.every((item) => item.status === 'ok');
  if (isReady === (status === 'ready')) return;
  const message = 'a draft with items that are all "ok" is ready, and any other draft is not';
  context.addIssue({ code: 'custom', path: ['status'], message });
}
