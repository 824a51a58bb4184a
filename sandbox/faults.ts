import { z } from 'zod';
import { cellSchema } from './seed';

const MAX_SEED = 0xffff_ffff;
const BODY_FRAMING = ['content-length', 'transfer-encoding'];

/** Every header a fault sends has to be one that HTTP can carry, and the framing of the body stays the server's. */
const headersSchema = z
  .record(z.string(), z.string())
  .refine(areSendable, 'names and values that HTTP can carry, without Content-Length and Transfer-Encoding');

/** A control request for a fault. */
export const faultSchema = z
  .strictObject({
    target: z.enum(['token', 'content', 'tenants']),
    match: z
      .strictObject({
        ...cellSchema.shape,
        tenantId: z.string().min(1),
        interface: z.enum(['content', 'webhooks']),
      })
      .partial()
      .optional(),
    status: z.int().min(200).max(599).optional(),
    delayMs: z.int().min(0).max(600_000).optional(),
    body: z.unknown().optional(),
    headers: headersSchema.optional(),
    reset: z.enum(['before', 'after']).optional(),
    times: z.int().min(1).optional(),
    probability: z.number().gt(0).lt(1).optional(),
    seed: z.int().min(0).max(MAX_SEED).optional(),
  })
  .superRefine((fault, context) => {
    const answers = isAnswering(fault);
    if (fault.reset && answers) {
      const message = 'a connection that breaks gives no answer: leave out status, body and headers';
      context.addIssue({ code: 'custom', path: ['reset'], message });
    }
    if (fault.seed !== undefined && fault.probability === undefined) {
      context.addIssue({ code: 'custom', path: ['seed'], message: 'only together with probability' });
    }
    if (!fault.reset && !answers && fault.delayMs === undefined) {
      const message = 'at least one of status, body, headers, delayMs, reset is needed';
      context.addIssue({ code: 'custom', path: [], message });
    }
  });

/**
 * What goes wrong, for which requests, and how often (until deleted, without `times`). With a `probability` it meets each
 * request by chance; the same `seed` (0 unless given) decides alike about requests in the same order.
 */
export type Fault = z.output<typeof faultSchema>;
/** The part of the platform that a fault or a counter is about. */
export type Target = Fault['target'];
/** What is known about a request before it is processed. A fault applies where all of its `match` is equal. */
export type RequestSubject = { readonly target: Target } & Readonly<NonNullable<Fault['match']>>;

/** Whether the fault answers instead of the platform. */
export function isAnswering({ status, body, headers }: Pick<Fault, 'status' | 'body' | 'headers'>): boolean {
  return status !== undefined || body !== undefined || headers !== undefined;
}

/** The faults in force, in the order in which they were added. */
export class Faults {
  #entries: { readonly fault: Fault; timesLeft: number; readonly isDue: () => boolean }[] = [];

  add(fault: Fault): void {
    const { times = Infinity, probability = 1, seed = 0 } = fault;
    const random = randomFrom(seed);
    this.#entries.push({ fault, timesLeft: times, isDue: () => probability === 1 || random() < probability });
  }

  clear(): void {
    this.#entries = [];
  }

  /** What is still in force, with the times that are left. */
  all(): Fault[] {
    return this.#entries.map(({ fault, timesLeft }) =>
      timesLeft === Infinity ? fault : { ...fault, times: timesLeft },
    );
  }

  /** The oldest fault that applies to the request and is due, used up by one. */
  take(subject: RequestSubject): Fault | undefined {
    const entry = this.#entries.find(({ fault, isDue }) => applies(fault, subject) && isDue());
    if (!entry) return undefined;
    entry.timesLeft -= 1;
    if (entry.timesLeft === 0) this.#entries = this.#entries.filter((other) => other !== entry);
    return entry.fault;
  }
}

function applies({ target, match = {} }: Fault, subject: RequestSubject): boolean {
  if (target !== subject.target) return false;
  return (Object.keys(match) as (keyof typeof match)[]).every((field) => match[field] === subject[field]);
}

/** Numbers from 0 to 1 (excluded), the same for the same seed: the generator known as mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function areSendable(headers: Record<string, string>): boolean {
  try {
    const sendable = new Headers(headers);
    return !BODY_FRAMING.some((name) => sendable.has(name));
  } catch {
    return false;
  }
}
