import { z } from 'zod';
import { CONTENT_OPERATIONS } from './operations';
import { deploymentKeySchema } from './deployment-key';

/** What the operations of the content interface depend on: users and collaborations, contents, and the audit trail. */
const DEPENDENCIES = ['directory', 'store', 'audit'] as const;
/** A service that operations of the content interface depend on. */
export type Dependency = (typeof DEPENDENCIES)[number];

const MAX_SEED = 0xffff_ffff;
const MAX_WAIT_MS = 600_000;
/** The body's framing stays the server's. @see RFC 9110, sections 5.1 and 5.6.2 */
const HEADER_NAME = new RegExp(
  `^(?!(?:${['content-length', 'trailer', 'transfer-encoding'].map(inAnyCase).join('|')})$)[!#$%&'*+.^_\`|~0-9A-Za-z-]+$`,
);
/** @see RFC 9110, section 5.5 */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** What a fault answers with instead of the platform. */
export const ANSWER_FIELDS = ['status', 'body', 'headers'] as const;
/** What goes wrong; a fault has at least one of them. */
export const EFFECT_FIELDS = [
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
    'names and values that HTTP can carry, without Content-Length, Trailer and Transfer-Encoding',
  )
  .meta({
    type: 'object',
    propertyNames: { pattern: HEADER_NAME.source },
    additionalProperties: { type: 'string', pattern: HEADER_VALUE.source },
  });

const fieldsSchema = z.strictObject({
  target: z.enum(['token', 'content', 'tenants', 'webhooks']),
  match: z
    .strictObject({
      ...deploymentKeySchema.shape,
      tenantId: z.string().min(1),
      interface: z.enum(['content', 'webhooks']),
      operation: z.enum(CONTENT_OPERATIONS),
    })
    .partial()
    .optional(),
  status: z.int().min(200).max(599).optional(),
  delayMs: z.int().min(0).max(MAX_WAIT_MS).optional(),
  body: z.unknown().optional(),
  headers: headersSchema.optional(),
  reset: z.enum(['before', 'after']).optional(),
  slowBodyMs: z.int().min(1).max(MAX_WAIT_MS).optional(),
  malformedJson: z.literal(true).optional(),
  dependency: z.enum(DEPENDENCIES).optional(),
  certificate: z.enum(['expired', 'wrong-host', 'untrusted']).optional(),
  times: z.int().min(1).optional(),
  probability: z.number().gt(0).lt(1).optional(),
  seed: z.int().min(0).max(MAX_SEED).optional(),
});

/**
 * What goes wrong, for which requests, and how often (until deleted, without `times`). With a `probability` it meets each
 * request by chance; the same `seed` (0 unless given) decides alike about requests in the same order.
 */
export type Fault = z.output<typeof fieldsSchema>;
/** The part of the platform that a fault or a counter is about. */
export type FaultPoint = Fault['target'];
/** What can be wrong with the certificate that a new connection is presented. */
export type CertificateFault = NonNullable<Fault['certificate']>;
/** What is known about a request before it is processed. A fault applies if it aims at that point and all of its `match` is equal. */
export type RequestAttributes = { readonly faultPoint: FaultPoint } & Readonly<NonNullable<Fault['match']>>;
/** What is known about a connection before a request comes over it. */
export type ConnectionAttributes = Omit<RequestAttributes, 'tenantId' | 'operation'>;

/** A control request for a fault. */
export const faultSchema = fieldsSchema.superRefine((fault, context) => {
  for (const { path, message } of contradictionsOf(fault)) {
    context.addIssue({ code: 'custom', path, message });
  }
});

/** Whether the fault answers instead of the platform. */
export function isAnswering(fault: Pick<Fault, (typeof ANSWER_FIELDS)[number]>): boolean {
  return ANSWER_FIELDS.some((field) => fault[field] !== undefined);
}

/** Fields that are right by themselves, and say nothing sensible together. */
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
      'a connection that breaks gives no answer: leave out status, body and headers',
    ],
    [reset && has('slowBodyMs'), ['reset'], 'a connection that breaks sends no body: leave out slowBodyMs'],
    [
      malformedJson && (isAnswering(fault) || has('reset')),
      ['malformedJson'],
      `it is the platform's own answer that is cut off: leave out status, body, headers and reset`,
    ],
    [dependency && target !== 'content', ['dependency'], 'only with target content'],
    [
      dependency && !isAlone,
      ['dependency'],
      'a failing dependency is answered with 502: only together with match, times, probability and seed',
    ],
    [
      certificate && !isAlone,
      ['certificate'],
      'a connection that is not opened carries no request: only together with match, times, probability and seed',
    ],
    [
      certificate && (match?.tenantId ?? match?.operation) !== undefined,
      ['match'],
      'who opens a connection, and what for, is not known yet: leave out tenantId and operation',
    ],
    [seed !== undefined && probability === undefined, ['seed'], 'only together with probability'],
    [!EFFECT_FIELDS.some(has), [], `at least one of ${EFFECT_FIELDS.join(', ')} is needed`],
  ];
  return checks.flatMap(([wrong, path, message]) => (wrong ? [{ path, message }] : []));
}

function areSendable(headers: unknown): boolean {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return false;
  return Object.entries(headers).every(
    ([name, value]) => HEADER_NAME.test(name) && typeof value === 'string' && HEADER_VALUE.test(value),
  );
}

/** A pattern of a word whose case does not matter. */
function inAnyCase(word: string): string {
  return word.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
