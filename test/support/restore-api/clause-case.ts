import { type ProblemCode, type RestoreStatus } from '../../../core/restore/restore-outcomes';
import { type ClauseWorld } from './clause-world';
import { type RestoreCall } from './restore-api-under-test';
import { type ReceivedRequest } from './served-sandbox';

/** Contained in every error body of the platform here; callers must not get it. */
export const PLATFORM_WORDS = 'words of the platform';

/**
 * The challenge for a read-only token.
 * @see RFC 6750, section 3.1
 */
export const MAY_NOT_WRITE = 'Bearer realm="latchkey", error="insufficient_scope", scope="api/write"';

/** A value, or a function that gets it from the running system. */
export type FromWorld<Value> = Value | ((world: ClauseWorld) => Value);

export type LifecycleStatus = 'archived' | 'draft' | 'published' | 'ready';

export interface Given {
  /** @default archived */
  content?: LifecycleStatus;
  /** The content's status before the platform archived it. */
  archivedFrom?: LifecycleStatus;
  /** Faults for the sandbox's control, one per request. A string is a fault as JSON. */
  faults?: FromWorld<readonly (object | string)[]>;
  /**
   * Any other preparation. It begins with an empty authorizer cache; its changes of secrets and
   * configuration are undone.
   */
  arrange?: (world: ClauseWorld) => unknown;
}

export interface Expected {
  status: RestoreStatus;
  /** Absent for a success. */
  code?: ProblemCode;
  /** Must match the detail of a problem. */
  detail?: RegExp;
  /** The expected WWW-Authenticate of a 403. */
  challenge?: string;
  retryAfterSec?: number;
  /**
   * The whole body of a success.
   * @default the content's id with status `published` and its items by rank
   */
  record?: FromWorld<object>;
  /** The platform's answer to each request, in order; 0 is a broken connection. */
  platform: readonly number[];
  /**
   * Expected in each of these requests.
   * @default the restore of the content by the first author, as configured
   */
  sent?: FromWorld<Partial<Pick<ReceivedRequest, 'method' | 'path'>> & { actingUser?: object }>;
  /** The only change in the platform's audit trail; absent if nothing may change. */
  change?: FromWorld<{ actingUser?: string; owner?: string }>;
  /** Whether a function fails with an error other than the authorizer's 401. */
  crashes?: boolean;
}

/** A call with the answer that it must get. */
export interface Case {
  /**
   * Where the deployment sends the acting user.
   * @default body
   */
  actingUserIn?: 'body' | 'header';
  given?: Given;
  /**
   * Changes to a valid call.
   * @default none
   */
  call?: FromWorld<Partial<RestoreCall> | Promise<Partial<RestoreCall>>>;
  expected: Expected;
}

export interface ClauseCase extends Case {
  /** The section of the specification with its row or rule; where it is silent, of a standard or a promise. */
  clause: string;
  title: string;
}

/** A request refused without a request to the platform. */
export function refused(
  status: RestoreStatus,
  code: ProblemCode,
  more: Pick<Expected, 'challenge' | 'detail' | 'retryAfterSec' | 'crashes'> = {},
): Expected {
  return { status, code, platform: [], ...more };
}

/** A request that the platform answered without any change. */
export function answered(
  platform: number | readonly number[],
  status: RestoreStatus,
  code: ProblemCode,
  more: Pick<Expected, 'detail' | 'retryAfterSec' | 'sent' | 'crashes'> = {},
): Expected {
  return { status, code, platform: typeof platform === 'number' ? [platform] : platform, ...more };
}

/** A content that is restored once. */
export function restored(
  more: Pick<Expected, 'record' | 'sent' | 'change' | 'platform'> | object = {},
): Expected {
  return { status: 200, platform: [200], change: {}, ...more };
}
