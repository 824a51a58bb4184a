import {
  type ChangeDetails,
  EVENT_SCHEMA_VERSION,
  EVENT_SOURCE,
  EVENT_TYPES,
  type EventType,
} from '../../core/events/change-events';
import {
  ENVIRONMENTS,
  INTERFACES,
  PLATFORM_REGIONS,
  SCOPES,
  TENANT_ID,
} from '../../core/deployment/platform';
import { CREDENTIAL_KINDS } from '../../core/secrets/secret-names';

/** A JSON Schema, draft 2020-12. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of every field of a detail: a missing or extra field does not compile. */
type FieldsOf<T> = Record<keyof T, JsonSchema>;

const text = (description: string): JsonSchema => ({ type: 'string', description });
const oneOf = (description: string, values: readonly string[]): JsonSchema => ({
  type: 'string',
  description,
  enum: [...new Set(values)],
});
const ofIssuer = (description: string, ofPlatform: readonly string[]) =>
  text(`${description}. On the built-in platform one of ${[...new Set(ofPlatform)].join(', ')}.`);
const time = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description });

const TENANT_FIELDS = {
  schemaVersion: oneOf('Version of this schema. Fields may be added without another version.', [
    EVENT_SCHEMA_VERSION,
  ]),
  prefix: text('Prefix of the deployment’s names.'),
  issuer: text('Name of the issuer’s profile. Only if it is another than the built-in platform.'),
  environment: ofIssuer('Environment', ENVIRONMENTS),
  platformRegion: ofIssuer('Region, not of AWS: only if the issuer has regions', PLATFORM_REGIONS),
  tenantId: { ...text('The tenant, as the platform issued its id.'), pattern: TENANT_ID.source },
  secretArn: text('Full ARN of the secret.'),
  versionId: text('The version of the secret that the event is about.'),
};
/** Those that an event may lack. */
const OPTIONAL = ['issuer', 'platformRegion'];
const CREDENTIAL_FIELDS = {
  ...TENANT_FIELDS,
  credential: oneOf('Which of the tenant’s credentials.', CREDENTIAL_KINDS),
};

const DETAILS: { [Type in EventType]: { description: string; fields: FieldsOf<ChangeDetails[Type]> } } = {
  'Token Renewed': {
    description: 'Another token became current. The event holds no token: read the secret.',
    fields: {
      ...TENANT_FIELDS,
      interface: ofIssuer('Interface', INTERFACES),
      scope: ofIssuer('Scope of the token', Object.values(SCOPES).flat()),
      renewedAt: time('When the token was issued. Of two events, the one with the later time is newer.'),
      expiresAt: time('When the token expires.'),
    },
  },
  'Credential Rotated': {
    description: 'Another version of a credential became current, by a rotation or because it was the first.',
    fields: { ...CREDENTIAL_FIELDS, rotatedAt: time('When the event was sent, right after the change.') },
  },
  'Credential Revoked': {
    description: 'An operator revoked the previous version of a credential.',
    fields: { ...CREDENTIAL_FIELDS, revokedAt: time('When the event was sent, right after the change.') },
  },
};

/** The published schema of each event: its file, and how the EventBridge schema registry names it. */
export const EVENT_SCHEMA_FILES: readonly { type: EventType; file: string }[] = Object.values(
  EVENT_TYPES,
).map((type) => ({ type, file: `docs/events/${type.toLowerCase().replaceAll(' ', '-')}.json` }));

/**
 * The schema of an event as an OpenAPI 3.0 document, the format of the EventBridge schema registry.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-schema-create.html
 */
export function eventOpenApi(type: EventType): object {
  const { description, fields } = DETAILS[type];
  const name = type.replaceAll(' ', '');
  const envelope = {
    version: oneOf('Version of EventBridge’s envelope.', ['0']),
    id: text('Unique id of the event; the same one if EventBridge delivers it again.'),
    'detail-type': oneOf('Type of the event.', [type]),
    source: oneOf('Who sent it.', [EVENT_SOURCE]),
    account: text('Account that sent the event.'),
    time: time('When the event was sent.'),
    region: text('AWS region that sent the event.'),
    resources: {
      type: 'array',
      description: 'The ARN of the secret.',
      items: { type: 'string' },
    },
    detail: { $ref: `#/components/schemas/${name}` },
  };
  return {
    openapi: '3.0.0',
    info: { version: '1.0.0', title: name, description },
    paths: {},
    components: {
      schemas: {
        AWSEvent: {
          type: 'object',
          required: Object.keys(envelope),
          'x-amazon-events-detail-type': type,
          'x-amazon-events-source': EVENT_SOURCE,
          properties: envelope,
        },
        [name]: {
          type: 'object',
          required: Object.keys(fields).filter((field) => !OPTIONAL.includes(field)),
          properties: fields,
        },
      },
    },
  };
}
