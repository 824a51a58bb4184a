import { type GatewayProblem, gatewayProblems } from '../gateway-problems';
import { type ProblemCode, type RestoreStatus } from '../problem';
import { type RestoreAuth } from '../restore-operation';
import { type Outcome, type OutcomeName, OUTCOMES } from '../restore-outcomes';
import { ADVICE, GATEWAY_CAUSES, NOTHING_TO_DO, OUTCOME_CAUSES } from './answer-texts';
import { type HeaderName } from './schemas';

/** One way in which the restore API answers. */
export interface DocumentedAnswer {
  status: RestoreStatus;
  /** Undefined for success, and for the one error of API Gateway whose body is not ours. */
  code: ProblemCode | undefined;
  title: string;
  /** What the body says of it, unless the function knows more. */
  detail: string;
  /** The outcome of the restore function, or the type of API Gateway's response. */
  name: string;
  by: 'restore function' | 'API Gateway';
  mediaType: 'application/json' | 'application/problem+json';
  /** When it happens. */
  cause: string;
  mayHaveChanged: boolean;
  /** What the caller does best. */
  advice: string;
  headers: Partial<Record<HeaderName, 'always' | 'sometimes'>>;
  /** Of a Retry-After that is the same each time. */
  retryAfterSec?: number;
  /** Of a WWW-Authenticate. */
  challenge?: string;
}

/** Nothing of the kind is there in iam mode. */
const ONLY_WITH_AUTHORIZER: readonly string[] = [
  'UNAUTHORIZED',
  'AUTHORIZER_FAILURE',
  'AUTHORIZER_CONFIGURATION_ERROR',
];

const OUR_HEADERS = { 'Cache-Control': 'always', 'X-Content-Type-Options': 'always' } as const;

/**
 * API Gateway's answer to more than it reads at all, which cannot be customized.
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
  cause: 'The body has more than API Gateway reads, which is 10 MB.',
  mayHaveChanged: false,
  advice: ADVICE.after_correction,
  headers: {},
};

/** Every answer of the restore API, by status; of one status the function's before API Gateway's. */
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
    cause: OUTCOME_CAUSES[name] ?? detail,
    mayHaveChanged,
    advice: code === undefined ? NOTHING_TO_DO : ADVICE[retry],
    headers: {
      ...OUR_HEADERS,
      ...(status === 415 && { Accept: 'always' }),
      ...(name === 'tooManyRequests' && { 'Retry-After': 'sometimes' }),
    },
  };
}

function answerOfGateway(problem: GatewayProblem): DocumentedAnswer {
  const { type, status, code, title, detail, retry, headers = {} } = problem;
  const { 'Retry-After': retryAfter, 'WWW-Authenticate': challenge } = headers;
  return {
    status,
    code,
    title,
    detail,
    name: type,
    by: 'API Gateway',
    mediaType: 'application/problem+json',
    cause: GATEWAY_CAUSES[type] ?? detail,
    mayHaveChanged: code === 'outcome_unknown',
    advice: ADVICE[retry],
    headers: { ...OUR_HEADERS, ...Object.fromEntries(Object.keys(headers).map((name) => [name, 'always'])) },
    ...(retryAfter !== undefined && { retryAfterSec: Number(retryAfter) }),
    ...(challenge !== undefined && { challenge }),
  };
}
