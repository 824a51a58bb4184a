import { gatewayProblems } from '../../core/restore/gateway-problems';
import { type RestoreAuth } from '../../core/restore/restore-operation';
import {
  type Outcome,
  OUTCOMES,
  type ProblemCode,
  type RestoreStatus,
  type Retry,
} from '../../core/restore/restore-outcomes';

/** What a caller should do after an error: the table's word for it, and the whole advice. */
export const ADVICE: Readonly<Record<Retry, readonly [word: string, advice: string]>> = {
  after_correction: ['correct', 'Correct the request and send it again.'],
  later: ['later', 'Retry later: after Retry-After if present, otherwise with exponential backoff.'],
  after_checking: [
    'look',
    'Check whether the content is published. Retry only if it is still archived; otherwise the answer is 409.',
  ],
  no: ['stop', 'Do not retry.'],
};

/** One possible response of the restore API. */
export interface DocumentedAnswer {
  readonly status: RestoreStatus;
  /** Undefined for success, and for the one error that API Gateway sends in its own format. */
  readonly code: ProblemCode | undefined;
  readonly detail: string;
  readonly cause: string;
  /** The name of the restore function's outcome, or the type of API Gateway's response. */
  readonly name: string;
  readonly by: 'restore function' | 'API Gateway';
  readonly retry: Retry;
  /** @default never */
  readonly retryAfter?: string;
}

/** Types of responses that iam mode cannot have: it has no authorizer. */
const ONLY_WITH_AUTHORIZER: readonly string[] = [
  'UNAUTHORIZED',
  'AUTHORIZER_FAILURE',
  'AUTHORIZER_CONFIGURATION_ERROR',
];

/**
 * API Gateway's response to a body over its own limit, which cannot be customized.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const FAR_TOO_LARGE: DocumentedAnswer = {
  status: 413,
  code: undefined,
  detail: 'Request Too Long',
  cause: 'The body exceeds 10 MB, the limit of API Gateway.',
  name: 'REQUEST_TOO_LARGE',
  by: 'API Gateway',
  retry: 'after_correction',
};

/** Every response of the restore API, sorted by status; with the same status, the function's come first. */
export function documentedAnswers(auth: RestoreAuth): DocumentedAnswer[] {
  const outcomes = Object.entries<Outcome>(OUTCOMES).map(([name, outcome]) => ({
    cause: outcome.detail,
    ...outcome,
    name,
    by: 'restore function' as const,
    ...(outcome.status === 429 && { retryAfter: 'if the platform sends one, at most 60 s' }),
  }));
  const gateway = gatewayProblems(auth)
    .filter(({ type }) => auth === 'platform' || !ONLY_WITH_AUTHORIZER.includes(type))
    .map(({ headers, ...problem }) => ({
      cause: problem.detail,
      ...problem,
      name: problem.type,
      by: 'API Gateway' as const,
      ...(headers?.['Retry-After'] !== undefined && { retryAfter: `${headers['Retry-After']} s` }),
    }));
  return [...outcomes, ...gateway, FAR_TOO_LARGE].sort((a, b) => a.status - b.status);
}

/** Whether the request may have modified the content: `unknown` if nobody knows. */
export function modifies({ status, code }: DocumentedAnswer): 'yes' | 'no' | 'unknown' {
  if (status === 200) return 'yes';
  return code === 'outcome_unknown' ? 'unknown' : 'no';
}
