import { type OutcomeName } from '../../contract/restore-outcomes';

/** What the platform's documented refusals come to; a status that is not here has an unknown outcome. */
const BY_UPSTREAM_STATUS: Readonly<Record<number, OutcomeName>> = {
  403: 'forbidden',
  404: 'contentNotFound',
  409: 'notArchived',
  415: 'platformWantsOtherMediaType',
  422: 'rejectedByPlatform',
  429: 'tooManyRequests',
  502: 'platformFailed',
};

/** The outcome of an answer of the platform that is neither its success status nor 401. */
export function outcomeOfStatus(status: number): OutcomeName {
  return BY_UPSTREAM_STATUS[status] ?? 'unknownAfterAnswer';
}
