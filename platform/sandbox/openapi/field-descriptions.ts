import { type z } from 'zod';
import { contentsSchema } from '../control/contents-routes';
import { sessionSchema } from '../control/credentials-routes';
import { itemFailureSchema } from '../control/settings-routes';
import { faultSchema } from '../fault';
import { processingTimingSchema } from '../seed';
import { seedContentSchema } from '../seed-content';
import { addedTenantSchema } from '../control/tenants-routes';
import { type JsonSchema } from './zod-json-schema';

/** Descriptions of control request fields whose names do not explain them. */
export const FIELD_DESCRIPTIONS: readonly (readonly [z.core.$ZodType, JsonSchema])[] = [
  ...described(faultSchema, {
    target: 'The part of the platform that the fault affects.',
    match: 'Affects only requests that match all of these values. Default: all requests to the target.',
    status: 'Status to answer with instead of processing the request. Default: 200.',
    body: 'Body of that answer: strings are sent as is, anything else as JSON. Default: an error body.',
    headers: 'Headers of that answer. For a redirect, set status and Location.',
    delayMs: 'Wait before anything else. If the client disconnects meanwhile, the request is dropped.',
    reset: 'Breaks the connection before or after processing the request.',
    slowBodyMs: 'Sends the body of the answer in up to ten chunks over this time.',
    malformedJson: 'Processes the request, then truncates the JSON of its answer.',
    dependency: 'Makes this service fail when an operation needs it: 502, and nothing is changed.',
    certificate: 'What is wrong with the certificate presented to new connections.',
    times: 'How many requests the fault affects. Default: all until the fault is deleted.',
    probability: 'Probability that the fault affects a matching request.',
    seed: 'Random seed: the same seed picks the same requests if they arrive in the same order. Default: 0.',
  }),
  ...described(addedTenantSchema, {
    authorRefs: 'Users of the tenant. Default: two generated ones.',
    collaborationIds: 'Collaborations of the tenant. Default: two generated ones.',
    contents: 'Contents of the tenant. Default: five archived, and one in each other status.',
  }),
  ...described(seedContentSchema, {
    id: 'Default: a generated one, the same in every run.',
    authorRef: "The author: one of the tenant's users. Default: the first one.",
    collaborationId: "The owner: one of the tenant's collaborations. Default: the author owns the content.",
    items: 'Default: three that fit the status. A draft is ready if and only if it has items and all are ok.',
  }),
  ...described(contentsSchema, { count: 'How many contents to add.' }),
  ...described(sessionSchema, { administrator: 'Whether the user may generate API keys.' }),
  ...described(itemFailureSchema, {
    match: 'Affects only items that match all of these values. Default: all items.',
    reason: 'The failure reason of the items.',
    times: 'How many items fail.',
  }),
  ...described(processingTimingSchema, {
    startsAfterSec: 'Seconds that an item is pending.',
    takesSec: 'Seconds that processing then takes.',
  }),
];

function described<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  descriptions: { readonly [Field in keyof Shape]?: string },
): (readonly [z.core.$ZodType, JsonSchema])[] {
  return Object.entries(descriptions).map(([field, description]) => [shape[field]!, { description }]);
}
