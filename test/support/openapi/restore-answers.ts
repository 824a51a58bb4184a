import { type GatewayProblem, gatewayProblems } from '../../../core/restore/gateway-problems';
import { type ProblemCode, type RestoreStatus } from '../../../core/restore/problem';
import { type RestoreAuth } from '../../../core/restore/restore-operation';
import { type Outcome, type OutcomeName, OUTCOMES, type Retry } from '../../../core/restore/restore-outcomes';

/** What a caller should do after an error. */
const ADVICE: Readonly<Record<Retry, string>> = {
  no: 'Do not retry.',
  after_correction: 'Correct the request and send it again.',
  later: 'Retry later: after Retry-After if present, otherwise with exponential backoff.',
  after_checking:
    'Check whether the content is published. Retry only if it is still archived; otherwise the answer is 409.',
};

/** The headers besides Content-Type and those that API Gateway adds to every response. */
type HeaderName = 'Accept' | 'Cache-Control' | 'Retry-After' | 'WWW-Authenticate' | 'X-Content-Type-Options';

/** One possible response of the restore API. */
export interface DocumentedAnswer {
  status: RestoreStatus;
  /** Undefined for success, and for the one error that API Gateway sends in its own format. */
  code: ProblemCode | undefined;
  title: string;
  /** The `detail` of the body, unless the function has a more specific one. */
  detail: string;
  /** The name of the restore function's outcome, or the type of API Gateway's response. */
  name: string;
  by: 'restore function' | 'API Gateway';
  mediaType: 'application/json' | 'application/problem+json';
  mayHaveChanged: boolean;
  /** What the caller should do. */
  advice: string;
  headers: Partial<Record<HeaderName, 'always' | 'sometimes'>>;
  /** Value of a Retry-After that never varies. */
  retryAfterSec?: number;
}

/** Types of responses that iam mode cannot have: it has no authorizer. */
const ONLY_WITH_AUTHORIZER: readonly string[] = [
  'UNAUTHORIZED',
  'AUTHORIZER_FAILURE',
  'AUTHORIZER_CONFIGURATION_ERROR',
];

const OUR_HEADERS = { 'Cache-Control': 'always', 'X-Content-Type-Options': 'always' } as const;

/**
 * API Gateway's response to a body over its own limit, which cannot be customized.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const FAR_TOO_LARGE: DocumentedAnswer = {
  status: 413,
  code: undefined,
  title: 'Content Too Large',
  detail: 'Request Too Long',
  name: 'REQUEST_TOO_LARGE',
  by: 'API Gateway',
  mediaType: 'application/json',
  mayHaveChanged: false,
  advice: ADVICE.after_correction,
  headers: {},
};

/** Every response of the restore API, sorted by status; with the same status, the function's come first. */
export function documentedAnswers(auth: RestoreAuth): DocumentedAnswer[] {
  const outcomes = (Object.entries(OUTCOMES) as [OutcomeName, Outcome][]).map(answerOfFunction);
  const gateway = gatewayProblems(auth)
    .filter(({ type }) => auth === 'platform' || !ONLY_WITH_AUTHORIZER.includes(type))
    .map(answerOfGateway);
  return [...outcomes, ...gateway, FAR_TOO_LARGE].sort((a, b) => a.status - b.status);
}

function answerOfFunction([name, outcome]: [OutcomeName, Outcome]): DocumentedAnswer {
  const { status, code, title, detail, mayHaveChanged, retry } = outcome;
  return {
    status,
    code,
    title,
    detail,
    name,
    by: 'restore function',
    mediaType: code === undefined ? 'application/json' : 'application/problem+json',
    mayHaveChanged,
    advice: code === undefined ? 'No action needed.' : ADVICE[retry],
    headers: {
      ...OUR_HEADERS,
      ...(status === 415 && { Accept: 'always' }),
      ...(name === 'tooManyRequests' && { 'Retry-After': 'sometimes' }),
    },
  };
}

function answerOfGateway(problem: GatewayProblem): DocumentedAnswer {
  const { type, status, code, title, detail, retry, headers = {} } = problem;
  const { 'Retry-After': retryAfter } = headers;
  return {
    status,
    code,
    title,
    detail,
    name: type,
    by: 'API Gateway',
    mediaType: 'application/problem+json',
    mayHaveChanged: code === 'outcome_unknown',
    advice: ADVICE[retry],
    headers: { ...OUR_HEADERS, ...Object.fromEntries(Object.keys(headers).map((name) => [name, 'always'])) },
    ...(retryAfter !== undefined && { retryAfterSec: Number(retryAfter) }),
  };
}
