import {
  type FailureKind,
  type ProblemCode,
  PROBLEMS,
  type ProblemRow,
} from '../../core/restore/restore-outcomes';

/**
 * Why a content was not restored: a code of the restore API, or one of ours. `api_unreachable`: nothing could be sent.
 * `content_or_operation_not_found`: a `content_not_found` that may mean that the platform does not offer restore.
 */
export type FailureCode = ProblemCode | 'api_unreachable' | 'content_or_operation_not_found';

/** What each failure means for its content, what to do, and the exit code if it is the only one. */
export const FAILURES: Readonly<Record<FailureCode, ProblemRow>> = {
  ...PROBLEMS,
  api_unreachable: PROBLEMS.platform_unreachable,
  content_or_operation_not_found: {
    kind: 'ambiguous',
    exit: 'failed',
    advice: ({ doctor }) =>
      `Nothing was modified. Check the id, and whether the platform offers restore: ${doctor}`,
  },
};

export function isFailureCode(text: unknown): text is FailureCode {
  return typeof text === 'string' && Object.hasOwn(FAILURES, text);
}

/** What an outcome means for its content. */
export function kindOf(outcome: 'restored' | FailureCode): 'restored' | FailureKind {
  return outcome === 'restored' ? 'restored' : FAILURES[outcome].kind;
}

/** Whether a content with this outcome is resent only if a flag asks for it, if at all. */
export function isSettled(outcome: 'restored' | FailureCode): boolean {
  return ['restored', 'content', 'needless', 'unknown'].includes(kindOf(outcome));
}
