import { type z } from 'zod';
import { actingUserSchema, authorFields } from '../content/acting-user';
import { updateSchema } from '../content/write-request';
import { contentsSchema } from '../control/contents-routes';
import { ANSWER_FIELDS, EFFECT_FIELDS, faultSchema } from '../fault';
import { seedContentSchema, seedItemSchema } from '../seed-content';
import { FIELD_DESCRIPTIONS } from './field-descriptions';
import { type JsonSchema, type Rules } from './zod-json-schema';

/** What a fault may not be: fields that are right by themselves, and say nothing sensible together. */
const FAULT: JsonSchema = {
  ...anyOf(EFFECT_FIELDS),
  dependentRequired: { seed: ['probability'] },
  dependentSchemas: {
    reset: { properties: absent([...ANSWER_FIELDS, 'slowBodyMs']) },
    malformedJson: { properties: absent([...ANSWER_FIELDS, 'reset']) },
    dependency: { properties: { ...absent(othersThan('dependency')), target: { const: 'content' } } },
    certificate: {
      properties: {
        ...absent(othersThan('certificate')),
        match: { properties: absent(['tenantId', 'operation']) },
      },
    },
  },
  if: { properties: { target: { not: { const: 'content' } } } },
  then: { properties: { match: { properties: absent(['operation']) } } },
};

const ALL_ITEMS_OK = {
  properties: { items: { minItems: 1, items: { properties: { status: { const: 'ok' } } } } },
};

/** A draft with items that are all `ok` is ready, and any other draft is not. */
const MATCHING_ITEMS: JsonSchema = {
  allOf: [
    { if: itemsOf('ready'), then: ALL_ITEMS_OK },
    { if: itemsOf('draft'), then: { not: ALL_ITEMS_OK } },
  ],
};

/**
 * What fields mean, and the rules between fields of requests, which the zod schemas have as code. Rules between a request and what the sandbox
 * holds (names that exist, names that are taken) can't be said in JSON Schema: they are in descriptions.
 */
export const REQUEST_RULES: Rules = new Map<z.core.$ZodType, JsonSchema>([
  ...FIELD_DESCRIPTIONS,
  [actingUserSchema, anyOf(['authorRef', 'collaborationId'])],
  [updateSchema, anyOf(Object.keys(updateSchema.shape).filter((field) => !(field in authorFields)))],
  [faultSchema, FAULT],
  [
    seedItemSchema,
    {
      if: { required: ['status'], properties: { status: { const: 'error' } } },
      then: { required: ['failureReason'], properties: { failureReason: true } },
      else: { properties: absent(['failureReason']) },
    },
  ],
  [seedContentSchema, MATCHING_ITEMS],
  [contentsSchema, MATCHING_ITEMS],
]);

function anyOf(fields: readonly string[]): JsonSchema {
  return { anyOf: fields.map((field) => ({ required: [field] })) };
}

/** Properties that may not be there. */
function absent(fields: readonly string[]): Record<string, JsonSchema | boolean> {
  return Object.fromEntries(fields.map((field) => [field, false]));
}

function othersThan(effect: string): string[] {
  return EFFECT_FIELDS.filter((field) => field !== effect);
}

/** Of a content with that status whose items are given; where they are left out, they are made to fit. */
function itemsOf(status: string): JsonSchema {
  return { required: ['status', 'items'], properties: { status: { const: status }, items: true } };
}
