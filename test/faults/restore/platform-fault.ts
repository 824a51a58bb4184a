import { recordOf } from '../../support/lambdas/restore-functions';

/** Why no connection comes about. */
export const NO_CONNECTION = [
  'refused',
  'name not known',
  'reset before TLS',
  'expired',
  'wrong name',
  'self-signed',
  'TLS 1.1',
] as const;
export type NoConnection = (typeof NO_CONNECTION)[number];

/** Bodies of the platform's answers. `planted` is a text that is to be seen nowhere. */
const BODIES = {
  none: () => '',
  HTML: (_: string, planted: string) => `<html><body>${planted}</body></html>`,
  problem: (_: string, planted: string) => JSON.stringify({ error: 'x', detail: planted }),
  'the record': (contentId: string) => recordOf(contentId),
  'the record, cut': (contentId: string) => recordOf(contentId).slice(0, -2),
  'the record without items': (contentId: string) => recordOf(contentId, { items: undefined }),
  'the record with items that are no list': (contentId: string) => recordOf(contentId, { items: {} }),
  'the record with a status that is no text': (contentId: string) => recordOf(contentId, { status: 7 }),
  'another record': (_: string, planted: string) => recordOf('another-content', { secret: planted }),
  'a list': (contentId: string) => `[${recordOf(contentId)}]`,
  null: () => 'null',
  'more than 1 MiB': (contentId: string) => recordOf(contentId, { more: 'x'.repeat(1 << 20) }),
} as const satisfies Record<string, (contentId: string, planted: string) => string>;
export type BodyName = keyof typeof BODIES;

/** What the platform, or the way to it, does to one restore request: plain data, which titles of tests print. */
export type PlatformFault =
  | { kind: 'no connection'; why: NoConnection }
  /** The connection breaks; `first byte`: before the request was read whole. */
  | { kind: 'broken'; at: 'first byte' | 'request' | 'processed' | 'half the answer' }
  /** The connection stays, and nothing (more) comes. */
  | { kind: 'silent'; at: 'request' | 'processed' | 'half the answer' }
  /** An answer instead of the platform's own, which has restored the content before or has not. */
  | {
      kind: 'answer';
      status: number;
      body: BodyName;
      headers?: Readonly<Record<string, string>>;
      isProcessed?: boolean;
    };

/** Whether the platform processes a request that meets the fault. */
export function isProcessed(fault: PlatformFault): boolean {
  switch (fault.kind) {
    case 'no connection':
      return false;
    case 'broken':
    case 'silent':
      return fault.at === 'processed' || fault.at === 'half the answer';
    case 'answer':
      return fault.isProcessed === true;
  }
}

/** The body that a fault answers with. */
export function bodyOf(
  { body }: PlatformFault & { kind: 'answer' },
  contentId: string,
  planted: string,
): string {
  return BODIES[body](contentId, planted);
}

/** A 401, which precedes processing. */
export const UNAUTHORIZED: PlatformFault = { kind: 'answer', status: 401, body: 'problem' };
