import { type ProblemCode, type RestoreStatus } from '../../../contract/problem';
import { type Break } from '../../support/breaks/break';
import { answered, PLATFORM_WORDS } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';
import { broken, unknownStatus } from './product';

const REFUSALS = [
  [403, 'forbidden', 'forbidden'],
  [404, 'content_not_found', 'contentNotFound'],
  [409, 'not_archived', 'notArchived'],
  [415, 'unsupported_media_type', 'platformWantsOtherMediaType'],
  [422, 'rejected_by_platform', 'rejectedByPlatform'],
  [429, 'too_many_requests', 'tooManyRequests'],
  [502, 'platform_failed', 'platformFailed'],
] as const satisfies readonly [RestoreStatus, ProblemCode, string][];

interface BodyForm {
  name: string;
  body: unknown;
  headers?: Record<string, string>;
  /** What would no longer survive this form of body, of each of these statuses. */
  brokenBy: (status: number, outcome: string) => Break;
}

const FORMS: readonly BodyForm[] = [
  { name: 'no body', body: '', brokenBy: unknownStatus },
  {
    name: 'HTML',
    body: `<!DOCTYPE html><title>${PLATFORM_WORDS}</title>`,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    brokenBy: () =>
      broken('platformContent', 'body: answer.body,', 'body: JSON.stringify(JSON.parse(answer.body)),'),
  },
  {
    name: 'JSON of another shape',
    body: { errors: [{ code: 1234, message: PLATFORM_WORDS }], stack: [PLATFORM_WORDS] },
    brokenBy: () =>
      broken(
        'restoreContent',
        '        outcome,\n        upstreamStatus: result.status,',
        '        outcome,\n        detail: result.body,\n        upstreamStatus: result.status,',
      ),
  },
  {
    name: 'a body of nearly 1 MiB',
    body: `${PLATFORM_WORDS} `.repeat(40_000),
    brokenBy: () =>
      broken('platformContent', 'MAX_ANSWER_BYTES = 1024 * 1024', 'MAX_ANSWER_BYTES = 64 * 1024'),
  },
];

/** Numbers that take more room in the answer than in the fault, which may have 1 MiB itself. */
export const OVER_1_MIB = `[${Array(60_000).fill('1e20').join()}]`;

/** The platform's error bodies are not shown, so each refusal survives every form, and none of them is passed on. */
export const CASES: readonly ClauseCase[] = [
  ...FORMS.flatMap(({ name, body, headers, brokenBy }, form) =>
    REFUSALS.map(([status, code, outcome], n): ClauseCase => ({
      id: `C${100 + form * REFUSALS.length + n}`,
      clause: 'Errors, error body shape: not shown',
      title: `${status} with ${name}`,
      given: { faults: [{ status, body, ...(headers && { headers }) }] },
      expected: answered(status, status, code),
      brokenBy: brokenBy(status, outcome),
    })),
  ),
  {
    id: 'C128',
    clause: 'Errors, error body shape: not shown',
    title: '409 with more than 1 MiB is read no further, so that its outcome is not known',
    given: { faults: [`{"target":"content","times":1,"status":409,"body":${OVER_1_MIB}}`] },
    expected: answered(409, 500, 'outcome_unknown'),
    brokenBy: broken('platformContent', "error.isAnswered ? 'unreadable' : 'no_answer'", "'no_answer'"),
  },
  {
    id: 'C129',
    clause: 'Errors, error body shape: not shown',
    title: '404 whose body says that all went well: the status tells',
    given: {
      faults: ({ contentId }) => [{ status: 404, body: { id: contentId, status: 'published', items: [] } }],
    },
    expected: answered(404, 404, 'content_not_found'),
    brokenBy: broken(
      'restoreContent',
      'result.status === successStatus',
      'result.body.includes("published")',
    ),
  },
];
