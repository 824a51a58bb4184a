import { type Variant } from '../variant';

const VALID_UNTIL = 'a key is valid until validUntil, and then no longer';
const TIMESTAMP = 'validUntil is an ISO 8601 timestamp that lies ahead';
const PASSWORD = 'a generated key is accepted as the password of Basic authentication';
const GENERATED =
  'const generated = executeDocument(query, () => state.apiKeys.generate(tenant, state.clock.nowMs()));';
const ANSWER = {
  file: 'sandbox/tenant-service/tenant-service.ts',
  from: 'return c.json(executeDocument(query, () => state.apiKeys.generate(tenant, state.clock.nowMs())));',
} as const;

/** Variants that break the checks of the generation of API keys. */
export const API_KEY_VARIANTS: readonly Variant[] = [
  {
    clause: 'generated-api-key/paragraph-1',
    ...ANSWER,
    to: `${GENERATED} return c.json((generated.data ?? generated) as object);`,
    alsoFails: [TIMESTAMP, VALID_UNTIL, PASSWORD],
  },
  {
    clause: 'generated-api-key/row-validuntil',
    file: 'sandbox/content/api-keys.ts',
    from: 'new Date(validUntilMs).toISOString()',
    to: 'new Date(validUntilMs).toUTCString()',
  },
  {
    clause: 'generated-api-key/row-validuntil',
    file: 'sandbox/content/api-keys.ts',
    from: '&& nowMs < key.validUntilMs',
    to: '',
  },
  {
    clause: 'generated-api-key/row-apikey',
    ...ANSWER,
    to: "return c.json(executeDocument(query, () => ({ ...state.apiKeys.generate(tenant, state.clock.nowMs()), apiKey: 'forgotten' })));",
    alsoFails: [VALID_UNTIL],
  },
  {
    clause: 'common-rules/rule-3',
    file: 'sandbox/tenant-service/tenant-service.ts',
    from: 'state.apiKeys.generate(tenant, state.clock.nowMs())',
    to: "({ apiKey: 'forgotten', validUntil: '2100-01-01T00:00:00Z' })",
    alsoFails: [VALID_UNTIL],
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-1',
    file: 'sandbox/tenant-service/tenant-service.ts',
    from: 'session?.tenant.environment !== environment ||',
    to: 'session === undefined ||',
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-2',
    file: 'sandbox/tenant-service/tenant-service.ts',
    from: "!isJsonMediaType(c.req.header('content-type'))",
    to: "c.req.header('content-type') === undefined",
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-2',
    file: 'sandbox/tenant-service/tenant-service.ts',
    from: "isCorrelated(session, c.req.header('correlation-id'))",
    to: "isCorrelated(session, c.req.header('correlation-id')) && c.req.header('correlation-id') !== undefined",
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-2',
    file: 'sandbox/tenant-service/sessions.ts',
    from: 'authorization === undefined ? undefined :',
    to: 'authorization === undefined ? [...this.#byDigest.values()].at(-1) :',
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-3',
    file: 'sandbox/tenant-service/tenant-service.ts',
    from: 'if (!session.isAdministrator) {',
    to: 'if (session === undefined) {',
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-3',
    file: 'sandbox/tenant-service/sessions.ts',
    from: 'session && nowMs < session.expiresAtMs ? session : undefined',
    to: 'session',
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-3',
    file: 'sandbox/tenant-service/sessions.ts',
    from: 'this.#byDigest.get(digest(authorization))',
    to: "this.#byDigest.get(digest(authorization.replace(/^(Bearer )?/, 'Bearer ')))",
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-4',
    file: 'sandbox/tenant-service/tenant-service.ts',
    from: 'const query = (parsed as { query?: unknown } | null)?.query;',
    to: 'const query = Object.values(parsed as object)[0] as unknown;',
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-4',
    ...ANSWER,
    to: 'void query; void executeDocument; return c.json({ data: { generateApiKey: state.apiKeys.generate(tenant, state.clock.nowMs()) } });',
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-5',
    ...ANSWER,
    to: `${GENERATED} return c.json({ data: generated.data && { generateApiKey: { ...(generated.data.generateApiKey as object), validUntil: undefined } } });`,
    alsoFails: [TIMESTAMP, VALID_UNTIL],
  },
  {
    clause: 'what-the-service-does/bullet-4',
    file: 'sandbox/tenant-service/key-generation.ts',
    from: "const TOKEN_TYPES = ['permanent'];",
    to: "const TOKEN_TYPES = ['temporary'];",
    alsoFails: [TIMESTAMP, VALID_UNTIL, PASSWORD],
  },
];
