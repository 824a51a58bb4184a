import { type ProblemCode, type RestoreStatus } from '../../../contract/problem';
import { answered, PLATFORM_WORDS } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';
import { HOLES } from '../holes/holes';

const REFUSALS = [
  [403, 'forbidden'],
  [404, 'content_not_found'],
  [409, 'not_archived'],
  [415, 'unsupported_media_type'],
  [422, 'rejected_by_platform'],
  [429, 'too_many_requests'],
  [502, 'platform_failed'],
] as const satisfies readonly [RestoreStatus, ProblemCode][];

interface BodyForm {
  name: string;
  body: unknown;
  headers?: Record<string, string>;
  /** With which the status would not be known in this form. */
  hole: ClauseCase['hole'];
}

const FORMS: readonly BodyForm[] = [
  { name: 'no body', body: '', hole: HOLES.refusalsAreUnknown },
  {
    name: 'HTML',
    body: `<!DOCTYPE html><title>${PLATFORM_WORDS}</title>`,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    hole: HOLES.errorsMustBeJson,
  },
  {
    name: 'JSON of another shape',
    body: { errors: [{ code: 1234, message: PLATFORM_WORDS }], stack: [PLATFORM_WORDS] },
    hole: HOLES.platformWordsArePassedOn,
  },
  {
    name: 'a body of nearly 1 MiB',
    body: `${PLATFORM_WORDS} `.repeat(40_000),
    hole: HOLES.answersMustBeShort,
  },
];

/** Numbers that take more room in the answer than in the fault, which may have 1 MiB itself. */
export const OVER_1_MIB = `[${Array(60_000).fill('1e20').join()}]`;

/** The platform's error bodies are not shown, so each refusal survives every form, and none of them is passed on. */
export const CASES: readonly ClauseCase[] = [
  ...FORMS.flatMap(({ name, body, headers, hole }, form) =>
    REFUSALS.map(([status, code], n): ClauseCase => ({
      id: `C${100 + form * REFUSALS.length + n}`,
      clause: 'Errors, error body shape: not shown',
      title: `${status} with ${name}`,
      given: { faults: [{ status, body, ...(headers && { headers }) }] },
      expected: answered(status, status, code),
      hole,
    })),
  ),
  {
    id: 'C128',
    clause: 'Errors, error body shape: not shown',
    title: '409 with more than 1 MiB is read no further, so that its outcome is not known',
    given: { faults: [`{"target":"content","times":1,"status":409,"body":${OVER_1_MIB}}`] },
    expected: answered(409, 500, 'outcome_unknown'),
    hole: HOLES.longAnswersAreCut,
  },
  {
    id: 'C129',
    clause: 'Errors, error body shape: not shown',
    title: '404 whose body says that all went well: the status tells',
    given: {
      faults: ({ contentId }) => [{ status: 404, body: { id: contentId, status: 'published', items: [] } }],
    },
    expected: answered(404, 404, 'content_not_found'),
    hole: HOLES.bodyTellsTheOutcome,
  },
];
