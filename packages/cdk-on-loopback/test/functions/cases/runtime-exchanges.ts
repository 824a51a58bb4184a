/** What a process sends to the Runtime API while it handles the invocation `a-request`, and what it gets. */
export interface RuntimeExchange {
  what: string;
  /** Each in turn, below `/2018-06-01/runtime`; the last answer counts. */
  send: { path: string; body: string }[];
  status: number;
  answer?: Record<string, string>;
  /** The results that count. */
  results: ('response' | 'error' | 'init-error')[];
  source: string;
}

/** AWS's own implementation of the Runtime API. Apache License 2.0. */
const emulator = (file: string): string =>
  `https://github.com/aws/aws-lambda-runtime-interface-emulator/blob/develop/internal/lambda/rapi/${file}`;
const ERRORS = emulator('rendering/render_error.go');
const REQUEST_ID = emulator('middleware/middleware.go');
const RESPONSE = emulator('handler/invocationresponse.go');
const ERROR = emulator('handler/invocationerror.go');

const ofRequest = (id: string, kind: 'response' | 'error', body = '{}') => ({
  path: `/invocation/${id}/${kind}`,
  body,
});
const OWN_RESPONSE = ofRequest('a-request', 'response');
const OWN_ERROR = ofRequest('a-request', 'error');
const ACCEPTED = { status: 202, answer: { status: 'OK' } };
const AFTER_RESPONSE = {
  status: 403,
  answer: { errorType: 'InvalidStateTransition' },
  results: ['response' as const],
};
const OTHER_ID = {
  status: 400,
  answer: { errorMessage: 'Invalid request ID', errorType: 'InvalidRequestID' },
  results: [],
  source: REQUEST_ID,
};

export const RUNTIME_EXCHANGES: readonly RuntimeExchange[] = [
  { what: 'its response', send: [OWN_RESPONSE], ...ACCEPTED, results: ['response'], source: RESPONSE },
  { what: 'its error', send: [OWN_ERROR], ...ACCEPTED, results: ['error'], source: ERROR },
  { what: 'the response of another request', send: [ofRequest('other', 'response')], ...OTHER_ID },
  { what: 'the error of another request', send: [ofRequest('other', 'error')], ...OTHER_ID },
  { what: 'a second response', send: [OWN_RESPONSE, OWN_RESPONSE], ...AFTER_RESPONSE, source: RESPONSE },
  { what: 'an error after its response', send: [OWN_RESPONSE, OWN_ERROR], ...AFTER_RESPONSE, source: ERROR },
  {
    what: 'a response over the limit',
    send: [ofRequest('a-request', 'response', 'x'.repeat(6_291_557))],
    status: 413,
    answer: {
      errorMessage: 'Exceeded maximum allowed payload size (6291556 bytes).',
      errorType: 'RequestEntityTooLarge',
    },
    results: ['error'],
    source: ERRORS,
  },
  {
    what: 'an unknown operation',
    send: [{ path: '/invocation/a-request/other', body: '' }],
    status: 404,
    results: [],
    source: 'https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html',
  },
];
