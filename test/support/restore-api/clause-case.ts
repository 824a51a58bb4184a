import { type ProblemCode, type RestoreStatus } from '../../../contract/problem';
import { type ClauseWorld } from './clause-world';
import { type Hole } from './hole';
import { type RestoreCall } from './restore-api-under-test';
import { type ReceivedRequest } from './served-sandbox';

/** Stands in every error body that a platform sends here; no caller may read it. */
export const PLATFORM_WORDS = 'words of the platform';

/** What a token lacks that may not write. @see RFC 6750, section 3.1 */
export const MAY_NOT_WRITE = 'Bearer realm="latchkey", error="insufficient_scope", scope="api/write"';

/** A value, or how it is had where it is known only in the running system. */
export type FromWorld<Value> = Value | ((world: ClauseWorld) => Value);

export type LifecycleStatus = 'archived' | 'draft' | 'published' | 'ready';

/** What stands before the call. */
export interface Given {
  /** @default archived */
  content?: LifecycleStatus;
  /** What the content was before the platform itself archived it. */
  archivedFrom?: LifecycleStatus;
  /** What the platform does instead of restoring: faults of its control, each for one request. A text is a fault as JSON. */
  faults?: FromWorld<readonly (object | string)[]>;
  /** Anything else. The authorizer's memory is empty then, and what is changed in secrets and configuration is undone. */
  arrange?: (world: ClauseWorld) => unknown;
}

/** What must come of it, for the caller and on the platform. */
export interface Expected {
  status: RestoreStatus;
  /** Absent for a success. */
  code?: ProblemCode;
  /** What the detail of a problem has to say. */
  detail?: RegExp;
  /** What WWW-Authenticate says in a 403. */
  challenge?: string;
  /** From, to. */
  retryAfterSec?: readonly [number, number];
  /** The whole body of a success. @default the content's id with status `published` and its items by rank */
  record?: FromWorld<object>;
  /** What the platform answered to each request that it had, in order; 0 for a broken connection. */
  platform: readonly number[];
  /** What each of these requests was. @default the restore of the content by the first author, in the configured way */
  sent?: FromWorld<Partial<Pick<ReceivedRequest, 'method' | 'path'>> & { actingUser?: object }>;
  /** The one change in the platform's audit trail; absent where nothing may have changed. */
  change?: FromWorld<{ actingUser?: string; owner?: string }>;
  /** Whether a function ends in an error that is not the authorizer's 401. */
  crashes?: boolean;
}

/** A hole that may also change what the functions find: secrets and configuration. */
export interface ClauseHole extends Hole {
  /** Runs right before the call. What it changes in the world is undone; it may return what takes back anything else. */
  before?: (world: ClauseWorld) => void | (() => void);
}

/** One case of the table: what a clause demands of one request, and the hole with which it is not met. */
export interface ClauseCase<Clause extends string = string> {
  id: `C${number}`;
  /** Section of the platform's specification with its row or rule; of a standard or a threat where it is silent. */
  clause: Clause;
  title: string;
  /** Where the deployment sends the acting user. @default body */
  actingUserIn?: 'body' | 'header';
  given?: Given;
  /** Right in everything but what is said. @default right */
  call?: FromWorld<Partial<RestoreCall> | Promise<Partial<RestoreCall>>>;
  expected: Expected;
  /** What must turn the case red. */
  hole: ClauseHole;
}

/** A request that is refused before anything is sent to the platform. */
export function refused(
  status: RestoreStatus,
  code: ProblemCode,
  more: Pick<Expected, 'challenge' | 'detail' | 'retryAfterSec' | 'crashes'> = {},
): Expected {
  return { status, code, platform: [], ...more };
}

/** A request that the platform answered, without having changed anything. */
export function answered(
  platform: number | readonly number[],
  status: RestoreStatus,
  code: ProblemCode,
  more: Pick<Expected, 'detail' | 'retryAfterSec' | 'sent' | 'crashes'> = {},
): Expected {
  return { status, code, platform: typeof platform === 'number' ? [platform] : platform, ...more };
}

/** A content that is restored, once. */
export function restored(
  more: Pick<Expected, 'record' | 'sent' | 'change' | 'platform'> | object = {},
): Expected {
  return { status: 200, platform: [200], change: {}, ...more };
}
