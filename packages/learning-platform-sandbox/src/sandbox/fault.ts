import { z } from '@hono/zod-openapi';
import { deploymentKeySchema } from './deployment-key';
import { CONTENT_OPERATIONS } from './operations';
import { absent, anyOf } from './openapi/rules';
import { countSchema, type InputFault } from './validation';

/** `directory` holds users and collaborations, `store` contents, `audit` the audit trail. */
const DEPENDENCIES = ['directory', 'store', 'audit'] as const;
/** A service that content operations depend on. */
export type Dependency = (typeof DEPENDENCIES)[number];

const MAX_SEED = 0xffff_ffff;
const MAX_WAIT_MS = 600_000;
/** Excludes the headers that frame the body. @see RFC 9110, sections 5.1 and 5.6.2 */
const HEADER_NAME = new RegExp(
  `^(?!(?:${['content-length', 'trailer', 'transfer-encoding'].map(inAnyCase).join('|')})$)[!#$%&'*+.^_\`|~0-9A-Za-z-]+$`,
);
/** @see RFC 9110, section 5.5 */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** The fields of an answer that replaces the platform's. */
export const ANSWER_FIELDS = ['status', 'body', 'headers'] as const;
/** The effects of a fault. It has at least one. */
const EFFECT_FIELDS = [
  ...ANSWER_FIELDS,
  'delayMs',
  'reset',
  'slowBodyMs',
  'malformedJson',
  'dependency',
  'certificate',
] as const;

const headersSchema = z
  .custom<Readonly<Record<string, string>>>(
    areSendable,
    'valid HTTP header names and values, except Content-Length, Trailer and Transfer-Encoding',
  )
  .meta({
    type: 'object',
    propertyNames: { pattern: HEADER_NAME.source },
    additionalProperties: { type: 'string', pattern: HEADER_VALUE.source },
  });

const fieldsSchema = z.strictObject({
  target: z
    .enum(['token', 'content', 'tenants', 'webhooks', 'resource'])
    .describe('What the fault affects. resource: what accepts the tokens of an issuer of the seed.'),
  match: z
    .strictObject({
      ...deploymentKeySchema.shape,
      issuer: z.string().min(1),
      tenantId: z.string().min(1),
      interface: z.enum(['content', 'webhooks']),
      operation: z.enum(CONTENT_OPERATIONS),
    })
    .partial()
    .optional()
    .describe('Affects only requests that match all of these values. Default: all requests to the target.'),
  status: z
    .int()
    .min(200)
    .max(599)
    .optional()
    .describe('Status to answer with instead of processing the request. Default: 200.'),
  delayMs: z
    .int()
    .min(0)
    .max(MAX_WAIT_MS)
    .optional()
    .describe('Wait before anything else. If the client disconnects meanwhile, the request is dropped.'),
  body: z
    .unknown()
    .optional()
    .describe('Body of that answer: strings are sent as is, anything else as JSON. Default: an error body.'),
  headers: headersSchema
    .optional()
    .describe('Headers of that answer. For a redirect, set status and Location.'),
  reset: z
    .enum(['before', 'after'])
    .optional()
    .describe('Breaks the connection before or after processing the request.'),
  slowBodyMs: z
    .int()
    .min(1)
    .max(MAX_WAIT_MS)
    .optional()
    .describe('Sends the body of the answer in up to ten chunks over this time.'),
  malformedJson: z
    .literal(true)
    .optional()
    .describe('Processes the request, then truncates the JSON of its answer.'),
  dependency: z
    .enum(DEPENDENCIES)
    .optional()
    .describe('Makes this service fail when an operation needs it: 502, and nothing is changed.'),
  certificate: z
    .enum(['expired', 'wrong-host', 'untrusted'])
    .optional()
    .describe('What is wrong with the certificate presented to new connections.'),
  times: countSchema
    .optional()
    .describe('How many requests the fault affects. Default: all until the fault is deleted.'),
  probability: z
    .number()
    .gt(0)
    .lt(1)
    .optional()
    .describe('Probability that the fault affects a matching request.'),
  seed: z
    .int()
    .min(0)
    .max(MAX_SEED)
    .optional()
    .describe(
      'Random seed: the same seed picks the same requests if they arrive in the same order. Default: 0.',
    ),
});

/**
 * An injected fault: its effect, the requests it affects, and how often (default: until deleted). With a `probability`, the
 * same `seed` (default 0) picks the same requests if they arrive in the same order.
 */
export type Fault = z.output<typeof fieldsSchema>;
/** What a fault does to one request, without the body and headers of its answer. */
export const faultEffectSchema = fieldsSchema.pick({
  status: true,
  delayMs: true,
  reset: true,
  slowBodyMs: true,
  malformedJson: true,
  dependency: true,
});
export type FaultEffect = z.output<typeof faultEffectSchema>;
/** The part of the platform that a fault affects or a counter counts. */
export type FaultPoint = Fault['target'];
/** What is wrong with the certificate presented to a new connection. */
export type CertificateFault = NonNullable<Fault['certificate']>;
/** What faults match in a request: a fault applies if its target and all values of its `match` are equal. */
export type RequestAttributes = { readonly faultPoint: FaultPoint } & Readonly<NonNullable<Fault['match']>>;
/** What faults match in a new connection. */
export type ConnectionAttributes = Omit<RequestAttributes, 'tenantId' | 'operation'>;

/** {@link contradictionsOf} as JSON Schema. */
const CONTRADICTIONS = {
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

/** The body of `POST /faults`. */
export const faultSchema = fieldsSchema
  .superRefine((fault, context) => {
    for (const { path, message } of contradictionsOf(fault)) {
      context.addIssue({ code: 'custom', path, message });
    }
  })
  .openapi('Fault', CONTRADICTIONS);

/** What a server can do to connections. */
export interface ConnectionSupport {
  readonly certificateFaults: boolean;
  /** Whether it sends an answer piece by piece, and breaks connections. */
  readonly connectionFaults: boolean;
}

/** The effects of a fault that this server cannot have. None for an invalid fault, which the schema reports. */
export function unsupportedEffects(
  input: unknown,
  { certificateFaults, connectionFaults }: ConnectionSupport,
): InputFault[] {
  const fault = fieldsSchema.partial().safeParse(input).data;
  const connectionEffects = (['reset', 'slowBodyMs', 'certificate'] as const).filter(
    (effect) => fault?.[effect] !== undefined,
  );
  if (!connectionFaults) {
    const message = 'nothing: this sandbox is behind API Gateway, which makes the connections';
    return connectionEffects.map((effect) => ({ path: [effect], message }));
  }
  if (certificateFaults || fault?.certificate === undefined) return [];
  const message = 'nothing, unless each address has its own port (--separate-ports, separatePorts)';
  return [{ path: ['certificate'], message }];
}

/** Whether the fault answers instead of the platform. */
export function isAnswering(fault: Pick<Fault, (typeof ANSWER_FIELDS)[number]>): boolean {
  return ANSWER_FIELDS.some((field) => fault[field] !== undefined);
}

/** Combinations of valid fields that are not allowed. */
function contradictionsOf(fault: Fault): { path: string[]; message: string }[] {
  const { target, match, reset, malformedJson, dependency, certificate, seed, probability } = fault;
  const has = (field: (typeof EFFECT_FIELDS)[number]) => fault[field] !== undefined;
  const isAlone = EFFECT_FIELDS.filter(has).length === 1;
  const checks: [wrong: boolean | undefined, path: string[], message: string][] = [
    [
      target !== 'content' && match?.operation !== undefined,
      ['match', 'operation'],
      'only with target content',
    ],
    [
      reset && isAnswering(fault),
      ['reset'],
      'without status, body or headers: a broken connection sends no answer',
    ],
    [reset && has('slowBodyMs'), ['reset'], 'without slowBodyMs: a broken connection sends no body'],
    [
      malformedJson && (isAnswering(fault) || has('reset')),
      ['malformedJson'],
      "without status, body, headers or reset: it truncates the platform's own answer",
    ],
    [dependency && target !== 'content', ['dependency'], 'only with target content'],
    [
      dependency && !isAlone,
      ['dependency'],
      'only with match, times, probability and seed: a failing dependency always answers 502',
    ],
    [
      certificate && !isAlone,
      ['certificate'],
      'only with match, times, probability and seed: a refused connection carries no request',
    ],
    [
      certificate && (match?.tenantId ?? match?.operation) !== undefined,
      ['match'],
      'without tenantId and operation: they are unknown when a connection opens',
    ],
    [seed !== undefined && probability === undefined, ['seed'], 'only with probability'],
    [!EFFECT_FIELDS.some(has), [], `at least one of ${EFFECT_FIELDS.join(', ')}`],
  ];
  return checks.flatMap(([wrong, path, message]) => (wrong ? [{ path, message }] : []));
}

function othersThan(effect: string): string[] {
  return EFFECT_FIELDS.filter((field) => field !== effect);
}

function areSendable(headers: unknown): boolean {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return false;
  return Object.entries(headers).every(
    ([name, value]) => HEADER_NAME.test(name) && typeof value === 'string' && HEADER_VALUE.test(value),
  );
}

/** A case-insensitive pattern for a word. JSON Schema patterns have no flags. */
function inAnyCase(word: string): string {
  return word.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
