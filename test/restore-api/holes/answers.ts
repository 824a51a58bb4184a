import { type APIGatewayProxyResult } from 'aws-lambda';

import { type Problem } from '../../../contract/problem';
import { type RestoredItem, type RestoredRecord } from '../../../contract/restore-operation';
import { type ClauseHole } from '../../support/restore-api/clause-case';
import { type Hole } from '../../support/restore-api/hole';

const KNOWN_TYPES = ['video', 'document', 'quiz'];
const KNOWN_STATUSES = ['ok', 'error', 'processing'];

/** Holes in how the restore function uses the platform's answer, and how API Gateway answers its own failures. */
export const ANSWER_HOLES = {
  platformWordsArePassedOn: told('a problem quotes the platform', (answer, { text }) =>
    problem(answer, () => ({ detail: text.slice(0, 1000) })),
  ),
  platformHeadersArePassedOn: told(
    'the answer has the media type and caching of the platform’s answer',
    (answer, { headers }) => withHeaders(answer, { ...answer.headers, ...headers }),
  ),
  platformRecordIsPassedOn: told('the record is passed on unchanged', (answer, { text }) =>
    answer.statusCode === 200 ? { ...answer, body: text } : answer,
  ),
  everyRecordIsSuccess: told('a success of the platform counts with any body', (answer, { status }) =>
    status === 200 ? success(answer) : answer,
  ),
  retryAfterIsPassedOn: told('Retry-After is passed on unchanged, however long', (answer, { headers }) =>
    withHeaders(answer, { ...answer.headers, 'Retry-After': headers['retry-after'] ?? '' }),
  ),
  retryAfterIsLost: told('a Retry-After is dropped', (answer) =>
    withHeaders(answer, without('Retry-After', answer.headers)),
  ),
  retryAfterIsInvented: told('callers get a Retry-After although the platform sends none', (answer) =>
    withHeaders(answer, { 'Retry-After': '1', ...answer.headers }),
  ),
  acceptIsMissing: told('a 415 does not say which media type is accepted', (answer) =>
    withHeaders(answer, without('Accept', answer.headers)),
  ),
  detailIsGeneral: told('a problem does not say what is wrong with the request', (answer) =>
    problem(answer, ({ title }) => ({ detail: `The answer is ${title}.` })),
  ),

  notArchivedIsSuccess: told('a content that was not archived counts as restored', (answer) =>
    answer.statusCode === 409 ? success(answer) : answer,
  ),
  noAnswerIs502: told('a request without an answer counts as one that modified nothing', (answer) =>
    problem(answer, ({ status }) => status === 504 && { status: 502, code: 'platform_failed' }),
  ),
  unsentIsUnknown: told('a request that was not sent counts as one with an unknown outcome', (answer) =>
    problem(answer, ({ code }) => {
      const isUnsent = code === 'platform_unreachable' || code === 'token_unavailable';
      return isUnsent && { status: 504, code: 'outcome_unknown' };
    }),
  ),

  itemDetailsAreLost: item('items lose their rank and failure reason', (given) => ({
    ...given,
    rank: undefined,
    failureReason: undefined,
  })),
  itemsAreAlwaysOk: item('every item counts as ok', (each) => ({ ...each, status: 'ok' })),
  unknownWordsAreLost: record('undocumented types and statuses are dropped', ({ items, ...rest }) => ({
    ...rest,
    status: rest.status === 'scheduled' ? 'published' : rest.status,
    items: items.map(({ type, status, ...each }) => ({
      ...each,
      type: KNOWN_TYPES.includes(type!) ? type : undefined,
      status: KNOWN_STATUSES.includes(status!) ? status : undefined,
    })),
  })),
  statusIsThatOfBefore: record('the record has the status before the restore', (given) => ({
    ...given,
    status: 'draft',
  })),

  challengesAreMissing: {
    wrong: 'a 401 does not say how to authenticate',
    gateway: (answer) => ({ ...answer, headers: without('www-authenticate', answer.headers) }),
  },
  crashIs502: {
    wrong: 'API Gateway answers the crash of a function with 502, as it does by default',
    gateway: (answer) => (answer.status === 500 ? { ...answer, status: 502 } : answer),
  },
  unknownRouteIs403: {
    wrong: 'API Gateway answers an unknown route with 403, as it does by default',
    gateway: (answer) => {
      const isUnknownRoute = answer.text.includes('"unknown_route"');
      return isUnknownRoute ? { ...answer, status: 403, text: '{"message":"Forbidden"}' } : answer;
    },
  },
} satisfies Record<string, ClauseHole>;

/** The platform's last answer. */
interface Said {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** A hole in how the platform's last answer becomes the restore function's. */
function told(
  wrong: string,
  change: (answer: APIGatewayProxyResult, said: Said) => APIGatewayProxyResult,
): Hole {
  let said: Said = { status: 0, headers: {}, text: '' };
  return {
    wrong,
    platform: async (request, run) => {
      const answer = await run(request);
      const headers = without('content-length', Object.fromEntries(answer.headers));
      said = { status: answer.status, headers, text: await answer.clone().text() };
      return answer;
    },
    restore: async (event, run) => {
      const answer = await run(event);
      return change(answer, said);
    },
  };
}

function record(wrong: string, change: (given: RestoredRecord) => RestoredRecord): Hole {
  return told(wrong, (answer) => {
    if (answer.statusCode !== 200) return answer;
    return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body) as RestoredRecord)) };
  });
}

function item(wrong: string, change: (given: RestoredItem) => RestoredItem): Hole {
  return record(wrong, ({ items, ...rest }) => ({ ...rest, items: items.map(change) }));
}

function problem(
  answer: APIGatewayProxyResult,
  change: (given: Problem) => Partial<Problem> | false,
): APIGatewayProxyResult {
  if (answer.statusCode < 400) return answer;
  const given = JSON.parse(answer.body) as Problem;
  const changed = { ...given, ...change(given) };
  return { ...answer, statusCode: changed.status, body: JSON.stringify(changed) };
}

function success(answer: APIGatewayProxyResult): APIGatewayProxyResult {
  const body = JSON.stringify({ id: 'the-content', status: 'published', items: [] });
  return { ...answer, statusCode: 200, body };
}

function without<Value>(name: string, headers: Record<string, Value> = {}): Record<string, Value> {
  return Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));
}

function withHeaders(
  answer: APIGatewayProxyResult,
  headers: Record<string, string | number | boolean>,
): APIGatewayProxyResult {
  return { ...answer, headers };
}
