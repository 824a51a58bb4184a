import { type OutcomeName, type Retry } from '../restore-outcomes';

/** What a caller does best after an answer that is no success. */
export const ADVICE: Readonly<Record<Retry, string>> = {
  no: 'Do not send it again.',
  after_correction: 'Correct the request, then send it.',
  later: 'Send the same request later, after Retry-After where there is one, else with growing pauses.',
  after_checking:
    'Look whether the content is published now. Send again only if it is still archived, and expect a 409 if not.',
};

/** What a caller does after success. */
export const NOTHING_TO_DO = 'Nothing: it is done.';

/** When the restore function answers so, where the answer's own words tell it too little. */
export const OUTCOME_CAUSES: Readonly<Partial<Record<OutcomeName, string>>> = {
  restored: 'The platform has restored the content.',
  invalidRequest:
    'The body has neither authorRef nor collaborationId, other fields, a field twice, or a value that is no text of 1–256 printable ' +
    'ASCII characters; or contentId is none of 1–128 letters, digits, ".", "_", "~", "-", or is "." or "..".',
  tokenUnavailable: 'No access token for the platform could be had.',
  tokenOutOfReach: 'The function lacks a right or a setting that it needs for its access token.',
  platformUnreachable: 'No connection, or no TLS session, with the platform.',
  platformRefusedToken: 'The platform answered 401 twice, the second time to a fresh access token.',
  forbidden: 'The platform answered 403.',
  contentNotFound: 'The platform answered 404: there is no such content.',
  notArchived:
    'The platform answered 409: the content is not archived. An earlier attempt may have restored it.',
  platformWantsOtherMediaType: 'The platform answered 415 to a body of application/json.',
  rejectedByPlatform:
    'The platform answered 422, for example because authorRef or collaborationId is unknown or foreign.',
  tooManyRequests: 'The platform answered 429.',
  platformFailed: 'The platform answered 502, with which it promises the same.',
  unknownAfterAnswer:
    'The platform answered with another 5xx, a redirect, an undocumented status, or a success that is no readable ' +
    'record of this content or is over 1 MiB.',
  unknownWithoutAnswer: 'The request was sent, and no answer came in time or the connection broke.',
};

/** When API Gateway answers so by itself, where the answer's own words tell it too little; by type of response. */
export const GATEWAY_CAUSES: Readonly<Record<string, string | undefined>> = {
  UNAUTHORIZED: 'No credentials, unknown or expired ones, or those of another tenant.',
  THROTTLED: 'More requests than the rate and burst of the stage.',
  AUTHORIZER_FAILURE: 'The authorizer failed, or could not look up the credentials.',
  AUTHORIZER_CONFIGURATION_ERROR: 'API Gateway cannot use the authorizer.',
  API_CONFIGURATION_ERROR:
    'API Gateway may not call the restore function, or cannot make an answer of what it said.',
  INTEGRATION_TIMEOUT: 'The restore function did not answer within 29 s.',
  INTEGRATION_FAILURE: 'The restore function could not be started, or its answer did not arrive.',
  DEFAULT_5XX:
    'The restore function crashed or answered nothing usable, or API Gateway failed in any other way.',
  DEFAULT_4XX: 'API Gateway cannot read the request.',
};
