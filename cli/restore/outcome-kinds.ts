import { type ProblemCode } from '../../contract/problem';
import { EXIT, type ExitCode } from '../exit-codes';

/** Why a content was not restored: a code of the restore API, or `api_unreachable`, where nothing could be sent to it. */
export type FailureCode = ProblemCode | 'api_unreachable';

/** What an outcome says about one content, and about those after it. */
type FailureKind =
  /** It is about this content, and stays so. */
  | 'content'
  /** There is nothing to restore, and the same request never helps. */
  | 'needless'
  /** Nothing was modified, and the same request may well do later. */
  | 'transient'
  /** Nothing was begun, and fewer requests are asked for. */
  | 'throttled'
  /** Nothing was begun, and every other content would meet it. */
  | 'everyone'
  /** The caller may not do this, to this content or to any. */
  | 'access'
  /** The content may have been restored. */
  | 'unknown';

const content = { kind: 'content', exitCode: EXIT.failed } as const;
const transient = { kind: 'transient', exitCode: EXIT.unavailable } as const;
const everyone = { kind: 'everyone', exitCode: EXIT.failed } as const;

/** What each code comes to; with the exit code of a command that has met nothing else. */
const FAILURES: Readonly<Record<FailureCode, { kind: FailureKind; exitCode: ExitCode }>> = {
  content_not_found: content,
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

/** What a code says. */
export function failureOf(code: FailureCode): { kind: FailureKind; exitCode: ExitCode } {
  return FAILURES[code];
}

/** Whether a text is one of the codes. */
export function isFailureCode(text: unknown): text is FailureCode {
  return typeof text === 'string' && Object.hasOwn(FAILURES, text);
}
