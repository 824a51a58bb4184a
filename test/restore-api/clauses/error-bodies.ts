import { type ProblemCode, type RestoreStatus } from '../../../core/restore/restore-outcomes';
import { answered, PLATFORM_WORDS } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';

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
}

const FORMS: readonly BodyForm[] = [
  { name: 'no body', body: '' },
  {
    name: 'HTML',
    body: `<!DOCTYPE html><title>${PLATFORM_WORDS}</title>`,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  },
  {
    name: 'JSON of another shape',
    body: { errors: [{ code: 1234, message: PLATFORM_WORDS }], stack: [PLATFORM_WORDS] },
  },
  {
    name: 'a body of almost 1 MiB',
    body: `${PLATFORM_WORDS} `.repeat(40_000),
  },
];

/** Numbers that take more than 1 MiB in the answer, but less in the fault, whose size is limited to that. */
export const OVER_1_MIB = `[${Array(60_000).fill('1e20').join()}]`;

/** The specification does not show error bodies, so each refusal must work with any body, and none is forwarded. */
export const CASES: readonly ClauseCase[] = [
  ...FORMS.flatMap(({ name, body, headers }, form) =>
    REFUSALS.map(([status, code], n): ClauseCase => ({
      id: `C${100 + form * REFUSALS.length + n}`,
      clause: 'Errors, error body shape: not shown',
      title: `${status} with ${name}`,
      given: { faults: [{ status, body, ...(headers && { headers }) }] },
      expected: answered(status, status, code),
    })),
  ),
  {
    id: 'C128',
    clause: 'Errors, error body shape: not shown',
    title: '409 with more than 1 MiB is not read completely, so the outcome is unknown',
    given: { faults: [`{"target":"content","times":1,"status":409,"body":${OVER_1_MIB}}`] },
    expected: answered(409, 500, 'outcome_unknown'),
  },
  {
    id: 'C129',
    clause: 'Errors, error body shape: not shown',
    title: '404 with a body that reports success: the status counts',
    given: {
      faults: ({ contentId }) => [{ status: 404, body: { id: contentId, status: 'published', items: [] } }],
    },
    expected: answered(404, 404, 'content_not_found'),
  },
];
