import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import { changeFields } from '../setting';
import { deploymentKeySchema } from '../deployment-key';
import { ITEM_TYPES } from '../content/records';
import {
  actingUserHeadersSchema,
  actingUserInSchema,
  durationSecSchema,
  processingTimingSchema,
} from '../seed';
import { countSchema, textSchema } from '../validation';
import { response, TOO_LARGE } from '../openapi/parts';
import { operationsOf } from './control-operation';

const processingSchema = z
  .strictObject({ startsAfterSec: z.number(), takesSec: z.number() })
  .openapi('Processing');
const processingChangeSchema = z.strictObject(processingTimingSchema.shape).openapi('ProcessingChange');
const itemFailureSchema = z
  .strictObject({
    match: z
      .strictObject({ ...deploymentKeySchema.shape, tenantId: z.string().min(1), type: z.enum(ITEM_TYPES) })
      .partial()
      .optional()
      .describe('Affects only items that match all of these values. Default: all items.'),
    reason: textSchema(1, 256).describe('The failure reason of the items.'),
    times: countSchema.default(1).describe('How many items fail.'),
  })
  .openapi('ItemFailure');
const itemFailuresSchema = z
  .strictObject({
    failures: z.array(z.strictObject({ ...itemFailureSchema.shape, times: countSchema })),
  })
  .openapi('ItemFailures');
const restoreFields = z.strictObject({
  available: z.boolean(),
  actingUserIn: actingUserInSchema,
  actingUserHeaders: actingUserHeadersSchema,
});
const restoreSchema = restoreFields.openapi('Restore');
const restoreChangeSchema = restoreFields.partial().openapi('RestoreChange');
const lagSchema = z.strictObject({ sec: durationSecSchema }).openapi('KeyLag');

/** Settings for behavior that the specification leaves open. A reset restores them. */
export function addSettingRoutes(
  app: OpenAPIHono,
  { itemFailures, keyLagSec, restore, timing }: SandboxState,
): void {
  const serve = operationsOf(app, 'settings');
  const processingResponses = { 200: response('The current times.', processingSchema) };
  serve('GET /processing', {
    operationId: 'getProcessing',
    summary: 'Get the processing times of new items',
    responses: processingResponses,
    respond: (c) => c.json(timing.value),
  });
  serve('POST /processing', {
    operationId: 'setProcessing',
    summary: 'Set the processing times of new items',
    body: processingChangeSchema,
    example: { takesSec: 60 },
    responses: processingResponses,
    respond: (c, change) => c.json(changeFields(timing, change)),
  });

  serve('GET /item-failures', {
    operationId: 'listItemFailures',
    summary: 'List pending item failures',
    responses: { 200: response('Pending failures with their remaining times.', itemFailuresSchema) },
    respond: (c) => c.json({ failures: itemFailures.all() }),
  });
  serve('POST /item-failures', {
    operationId: 'addItemFailure',
    summary: 'Make processing of the next matching items fail',
    body: itemFailureSchema,
    example: { match: { type: 'video' }, reason: 'the video has no sound', times: 2 },
    responses: { 201: response('The added failure.', itemFailureSchema) },
    respond: (c, failure) => {
      itemFailures.add(failure);
      return c.json(failure, 201);
    },
  });
  serve('DELETE /item-failures', {
    operationId: 'deleteItemFailures',
    summary: 'Delete all pending item failures',
    responses: { 204: response('No failure is pending.'), 413: TOO_LARGE },
    respond: (c) => {
      itemFailures.reset();
      return c.body(null, 204);
    },
  });

  const restoreResponses = { 200: response('The current settings.', restoreSchema) };
  serve('GET /restore', {
    operationId: 'getRestore',
    summary: 'Get the settings of restore and archive',
    responses: restoreResponses,
    respond: (c) => c.json(restore.value),
  });
  serve('POST /restore', {
    operationId: 'setRestore',
    summary: 'Set whether restore and archive exist, and where they take the acting user from',
    body: restoreChangeSchema,
    example: { available: false },
    responses: restoreResponses,
    respond: (c, change) => c.json(changeFields(restore, change)),
  });

  serve('POST /key-lag', {
    operationId: 'setKeyLag',
    summary: 'Set the delay before new API keys work',
    body: lagSchema,
    example: { sec: 30 },
    responses: { 200: response('The delay for keys generated from now on.', lagSchema) },
    respond: (c, { sec }) => {
      keyLagSec.value = sec;
      return c.json({ sec });
    },
  });
}
