import { type ProblemCode, type RestoreStatus } from './problem';

/** Whether and when a caller should retry. */
export type Retry =
  | 'no'
  | 'after_correction'
  | 'later'
  /** The content may have been restored: check that first. */
  | 'after_checking';

export interface Outcome {
  status: RestoreStatus;
  /** Undefined for success. */
  code: ProblemCode | undefined;
  title: string;
  detail: string;
  /** Whether this request may have modified the content. */
  mayHaveChanged: boolean;
  retry: Retry;
}

const BEFORE_SENDING = { mayHaveChanged: false } as const;

const WITHOUT_TOKEN = {
  ...BEFORE_SENDING,
  status: 502,
  code: 'token_unavailable',
  title: 'Bad Gateway',
  detail: 'No access token for the platform is available, so nothing was sent; the content was not modified.',
  retry: 'later',
} as const;

/**
 * Every outcome of a restore and the response for it.
 * A 502 promises that the content was not modified, so only certain cases have it. Any other failure is
 * `outcome_unknown`, and the function does not retry it.
 * @see the platform's specification, "Errors"; RFC 9110, section 9.2.2
 */
export const OUTCOMES = {
  restored: {
    status: 200,
    code: undefined,
    title: 'OK',
    detail: 'The content is published.',
    mayHaveChanged: true,
    retry: 'no',
  },

  // Before anything is sent to the platform.
  restoreUnavailable: {
    ...BEFORE_SENDING,
    status: 501,
    code: 'restore_unavailable',
    title: 'Not Implemented',
    detail: 'The platform does not offer the restore operation yet.',
    retry: 'no',
  },
  unknownTenant: {
    ...BEFORE_SENDING,
    status: 404,
    code: 'unknown_tenant',
    title: 'Not Found',
    detail: 'This deployment does not serve the tenant.',
    retry: 'after_correction',
  },
  unsupportedMediaType: {
    ...BEFORE_SENDING,
    status: 415,
    code: 'unsupported_media_type',
    title: 'Unsupported Media Type',
    detail: 'Content-Type must be application/json.',
    retry: 'after_correction',
  },
  bodyTooLarge: {
    ...BEFORE_SENDING,
    status: 413,
    code: 'body_too_large',
    title: 'Content Too Large',
    detail: 'The body exceeds 16 KiB.',
    retry: 'after_correction',
  },
  malformedJson: {
    ...BEFORE_SENDING,
    status: 400,
    code: 'malformed_json',
    title: 'Bad Request',
    detail: 'The body is not JSON.',
    retry: 'after_correction',
  },
  invalidRequest: {
    ...BEFORE_SENDING,
    status: 422,
    code: 'invalid_request',
    title: 'Unprocessable Content',
    detail: 'The request fails validation.',
    retry: 'after_correction',
  },
  tokenUnavailable: WITHOUT_TOKEN,
  /** The same response, but this function lacks a permission or setting, which no token alarm reports. */
  tokenOutOfReach: WITHOUT_TOKEN,
  platformUnreachable: {
    ...BEFORE_SENDING,
    status: 502,
    code: 'platform_unreachable',
    title: 'Bad Gateway',
    detail: 'The platform is unreachable, so nothing was sent; the content was not modified.',
    retry: 'later',
  },

  // The platform's answers.
  platformRefusedToken: {
    status: 502,
    code: 'platform_refused_token',
    title: 'Bad Gateway',
    detail: 'The platform refused two access tokens, before processing; the content was not modified.',
    mayHaveChanged: false,
    retry: 'later',
  },
  forbidden: {
    status: 403,
    code: 'forbidden',
    title: 'Forbidden',
    detail: 'The platform denied the request.',
    mayHaveChanged: false,
    retry: 'no',
  },
  contentNotFound: {
    status: 404,
    code: 'content_not_found',
    title: 'Not Found',
    detail: 'The content does not exist.',
    mayHaveChanged: false,
    retry: 'after_correction',
  },
  restoreAbsent: {
    status: 501,
    code: 'restore_unavailable',
    title: 'Not Implemented',
    detail:
      'The platform answers as if it had no restore operation at the configured method and path; the content was not modified.',
    mayHaveChanged: false,
    retry: 'no',
  },
  contentOrOperationNotFound: {
    status: 404,
    code: 'content_not_found',
    title: 'Not Found',
    detail:
      'The content does not exist, or the platform does not offer the restore operation: its answers do not say which.',
    mayHaveChanged: false,
    retry: 'after_correction',
  },
  notArchived: {
    status: 409,
    code: 'not_archived',
    title: 'Conflict',
    detail:
      'The content is not archived, so there is nothing to restore. An earlier attempt may have restored it.',
    mayHaveChanged: false,
    retry: 'no',
  },
  platformWantsOtherMediaType: {
    status: 415,
    code: 'unsupported_media_type',
    title: 'Unsupported Media Type',
    detail: 'The platform did not accept the request’s media type.',
    mayHaveChanged: false,
    retry: 'no',
  },
  rejectedByPlatform: {
    status: 422,
    code: 'rejected_by_platform',
    title: 'Unprocessable Content',
    detail:
      'The platform rejected the request: authorRef or collaborationId may be unknown or of another tenant.',
    mayHaveChanged: false,
    retry: 'after_correction',
  },
  tooManyRequests: {
    status: 429,
    code: 'too_many_requests',
    title: 'Too Many Requests',
    detail: 'The platform throttled the request.',
    mayHaveChanged: false,
    retry: 'later',
  },
  platformFailed: {
    status: 502,
    code: 'platform_failed',
    title: 'Bad Gateway',
    detail: 'A service that the platform depends on failed; the content was not modified.',
    mayHaveChanged: false,
    retry: 'later',
  },
  unknownAfterAnswer: {
    status: 500,
    code: 'outcome_unknown',
    title: 'Internal Server Error',
    detail: 'The platform’s answer does not say whether the content was restored. Check before you retry.',
    mayHaveChanged: true,
    retry: 'after_checking',
  },
  contradictedByRecord: {
    status: 500,
    code: 'outcome_unknown',
    title: 'Internal Server Error',
    detail:
      'The platform reports success, but the record is still archived or a draft. Check before you retry.',
    mayHaveChanged: true,
    retry: 'after_checking',
  },
  unknownWithoutAnswer: {
    status: 504,
    code: 'outcome_unknown',
    title: 'Gateway Timeout',
    detail: 'The platform did not answer, so the content may have been restored. Check before you retry.',
    mayHaveChanged: true,
    retry: 'after_checking',
  },
} as const satisfies Record<string, Outcome>;

export type OutcomeName = keyof typeof OUTCOMES;
