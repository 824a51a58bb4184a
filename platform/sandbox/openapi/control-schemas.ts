import { z } from 'zod';
import { type Addresses } from '../addresses';
import { deploymentKeySchema, tenantReferenceSchema } from '../deployment-key';
import { type Change } from '../content/audit-trail';
import { type ProcessingTiming } from '../content/processing';
import { LIFECYCLE_STATUSES } from '../content/records';
import { type RestoreSettingsValues } from '../content/provisional-settings';
import { type storedView } from '../content/views';
import { clockSchema } from '../control/clock-routes';
import { contentsSchema } from '../control/contents-routes';
import { sessionSchema } from '../control/credentials-routes';
import { itemFailureSchema, lagSchema, restoreSchema } from '../control/settings-routes';
import { addedTenantSchema } from '../control/tenants-routes';
import { type CountedRequest } from '../counters';
import { faultEffectSchema, faultSchema } from '../fault';
import { CONTENT_OPERATIONS } from '../operations';
import { type RecentRequest } from '../recent-requests';
import { actingUserHeadersSchema, actingUserInSchema, processingTimingSchema } from '../seed';
import { errorSchema, itemSchema } from './interface-schemas';
import { type JsonSchema, jsonSchemaOf } from './zod-json-schema';
import { REQUEST_RULES } from './request-rules';

const text = z.string();
const time = z.iso.datetime().meta({ description: 'Sandbox clock time. ISO 8601, UTC.' });
const ids = z.array(text);

const tenant = deploymentKeySchema.extend({
  tenantId: text,
  archivedContentIds: ids,
  authorRefs: ids,
  collaborationIds: ids,
});

const content = z.strictObject({
  id: text,
  status: z.enum(LIFECYCLE_STATUSES),
  title: text,
  description: text,
  tags: z.array(text),
  type: text,
  author: text,
  owner: text.meta({ description: 'The author or collaboration that owns the content.' }),
  createdAt: time,
  updatedAt: time,
  deleted: z.boolean(),
  items: z.array(itemSchema),
}) satisfies z.ZodType<ReturnType<typeof storedView>>;

const change = deploymentKeySchema.extend({
  at: time,
  tenantId: text,
  contentId: text,
  operation: z.enum(CONTENT_OPERATIONS).exclude(['list', 'get']),
  actingUser: text.meta({ description: 'The author reference, or "system account".' }),
  owner: text,
}) satisfies z.ZodType<Change>;

const counted = z.strictObject({
  target: faultSchema.shape.target,
  method: text,
  path: text,
  status: z.int().meta({ description: '0 if the connection was broken instead of an answer.' }),
}) satisfies z.ZodType<CountedRequest>;

const recent = counted.extend({
  at: time,
  durationMs: z.int().min(0).meta({ description: 'Real time until the answer was ready.' }),
  tenantId: text.optional().meta({ description: 'The tenant that the request names. It may not exist.' }),
  fault: faultEffectSchema.optional().meta({ description: 'The effect of the fault that was injected.' }),
}) satisfies z.ZodType<RecentRequest>;

const addresses = z.strictObject({
  control: text,
  cells: z.array(
    deploymentKeySchema.extend({
      contentBaseUrl: text,
      contentTokenBaseUrl: text,
      webhooksBaseUrl: text,
      webhooksTokenBaseUrl: text,
    }),
  ),
  tenantServices: z.strictObject({ staging: text, live: text }),
}) satisfies z.ZodType<Addresses>;

const timing = z.strictObject({
  startsAfterSec: z.number(),
  takesSec: z.number(),
}) satisfies z.ZodType<ProcessingTiming>;
const restore = z.strictObject({
  available: z.boolean(),
  actingUserIn: actingUserInSchema,
  actingUserHeaders: actingUserHeadersSchema,
}) satisfies z.ZodType<RestoreSettingsValues>;

const answer = (schema: z.ZodType) => jsonSchemaOf(schema, 'output', REQUEST_RULES);
const answerOf = (shape: z.core.$ZodLooseShape) => answer(z.strictObject(shape));
const request = (schema: z.ZodType) => jsonSchemaOf(schema, 'input', REQUEST_RULES);
const requestOf = (shape: z.core.$ZodLooseShape) => request(z.strictObject(shape));

/** The schemas of control's bodies. No object allows additional properties. */
export function controlSchemas(): Record<string, JsonSchema> {
  return {
    Addresses: answer(addresses),
    AddedTenant: request(addedTenantSchema),
    AddedContents: request(contentsSchema),
    ApiKey: answerOf({ apiKey: text, validUntil: time }),
    ApiKeyToEnd: requestOf({ apiKey: text }),
    Changes: answerOf({ changes: z.array(change) }),
    Clock: request(clockSchema),
    Content: answer(content),
    ContentIds: answerOf({ contentIds: ids }),
    Contents: answerOf({ contents: z.array(content) }),
    Counters: answerOf({ requests: z.array(counted.extend({ count: z.int().min(1) })) }),
    Credential: answerOf({ clientId: text, clientSecret: text }),
    CredentialToEnd: requestOf({ clientId: text }),
    Error: answer(errorSchema),
    Fault: request(faultSchema),
    Faults: answerOf({ faults: z.array(faultSchema) }),
    ItemFailure: request(itemFailureSchema),
    ItemFailures: answerOf({ failures: z.array(itemFailureSchema) }),
    KeyLag: request(lagSchema),
    Now: answerOf({ now: time }),
    Processing: answer(timing),
    ProcessingChange: request(processingTimingSchema),
    Requests: answerOf({ requests: z.array(recent) }),
    Restore: answer(restore),
    RestoreChange: request(restoreSchema),
    Session: answerOf({ authorization: text, correlationId: text }),
    SessionToEnd: requestOf({ authorization: text }),
    SessionToOpen: request(sessionSchema),
    Tenant: answer(tenant),
    TenantReference: request(tenantReferenceSchema),
    Tenants: answerOf({ tenants: z.array(tenant) }),
    TokenToEnd: requestOf({ accessToken: text }),
  };
}
