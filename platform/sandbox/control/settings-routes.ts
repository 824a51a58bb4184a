import { Hono } from 'hono';
import { z } from 'zod';
import { deploymentKeySchema } from '../deployment-key';
import { type ApiKeys } from '../content/api-keys';
import { type Processing } from '../content/processing';
import { ITEM_TYPES } from '../content/records';
import { type RestoreSettings } from '../content/provisional-settings';
import {
  actingUserHeadersSchema,
  actingUserInSchema,
  durationSecSchema,
  processingTimingSchema,
} from '../seed';
import { textSchema } from '../validation';
import { readInput } from './read-input';

/** State used by the settings routes. */
export interface SettingState {
  readonly apiKeys: ApiKeys;
  readonly processing: Processing;
  readonly restore: RestoreSettings;
}

/** The body of `POST /item-failures`. */
export const itemFailureSchema = z.strictObject({
  match: z
    .strictObject({ ...deploymentKeySchema.shape, tenantId: z.string().min(1), type: z.enum(ITEM_TYPES) })
    .partial()
    .optional(),
  reason: textSchema(1, 256),
  times: z.int().min(1).default(1),
});
/** The body of `POST /restore`. */
export const restoreSchema = z
  .strictObject({
    available: z.boolean(),
    actingUserIn: actingUserInSchema,
    actingUserHeaders: actingUserHeadersSchema,
  })
  .partial();
/** The body of `POST /key-lag`. */
export const lagSchema = z.strictObject({ sec: durationSecSchema });

/**
 * Settings for behavior that the specification leaves open. A reset restores them.
 *
 * - `POST /processing {startsAfterSec?, takesSec?}`, `GET /processing` → both fields: the processing times of new items
 * - `POST /item-failures` with a failure → 201: processing of the next matching items fails; `GET /item-failures` →
 *   `{failures}`, with their remaining times; `DELETE /item-failures` → 204, deletes all of them
 * - `POST /restore {available?, actingUserIn?, actingUserHeaders?}`, `GET /restore` → all fields: whether restore and archive
 *   exist, where they take the acting user from, and the names of its headers
 * - `POST /key-lag {sec}` → `{sec}`: how long after its generation (sandbox clock) a new API key starts to work
 */
export function settingRoutes({ apiKeys, processing, restore }: SettingState): Hono {
  const app = new Hono();
  app.get('/processing', (c) => c.json(processing.timing));
  app.post('/processing', async (c) => {
    processing.setTiming(await readInput(c, processingTimingSchema));
    return c.json(processing.timing);
  });

  app.get('/item-failures', (c) => c.json({ failures: processing.failures() }));
  app.post('/item-failures', async (c) => {
    const rule = await readInput(c, itemFailureSchema);
    processing.addFailure(rule);
    return c.json(rule, 201);
  });
  app.delete('/item-failures', (c) => {
    processing.clearFailures();
    return c.body(null, 204);
  });

  app.get('/restore', (c) => c.json(restore.values));
  app.post('/restore', async (c) => {
    restore.set(await readInput(c, restoreSchema));
    return c.json(restore.values);
  });

  app.post('/key-lag', async (c) => {
    const { sec } = await readInput(c, lagSchema);
    apiKeys.setLag(sec);
    return c.json({ sec });
  });
  return app;
}
