import { z } from 'zod';

import { RESTORE_PATH_FORM } from '../../core/deployment/platform-address';

/** 204 and 205 have no body, and the record in the body is what shows success. */
const SUCCESS_STATUSES = '200–299, but not 204 or 205';

/** Headers that the restore function or Node's HTTP client sets, and those that apply to one connection only. */
const OWN_HEADERS = [
  'accept',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
const HEADER_NAME = `a header name of 1–128 letters, digits and !#$%&'*+-.^_\`|~, and none of ${OWN_HEADERS.join(', ')}`;

/** @see RFC 9110, sections 5.1 (names are case-insensitive) and 5.6.2 (token) */
const headerName = () =>
  z
    .string({ error: HEADER_NAME })
    .regex(/^[\w!#$%&'*+.^`|~-]{1,128}$/, { error: HEADER_NAME })
    .refine((name) => !OWN_HEADERS.includes(name.toLowerCase()), { error: HEADER_NAME });

const actingUserHeaders = z
  .strictObject({
    authorRef: headerName().default('X-Author-Ref').describe('Name of the header with the author reference.'),
    collaborationId: headerName()
      .default('X-Collaboration-Id')
      .describe('Name of the header with the collaboration id.'),
  })
  .refine(({ authorRef, collaborationId }) => authorRef.toLowerCase() !== collaborationId.toLowerCase(), {
    error: 'two names that differ in more than case',
  });

/** The `restore` object of a deployment's configuration: the platform's restore operation. */
export const restore = z.strictObject({
  available: z
    .boolean()
    .default(false)
    .describe(
      'Whether the platform offers restore to you. It is announced as “coming soon”, so the default is false.',
    ),
  method: z
    .enum(['POST', 'PUT', 'PATCH'], { error: 'POST, PUT, PATCH' })
    .default('POST')
    .describe('HTTP method of the platform’s restore operation.'),
  path: z
    .string()
    .regex(RESTORE_PATH_FORM, {
      error:
        'a path with {contentId} once, such as /contents/{contentId}/restore or /contents/{contentId}:restore',
    })
    .default('/contents/{contentId}/restore')
    .describe('Path of the platform’s restore operation, relative to contentBaseUrl; it may have a query.'),
  successStatus: z
    .int({ error: SUCCESS_STATUSES })
    .min(200, { error: SUCCESS_STATUSES })
    .max(299, { error: SUCCESS_STATUSES })
    .refine((status) => status !== 204 && status !== 205, { error: SUCCESS_STATUSES })
    .default(200)
    .describe(
      'HTTP status of the platform’s response to a successful restore. The response must have a body.',
    ),
  actingUserIn: z
    .enum(['body', 'header'], { error: 'body, header' })
    .default('body')
    .describe(
      'Where the platform expects the acting user. Callers of the restore API always send it in the body.',
    ),
  actingUserHeaders: actingUserHeaders
    .prefault({})
    .describe(
      'Names of the acting user’s headers if actingUserIn is header. The platform has not announced any.',
    ),
  failureReasonField: z
    .string()
    .min(1, { error: 'a field name' })
    .default('failureReason')
    .describe('Field of an item in the platform’s response with the reason why the item failed.'),
});
