import { z } from 'zod';

/** The answer has to have a body: without the record, no success can be told from a failure. */
const SUCCESS_STATUSES = '200–299, but not 204 or 205';

/** The platform's restore operation, as configuration has it. */
export const restore = z.strictObject({
  available: z
    .boolean()
    .default(false)
    .describe(
      'Whether the platform offers restore to you. It is announced as coming soon, so this is off by default.',
    ),
  method: z
    .enum(['POST', 'PUT', 'PATCH'], { error: 'POST, PUT, PATCH' })
    .default('POST')
    .describe('The method of the platform’s restore operation.'),
  path: z
    .string()
    .regex(/^(\/[A-Za-z0-9._~-]+)*\/\{contentId\}(\/[A-Za-z0-9._~-]+)*$/, {
      error: 'a path with {contentId} as one segment, such as /contents/{contentId}/restore',
    })
    .default('/contents/{contentId}/restore')
    .describe('The path of the platform’s restore operation, after contentBaseUrl.'),
  successStatus: z
    .int({ error: SUCCESS_STATUSES })
    .min(200, { error: SUCCESS_STATUSES })
    .max(299, { error: SUCCESS_STATUSES })
    .refine((status) => status !== 204 && status !== 205, { error: SUCCESS_STATUSES })
    .default(200)
    .describe(
      'The HTTP status with which the platform says that it restored. Its answer has to have a body.',
    ),
  actingUserIn: z
    .enum(['body', 'header'], { error: 'body, header' })
    .default('body')
    .describe(
      'Where the platform takes the acting user from. Callers of the restore API send it in the body.',
    ),
  failureReasonField: z
    .string()
    .min(1, { error: 'a field name' })
    .default('failureReason')
    .describe('The field of an item in the platform’s answer that says why the item failed.'),
});
