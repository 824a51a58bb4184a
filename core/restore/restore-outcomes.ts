import { type RestoreMetric } from '../alarms/metrics';

/** The statuses of the restore API, with their reason phrases: the titles of its problems (RFC 9457, section 4.2.1). */
export const REASON_PHRASES = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  504: 'Gateway Timeout',
} as const;
export type RestoreStatus = keyof typeof REASON_PHRASES;

/** What a failed restore means for its content, and for the others of a bulk restore. */
export type FailureKind =
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

/** What the advice after a failed restore may name. */
export interface AdviceWords {
  readonly doctor: string;
  readonly deploy: string;
  /** The SSM parameter with the ARN of the operators' policy. */
  readonly operatorPolicy: string;
}

/** What a code of the restore API means to `latchkey restore`. */
export interface ProblemRow {
  readonly kind: FailureKind;
  /** How the command ends if this is the only failure: a name of its exit codes. */
  readonly exit: 'failed' | 'unavailable' | 'refused' | 'outcomeUnknown';
  advice(this: void, words: AdviceWords): string;
}

const tryAgain = () => 'Nothing was modified. Run the same command again in a minute.';
const findOutWhy = ({ doctor }: AdviceWords) => `Nothing was modified. To find out why: ${doctor}`;
const correctActingUser = () =>
  'Nothing was modified. Correct --author-ref or --collaboration-id: both must belong to this tenant.';
const deployAgain = ({ deploy }: AdviceWords) =>
  `Nothing was modified. The deployment differs from the configuration; deploy it: ${deploy}`;
const useSameVersion = () =>
  'Nothing was modified. The command and the restore API have different versions: deploy with the command’s version.';

/** Every error code of the restore API. Codes are stable; titles and details are not. */
export const PROBLEMS = {
  malformed_json: { kind: 'everyone', exit: 'failed', advice: useSameVersion },
  malformed_request: { kind: 'everyone', exit: 'failed', advice: useSameVersion },
  unauthorized: { kind: 'everyone', exit: 'refused', advice: findOutWhy },
  forbidden: {
    kind: 'access',
    exit: 'refused',
    advice: ({ operatorPolicy }) =>
      `Nothing was modified. In iam mode, attach the policy that the SSM parameter ${operatorPolicy} names. Otherwise, the platform does not permit it.`,
  },
  unknown_route: { kind: 'everyone', exit: 'failed', advice: deployAgain },
  unknown_tenant: { kind: 'everyone', exit: 'failed', advice: deployAgain },
  content_not_found: {
    kind: 'content',
    exit: 'failed',
    advice: () => 'Nothing was modified. Check the id, and that it belongs to this tenant.',
  },
  not_archived: {
    kind: 'needless',
    exit: 'failed',
    advice: () =>
      'If the content is published, no action is needed: an earlier attempt may have restored it.',
  },
  body_too_large: { kind: 'content', exit: 'failed', advice: correctActingUser },
  unsupported_media_type: { kind: 'everyone', exit: 'failed', advice: useSameVersion },
  invalid_request: { kind: 'content', exit: 'failed', advice: correctActingUser },
  rejected_by_platform: { kind: 'content', exit: 'failed', advice: correctActingUser },
  too_many_requests: {
    kind: 'throttled',
    exit: 'unavailable',
    advice: () =>
      'Nothing was modified. Run the same command again in a minute, or in the next period if a quota is used up.',
  },
  internal_error: { kind: 'transient', exit: 'unavailable', advice: tryAgain },
  outcome_unknown: {
    kind: 'unknown',
    exit: 'outcomeUnknown',
    advice: () => 'Check whether the content is published. Restore it again only if it is still archived.',
  },
  restore_unavailable: {
    kind: 'everyone',
    exit: 'unavailable',
    advice: ({ deploy }) =>
      `Nothing was modified. Once the platform offers restore, set restore.available, restore.method and restore.path as it documents them, and deploy: ${deploy}`,
  },
  platform_failed: { kind: 'transient', exit: 'unavailable', advice: tryAgain },
  platform_unreachable: { kind: 'transient', exit: 'unavailable', advice: tryAgain },
  platform_refused_token: { kind: 'transient', exit: 'unavailable', advice: findOutWhy },
  token_unavailable: { kind: 'transient', exit: 'unavailable', advice: findOutWhy },
} as const satisfies Record<string, ProblemRow>;
export type ProblemCode = keyof typeof PROBLEMS;

/** Whether and when a caller should retry. */
export type Retry =
  | 'no'
  | 'after_correction'
  | 'later'
  /** The content may have been restored: check that first. */
  | 'after_checking';

export interface Outcome {
  readonly status: RestoreStatus;
  /** Undefined for success. `outcome_unknown` if the request may have modified the content, and for no other error. */
  readonly code: ProblemCode | undefined;
  readonly detail: string;
  /** When the caller gets it. @default as the detail says */
  readonly cause?: string;
  readonly retry: Retry;
  /** What its response counts as. */
  readonly metric: RestoreMetric;
}

/**
 * Every outcome of a restore, and the response for it. The pages about the restore API follow from it.
 * A 502 promises that the content was not modified, so only certain cases have it. Any other failure is
 * `outcome_unknown`, and the function does not retry it.
 * @see the platform's specification, "Errors"; RFC 9110, section 9.2.2
 */
export const OUTCOMES = {
  restored: {
    status: 200,
    code: undefined,
    detail: 'The content is published.',
    cause: 'The platform has restored the content.',
    retry: 'no',
    metric: 'Restored',
  },
  // Before anything is sent to the platform.
  restoreUnavailable: {
    status: 501,
    code: 'restore_unavailable',
    detail: 'The platform does not offer the restore operation yet.',
    retry: 'no',
    metric: 'RestoreNotOffered',
  },
  unknownTenant: {
    status: 404,
    code: 'unknown_tenant',
    detail: 'This deployment does not serve the tenant.',
    retry: 'after_correction',
    metric: 'RestoreRefused',
  },
  unsupportedMediaType: {
    status: 415,
    code: 'unsupported_media_type',
    detail: 'Content-Type must be application/json.',
    retry: 'after_correction',
    metric: 'RestoreRefused',
  },
  bodyTooLarge: {
    status: 413,
    code: 'body_too_large',
    detail: 'The body exceeds 16 KiB.',
    retry: 'after_correction',
    metric: 'RestoreRefused',
  },
  malformedJson: {
    status: 400,
    code: 'malformed_json',
    detail: 'The body is not JSON.',
    retry: 'after_correction',
    metric: 'RestoreRefused',
  },
  invalidRequest: {
    status: 422,
    code: 'invalid_request',
    detail: 'The request fails validation.',
    cause:
      'The body has neither authorRef nor collaborationId, has another field or a field twice, or has a value that is not a string of 1–256 printable ASCII characters; or contentId is not 1–128 letters, digits, ".", "_", "~", "-", or is "." or "..".',
    retry: 'after_correction',
    metric: 'RestoreRefused',
  },
  tokenUnavailable: {
    status: 502,
    code: 'token_unavailable',
    detail:
      'No access token for the platform is available, so nothing was sent; the content was not modified.',
    cause: 'No access token for the platform is available.',
    retry: 'later',
    metric: 'RestoreWithoutToken',
  },
  /** The same response, but this function lacks a permission or setting, which no token alarm reports. */
  tokenOutOfReach: {
    status: 502,
    code: 'token_unavailable',
    detail:
      'No access token for the platform is available, so nothing was sent; the content was not modified.',
    cause: 'The function lacks a permission or setting that it needs to get an access token.',
    retry: 'later',
    metric: 'RestoreFailed',
  },
  platformUnreachable: {
    status: 502,
    code: 'platform_unreachable',
    detail: 'The platform is unreachable, so nothing was sent; the content was not modified.',
    cause: 'The connection or the TLS handshake with the platform failed.',
    retry: 'later',
    metric: 'RestoreFailed',
  },
  // The platform's answers.
  platformRefusedToken: {
    status: 502,
    code: 'platform_refused_token',
    detail: 'The platform refused two access tokens, before processing; the content was not modified.',
    cause: 'The platform answered 401 twice, the second time to a new access token.',
    retry: 'later',
    metric: 'RestoreFailed',
  },
  forbidden: {
    status: 403,
    code: 'forbidden',
    detail: 'The platform denied the request.',
    cause: 'The platform answered 403.',
    retry: 'no',
    metric: 'RestoreRefused',
  },
  contentNotFound: {
    status: 404,
    code: 'content_not_found',
    detail: 'The content does not exist.',
    cause: 'The platform answered 404: the content does not exist.',
    retry: 'after_correction',
    metric: 'RestoreRefused',
  },
  restoreAbsent: {
    status: 501,
    code: 'restore_unavailable',
    detail:
      'The platform answers as if it had no restore operation at the configured method and path; the content was not modified.',
    cause:
      'The platform answered 404 or 403, and answers in the same way for operations that do not exist, but not for those that do.',
    retry: 'no',
    metric: 'RestoreNotOffered',
  },
  contentOrOperationNotFound: {
    status: 404,
    code: 'content_not_found',
    detail:
      'The content does not exist, or the platform does not offer the restore operation: its answers do not say which.',
    cause:
      'The platform answered 404, and answers in the same way for operations that do not exist and those that do.',
    retry: 'after_correction',
    metric: 'RestoreRefused',
  },
  notArchived: {
    status: 409,
    code: 'not_archived',
    detail:
      'The content is not archived, so there is nothing to restore. An earlier attempt may have restored it.',
    cause: 'The platform answered 409: the content is not archived. An earlier attempt may have restored it.',
    retry: 'no',
    metric: 'RestoreRefused',
  },
  platformWantsOtherMediaType: {
    status: 415,
    code: 'unsupported_media_type',
    detail: 'The platform did not accept the request’s media type.',
    cause: 'The platform answered 415 although the body is application/json.',
    retry: 'no',
    metric: 'RestoreRefused',
  },
  rejectedByPlatform: {
    status: 422,
    code: 'rejected_by_platform',
    detail:
      'The platform rejected the request: authorRef or collaborationId may be unknown or of another tenant.',
    cause:
      'The platform answered 422, for example because authorRef or collaborationId is unknown or of another tenant.',
    retry: 'after_correction',
    metric: 'RestoreRefused',
  },
  tooManyRequests: {
    status: 429,
    code: 'too_many_requests',
    detail: 'The platform throttled the request.',
    cause: 'The platform answered 429.',
    retry: 'later',
    metric: 'RestoreRefused',
  },
  platformFailed: {
    status: 502,
    code: 'platform_failed',
    detail: 'A service that the platform depends on failed; the content was not modified.',
    cause: 'The platform answered 502, which promises that nothing was modified.',
    retry: 'later',
    metric: 'RestoreFailed',
  },
  unknownAfterAnswer: {
    status: 500,
    code: 'outcome_unknown',
    detail: 'The platform’s answer does not say whether the content was restored. Check before you retry.',
    cause:
      'The platform answered with another 5xx, a redirect, an undocumented status, or a success whose body is over 1 MiB or is not a valid record of this content.',
    retry: 'after_checking',
    metric: 'RestoreOutcomeUnknown',
  },
  contradictedByRecord: {
    status: 500,
    code: 'outcome_unknown',
    detail:
      'The platform reports success, but the record is still archived or a draft. Check before you retry.',
    cause: 'The platform answered with success, but with the status `archived` or `draft` in its record.',
    retry: 'after_checking',
    metric: 'RestoreOutcomeUnknown',
  },
  unknownWithoutAnswer: {
    status: 504,
    code: 'outcome_unknown',
    detail: 'The platform did not answer, so the content may have been restored. Check before you retry.',
    cause: 'The request was sent, but the connection broke or no answer came in time.',
    retry: 'after_checking',
    metric: 'RestoreOutcomeUnknown',
  },
} as const satisfies Record<string, Outcome>;

export type OutcomeName = keyof typeof OUTCOMES;
