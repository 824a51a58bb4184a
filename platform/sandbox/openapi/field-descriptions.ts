import { type z } from 'zod';
import { contentsSchema } from '../control/contents-routes';
import { sessionSchema } from '../control/credentials-routes';
import { itemFailureSchema } from '../control/settings-routes';
import { faultSchema } from '../fault';
import { processingTimingSchema } from '../seed';
import { seedContentSchema } from '../seed-content';
import { addedTenantSchema } from '../control/tenants-routes';
import { type JsonSchema } from './zod-json-schema';

/** What the fields of control's requests mean, where their names do not say it. */
export const FIELD_DESCRIPTIONS: readonly (readonly [z.core.$ZodType, JsonSchema])[] = [
  ...described(faultSchema, {
    target: 'The part of the platform that is met.',
    match: 'Which requests to it: those that are equal in all of these. Without it, any.',
    status: 'Answered instead of processing the request; 200 unless given.',
    body: 'Of the answer: a string as it is, anything else as JSON. An error body unless given.',
    headers: 'Of the answer. A redirect is a status with Location.',
    delayMs: 'Before anything else happens. A client that leaves during it has its request dropped.',
    reset: 'The connection breaks before, or after, the request is processed.',
    slowBodyMs: 'The body of the answer, whoever says it, comes in up to ten pieces over that time.',
    malformedJson: 'The request is processed, and the JSON that answers it cut off in the middle.',
    dependency: 'This service fails wherever the operation depends on it: 502, and nothing is changed.',
    certificate: 'What is wrong with the certificate that new connections are presented.',
    times: 'So many requests are met. Without it, all until the fault is deleted.',
    probability: 'Each request is met by chance.',
    seed: 'Of the chance: the same one decides alike about requests in the same order. 0 unless given.',
  }),
  ...described(addedTenantSchema, {
    authorRefs: 'Its users. Two are made up unless given.',
    collaborationIds: 'Its collaborations. Two are made up unless given.',
    contents: 'Five archived ones and one in every other state unless given.',
  }),
  ...described(seedContentSchema, {
    id: 'Made up unless given, the same in every run.',
    authorRef: "The author: one of the tenant's, its first unless given.",
    collaborationId: "The owner: one of the tenant's. The author unless given.",
    items: 'Three that fit the status unless given; a draft is ready just when it has items and all are ok.',
  }),
  ...described(contentsSchema, { count: 'So many of that kind.' }),
  ...described(sessionSchema, { administrator: 'Whether the user may generate keys.' }),
  ...described(itemFailureSchema, {
    match: 'Which items: those that are equal in all of these. Without it, any.',
    reason: 'What the items tell as their failure reason.',
    times: 'So many items fail.',
  }),
  ...described(processingTimingSchema, {
    startsAfterSec: 'How long an item is pending.',
    takesSec: 'How long it is processed then.',
  }),
];

function described<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  descriptions: { readonly [Field in keyof Shape]?: string },
): (readonly [z.core.$ZodType, JsonSchema])[] {
  return Object.entries(descriptions).map(([field, description]) => [shape[field]!, { description }]);
}
