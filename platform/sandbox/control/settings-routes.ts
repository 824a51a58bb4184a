import { Hono } from 'hono';
import { z } from 'zod';
import { deploymentKeySchema } from '../deployment-key';
import { type ApiKeys } from '../content/api-keys';
import { type Processing } from '../content/processing';
import { ITEM_TYPES } from '../content/records';
import { type RestoreSettings } from '../content/provisional-settings';
import { actingUserInSchema, durationSecSchema, processingTimingSchema } from '../seed';
import { textSchema } from '../validation';
import { readInput } from './read-input';

/** What the platform does where the specification leaves it open. */
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
  .strictObject({ available: z.boolean(), actingUserIn: actingUserInSchema })
  .partial();
/** The body of `POST /key-lag`. */
export const lagSchema = z.strictObject({ sec: durationSecSchema });

/**
 * Each of these is put back by a reset.
 *
 * - `POST /processing {startsAfterSec?, takesSec?}`, `GET /processing` → both: how items that come from now on are processed
 * - `POST /item-failures` a rule → 201: the processing of the next items that match fails; `GET /item-failures` →
 *   `{failures}`, with the times that are left; `DELETE /item-failures` → 204, all of them are gone
 * - `POST /restore {available?, actingUserIn?}`, `GET /restore` → both: whether restore and archive exist yet, and where they
 *   take the acting user from
 * - `POST /key-lag {sec}` → `{sec}`: keys generated from now on, here or by the tenant service, work only so many seconds
 *   (of the sandbox's clock) later; 0 for at once
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
