import { type ProblemCode } from '../../core/restore/problem';
import { EXIT, type ExitCode } from '../exit-codes';

/**
 * Why a content was not restored: a code of the restore API, or one of ours. `api_unreachable`: nothing could be sent.
 * `content_or_operation_not_found`: a `content_not_found` that may mean that the platform does not offer restore.
 */
export type FailureCode = ProblemCode | 'api_unreachable' | 'content_or_operation_not_found';

/** What an outcome means for its content, and for the others. */
type FailureKind =
  /** Specific to this content, and permanent. */
  | 'content'
  /** Nothing to restore; a retry never helps. */
  | 'needless'
  /** Nothing was modified; a retry may succeed. */
  | 'transient'
  /** Nothing was modified; send fewer requests. */
  | 'throttled'
  /** Nothing was modified; every other content would fail the same way. */
  | 'everyone'
  /** Specific to this content, or every other would fail the same way; a retry may succeed. */
  | 'ambiguous'
  /** The caller lacks permission for this content, or for all. */
  | 'access'
  /** The content may have been restored. */
  | 'unknown';

const content = { kind: 'content', exitCode: EXIT.failed } as const;
const transient = { kind: 'transient', exitCode: EXIT.unavailable } as const;
const everyone = { kind: 'everyone', exitCode: EXIT.failed } as const;

/** The kind of each code, and the exit code if it is the only failure. */
const FAILURES: Readonly<Record<FailureCode, { kind: FailureKind; exitCode: ExitCode }>> = {
  content_not_found: content,
  content_or_operation_not_found: { kind: 'ambiguous', exitCode: EXIT.failed },
  not_archived: { kind: 'needless', exitCode: EXIT.failed },
  rejected_by_platform: content,
  invalid_request: content,
  body_too_large: content,

  api_unreachable: transient,
  internal_error: transient,
  platform_failed: transient,
  platform_unreachable: transient,
  platform_refused_token: transient,
  token_unavailable: transient,
  too_many_requests: { kind: 'throttled', exitCode: EXIT.unavailable },

  malformed_json: everyone,
  malformed_request: everyone,
  unsupported_media_type: everyone,
  unknown_route: everyone,
  unknown_tenant: everyone,
  restore_unavailable: { kind: 'everyone', exitCode: EXIT.unavailable },
  unauthorized: { kind: 'everyone', exitCode: EXIT.refused },
  forbidden: { kind: 'access', exitCode: EXIT.refused },

  outcome_unknown: { kind: 'unknown', exitCode: EXIT.outcomeUnknown },
};

export function failureOf(code: FailureCode): { kind: FailureKind; exitCode: ExitCode } {
  return FAILURES[code];
}

export function isFailureCode(text: unknown): text is FailureCode {
  return typeof text === 'string' && Object.hasOwn(FAILURES, text);
}
