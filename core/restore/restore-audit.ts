import { parseJsonObject } from '../json/json-object';
import { sha256Hex } from '../secrets/sha256';

/** The message of the line with which the restore function logs each request that reached it. */
export const RESTORE_LOG_MESSAGE = 'restore answered';

/** How a caller of the restore API authenticated: the platform's schemes, or IAM. */
export type CallerScheme = 'basic' | 'bearer' | 'iam';

/**
 * Who called the restore API. The authorizer passes the fields on as its context, whose values must be strings.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 */
export type RestoreCaller = {
  scheme: CallerScheme;
  /** `api-key`, a token type such as `content api/write`, or the ARN of an IAM principal. */
  caller: string;
  /** Whether the key or token was the current one or the one before, at a lookup at most 10 s earlier; undefined for IAM. */
  callerVersion?: CallerVersion;
  /** The key's or token's version id in Secrets Manager; undefined for IAM. */
  callerVersionId?: string;
};

/**
 * A digest of a reference that might be a misplaced secret: enough to recognize the reference, but not to recover it.
 * @param reference `authorRef` or `collaborationId`
 */
export function referenceDigest(reference: string): string {
  return `sha256:${sha256Hex(reference).slice(0, 16)}`;
}

/** The fields of a `restore answered` line that say who restored what, in the order in which they are shown. */
export const HISTORY_FIELDS = [
  'tenantId',
  'contentId',
  'code',
  'status',
  'scheme',
  'caller',
  'callerVersion',
  'callerVersionId',
  'authorRef',
  'collaborationId',
  'apiRequestId',
  'traceId',
] as const;

/** Which version of a secret authenticated a caller. */
export type CallerVersion = 'current' | 'previous';

/** What a `restore answered` line says about one request. Fields that it lacks are absent. */
export type RestoreRecord = Readonly<
  { status?: number } & Partial<Record<Exclude<(typeof HISTORY_FIELDS)[number], 'status'>, string>>
>;

/** Reads a line of the restore function's log; undefined if it is not about a request. */
export function parseRestoreRecord(message: string): RestoreRecord | undefined {
  const line = parseJsonObject(message);
  if (line?.message !== RESTORE_LOG_MESSAGE) return undefined;
  const fields = HISTORY_FIELDS.flatMap((name) => {
    const value = line[name];
    return typeof value === (name === 'status' ? 'number' : 'string') ? [[name, value]] : [];
  });
  return Object.fromEntries(fields) as RestoreRecord;
}
