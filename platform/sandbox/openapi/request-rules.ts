import { type z } from 'zod';
import { actingUserSchema, authorFields } from '../content/acting-user';
import { updateSchema } from '../content/write-request';
import { contentsSchema } from '../control/contents-routes';
import { ANSWER_FIELDS, EFFECT_FIELDS, faultSchema } from '../fault';
import { seedContentSchema, seedItemSchema } from '../seed-content';
import { FIELD_DESCRIPTIONS } from './field-descriptions';
import { type JsonSchema, type Rules } from './zod-json-schema';

/** Field combinations that a fault must not have. */
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

/** A draft is ready if and only if it has items and all of them are `ok`. */
const MATCHING_ITEMS: JsonSchema = {
  allOf: [
    { if: itemsOf('ready'), then: ALL_ITEMS_OK },
    { if: itemsOf('draft'), then: { not: ALL_ITEMS_OK } },
  ],
};

/**
 * Field descriptions, and JSON Schema for the rules that the zod schemas implement in code. Rules that depend on the
 * sandbox's state (unknown or taken names) do not fit JSON Schema; descriptions state them.
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

/** Forbids these properties. */
function absent(fields: readonly string[]): Record<string, JsonSchema | boolean> {
  return Object.fromEntries(fields.map((field) => [field, false]));
}

function othersThan(effect: string): string[] {
  return EFFECT_FIELDS.filter((field) => field !== effect);
}

/** Matches a content with that status and explicit items. Omitted items are generated to fit. */
function itemsOf(status: string): JsonSchema {
  return { required: ['status', 'items'], properties: { status: { const: status }, items: true } };
}
