import { type OutcomeName, type Retry } from '../../core/restore/restore-outcomes';

/** What a caller should do after an error. */
export const ADVICE: Readonly<Record<Retry, string>> = {
  no: 'Do not retry.',
  after_correction: 'Correct the request and send it again.',
  later: 'Retry later: after Retry-After if present, otherwise with exponential backoff.',
  after_checking:
    'Check whether the content is published. Retry only if it is still archived; otherwise the answer is 409.',
};

/** What a caller should do after success. */
export const NOTHING_TO_DO = 'No action needed.';

/** The cause of an outcome of the restore function, if its detail does not say it fully. */
export const OUTCOME_CAUSES: Readonly<Partial<Record<OutcomeName, string>>> = {
  restored: 'The platform has restored the content.',
  invalidRequest:
    'The body has neither authorRef nor collaborationId, has another field or a field twice, or has a value that is not a string of ' +
    '1–256 printable ASCII characters; or contentId is not 1–128 letters, digits, ".", "_", "~", "-", or is "." or "..".',
  tokenUnavailable: 'No access token for the platform is available.',
  tokenOutOfReach: 'The function lacks a permission or setting that it needs to get an access token.',
  platformUnreachable: 'The connection or the TLS handshake with the platform failed.',
  platformRefusedToken: 'The platform answered 401 twice, the second time to a new access token.',
  forbidden: 'The platform answered 403.',
  contentNotFound: 'The platform answered 404: the content does not exist.',
  restoreAbsent:
    'The platform answered 404 or 403, and answers operations that do not exist in the same way, but others not.',
  contentOrOperationNotFound:
    'The platform answered 404, and answers in the same way for operations that do not exist and those that do.',
  notArchived:
    'The platform answered 409: the content is not archived. An earlier attempt may have restored it.',
  platformWantsOtherMediaType: 'The platform answered 415 although the body is application/json.',
  rejectedByPlatform:
    'The platform answered 422, for example because authorRef or collaborationId is unknown or of another tenant.',
  tooManyRequests: 'The platform answered 429.',
  platformFailed: 'The platform answered 502, which promises that nothing was modified.',
  unknownAfterAnswer:
    'The platform answered with another 5xx, a redirect, an undocumented status, or a success whose body is over 1 MiB or ' +
    'is not a valid record of this content.',
  contradictedByRecord:
    'The platform answered with success, but with the status `archived` or `draft` in its record.',
  unknownWithoutAnswer: 'The request was sent, but the connection broke or no answer came in time.',
};

/** The cause of a response of API Gateway, by its type, if its detail does not say it fully. */
export const GATEWAY_CAUSES: Readonly<Record<string, string | undefined>> = {
  UNAUTHORIZED: 'The credentials are missing, unknown, expired or of another tenant.',
  THROTTLED: 'The requests exceed the rate or burst limit of the stage.',
  AUTHORIZER_FAILURE: 'The authorizer failed or could not look up the credentials.',
  AUTHORIZER_CONFIGURATION_ERROR: 'API Gateway cannot use the authorizer.',
  API_CONFIGURATION_ERROR: 'API Gateway may not invoke the restore function, or cannot use its response.',
  INTEGRATION_TIMEOUT: 'The restore function did not answer within 29 s.',
  INTEGRATION_FAILURE: 'The restore function could not be started, or its response did not arrive.',
  DEFAULT_5XX:
    'The restore function crashed or returned an unusable response, or API Gateway failed in another way.',
  DEFAULT_4XX: 'API Gateway cannot read the request.',
};
