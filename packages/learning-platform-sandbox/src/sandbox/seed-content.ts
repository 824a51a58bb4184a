import { z } from 'zod';
import { ITEM_STATUSES } from './content/item-schedule';
import { ITEM_TYPES, LIFECYCLE_STATUSES } from './content/records';
import { textSchema } from './validation';

const MAX_ITEMS = 100;
const label = textSchema(1, 256);

export const seedItemSchema = z
  .strictObject({
    type: z.enum(ITEM_TYPES).optional(),
    summary: label.optional(),
    status: z.enum(ITEM_STATUSES).default('ok'),
    failureReason: label.optional(),
  })
  .superRefine(({ status, failureReason }, context) => {
    if ((status === 'error') === (failureReason !== undefined)) return;
    const message = 'a text if status is "error", otherwise nothing';
    context.addIssue({ code: 'custom', path: ['failureReason'], message });
  })
  .meta({
    if: { required: ['status'], properties: { status: { const: 'error' } } },
    then: { required: ['failureReason'], properties: { failureReason: true } },
    else: { properties: { failureReason: false } },
  });

/** Status and items of a content. Omitted items are generated to fit the status. */
export const contentStateFields = {
  status: z.enum(LIFECYCLE_STATUSES).default('archived'),
  items: z
    .array(seedItemSchema)
    .max(MAX_ITEMS)
    .optional()
    .describe(
      'Default: three that fit the status. A draft is ready if and only if it has items and all are ok.',
    ),
};

const ALL_ITEMS_OK = {
  properties: { items: { minItems: 1, items: { properties: { status: { const: 'ok' } } } } },
};
/** {@link requireMatchingItems} as JSON Schema. */
export const MATCHING_ITEMS = {
  allOf: [
    { if: withItems('ready'), then: ALL_ITEMS_OK },
    { if: withItems('draft'), then: { not: ALL_ITEMS_OK } },
  ],
};

/** One content of a seed. Omitted fields are generated, the same in every run. */
export const seedContentSchema = z
  .strictObject({
    ...contentStateFields,
    id: z
      .string()
      .regex(/^[0-9a-fA-F]{24}$/, '24 hexadecimal digits')
      .optional()
      .describe('Default: a generated one, the same in every run.'),
    title: label.optional(),
    authorRef: z
      .string()
      .optional()
      .describe("The author: one of the tenant's users. Default: the first one."),
    collaborationId: z
      .string()
      .optional()
      .describe("The owner: one of the tenant's collaborations. Default: the author owns the content."),
  })
  .superRefine(requireMatchingItems)
  .meta(MATCHING_ITEMS);

export type SeedContent = z.output<typeof seedContentSchema>;
export type SeedItem = z.output<typeof seedItemSchema>;

/**
 * Reports a `draft` whose items make it ready, and a `ready` content whose items do not.
 * @see platform specification, "States and transitions", rule 3
 */
export function requireMatchingItems(
  { status, items }: { status: string; items?: readonly { status: string }[] },
  context: z.RefinementCtx,
): void {
  if (!items || (status !== 'draft' && status !== 'ready')) return;
  const isReady = items.length > 0 && items.every((item) => item.status === 'ok');
  if (isReady === (status === 'ready')) return;
  const message = '"ready" if there are items and all of them are "ok", otherwise "draft"';
  context.addIssue({ code: 'custom', path: ['status'], message });
}

/** Matches a content with that status and explicit items. Omitted items are generated to fit. */
function withItems(status: string) {
  return { required: ['status', 'items'], properties: { status: { const: status }, items: true } };
}
