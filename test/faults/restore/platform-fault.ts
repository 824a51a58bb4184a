import { recordOf } from '../../support/lambdas/restore-functions';

/** Why no connection can be made. */
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

/** Bodies of the platform's answers. `planted` must not be visible anywhere. */
const BODIES = {
  none: () => '',
  HTML: (_: string, planted: string) => `<html><body>${planted}</body></html>`,
  problem: (_: string, planted: string) => JSON.stringify({ error: 'x', detail: planted }),
  'the record': (contentId: string) => recordOf(contentId),
  'the record, cut': (contentId: string) => recordOf(contentId).slice(0, -2),
  'the record without items': (contentId: string) => recordOf(contentId, { items: undefined }),
  'the record with invalid items': (contentId: string) => recordOf(contentId, { items: {} }),
  'the record with an invalid status': (contentId: string) => recordOf(contentId, { status: 7 }),
  'another record': (_: string, planted: string) => recordOf('another-content', { secret: planted }),
  'a list': (contentId: string) => `[${recordOf(contentId)}]`,
  null: () => 'null',
  'more than 1 MiB': (contentId: string) => recordOf(contentId, { more: 'x'.repeat(1 << 20) }),
} as const satisfies Record<string, (contentId: string, planted: string) => string>;
export type BodyName = keyof typeof BODIES;

/** A fault of the platform or the connection during one restore request. Plain data, since test titles print it. */
export type PlatformFault =
  | { kind: 'no connection'; why: NoConnection }
  /** The connection breaks; at `first byte`, before the request was read completely. */
  | { kind: 'broken'; at: 'first byte' | 'request' | 'processed' | 'half the answer' }
  /** The connection stays open, but nothing more arrives. */
  | { kind: 'silent'; at: 'request' | 'processed' | 'half the answer' }
  /** This answer replaces the platform's own, after or instead of a restore. */
  | {
      kind: 'answer';
      status: number;
      body: BodyName;
      headers?: Readonly<Record<string, string>>;
      isProcessed?: boolean;
    };

/** Whether the platform processes a request despite the fault. */
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

/** The body that a fault sends. */
export function bodyOf(
  { body }: PlatformFault & { kind: 'answer' },
  contentId: string,
  planted: string,
): string {
  return BODIES[body](contentId, planted);
}

/** A 401, which the platform sends before it processes anything. */
export const UNAUTHORIZED: PlatformFault = { kind: 'answer', status: 401, body: 'problem' };
