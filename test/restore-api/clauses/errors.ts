import { type ProblemCode, type RestoreStatus } from '../../../core/restore/restore-outcomes';
import { MAY_NOT_WRITE, answered, PLATFORM_WORDS, refused } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';

const REFUSALS = [
  [403, 'forbidden', /platform denied the request/],
  [404, 'content_not_found', /./],
  [409, 'not_archived', /nothing to restore/],
  [415, 'unsupported_media_type', /platform did not accept/],
  [422, 'rejected_by_platform', /./],
  [429, 'too_many_requests', /./],
  [502, 'platform_failed', /content was not modified/],
] as const satisfies readonly [RestoreStatus, ProblemCode, RegExp][];

const FORMS: readonly [name: string, body: unknown][] = [
  ['no body', ''],
  ['HTML', `<!DOCTYPE html><title>${PLATFORM_WORDS}</title>`],
  ['JSON of another shape', { errors: [{ code: 1234, message: PLATFORM_WORDS }], stack: [PLATFORM_WORDS] }],
];

/** The specification does not show error bodies, so each refusal must work with any body, and none is forwarded. */
const BODIES: readonly ClauseCase[] = [
  ...FORMS.flatMap(([name, body], form) =>
    REFUSALS.map(([status, code, detail], n): ClauseCase => ({
      id: `C${100 + form * REFUSALS.length + n}`,
      clause: 'Errors, error body shape: not shown',
      title: `${status} with ${name}`,
      given: { faults: [{ status, body }] },
      expected: answered(status, status, code, { detail }),
    })),
  ),
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

/** Every row of "Errors", caused for real by the platform or the caller, and both general rules. */
export const CASES: readonly ClauseCase[] = [
  ...BODIES,
  {
    id: 'C001',
    clause: 'Errors, 401 Unauthorized',
    title: 'without any Authorization header',
    call: { authorization: undefined },
    expected: refused(401, 'unauthorized'),
  },
  {
    id: 'C003',
    clause: 'Errors, 401 Unauthorized',
    title: 'before anything else of the request is checked',
    call: { authorization: 'Bearer x', contentId: '%2E%2E', contentType: 'text/plain', body: '{' },
    expected: refused(401, 'unauthorized'),
  },
  {
    id: 'C004',
    clause: 'Errors, 403 Forbidden',
    title: 'for a caller who may only read, before the request is checked',
    call: ({ api }) => ({ authorization: api.bearer('api/read'), contentType: 'text/plain', body: '{' }),
    expected: refused(403, 'forbidden', { challenge: MAY_NOT_WRITE }),
  },
  {
    id: 'C006',
    clause: 'Errors, 404 Not Found',
    title: 'for an unknown content id',
    call: { contentId: '0'.repeat(24) },
    expected: answered(404, 404, 'content_not_found', {
      sent: { path: `/staging/mea/rest/v1/contents/${'0'.repeat(24)}/restore` },
    }),
  },
  {
    id: 'C007',
    clause: 'Errors, 409 Conflict',
    title: 'for a published content, with the hint that an earlier attempt may have restored it',
    given: { content: 'published' },
    expected: answered(409, 409, 'not_archived', { detail: /nothing to restore.* earlier attempt/ }),
  },
  {
    id: 'C008',
    clause: 'Errors, 415 Unsupported Media Type',
    title: 'names the accepted media type',
    call: { contentType: 'text/plain' },
    expected: refused(415, 'unsupported_media_type', { detail: /application\/json/ }),
  },
  {
    id: 'C011',
    clause: 'Errors, 422 Unprocessable Content',
    title: 'from the platform has its own code',
    call: { body: { authorRef: 'nobody' } },
    expected: answered(422, 422, 'rejected_by_platform', { sent: { actingUser: { authorRef: 'nobody' } } }),
  },
  {
    id: 'C013',
    clause: 'Errors, default unexpected error',
    title: '500 from the platform: the outcome is unknown, and the caller should check',
    given: { faults: [{ status: 500 }] },
    expected: answered(500, 500, 'outcome_unknown', { detail: /Check before you retry/ }),
  },
  {
    id: 'C014',
    clause: 'Errors, default unexpected error',
    title: 'a function that does not start: 500, not API Gateway’s default 502',
    given: { arrange: (world) => world.configure({ contentBaseUrl: 'no address' }) },
    expected: refused(500, 'outcome_unknown', { crashes: true }),
  },
  {
    id: 'C015',
    clause: 'Errors, default unexpected error',
    title: 'an authorizer that cannot read secrets calls no credential wrong',
    given: { arrange: (world) => (world.secret('api-key').deletedAtMs = Date.now()) },
    expected: refused(500, 'internal_error', {
      detail: /not processed\. The content was not modified/,
      crashes: true,
    }),
  },
  {
    id: 'C017',
    clause: 'Errors, general rule 1',
    title: '502 with a Retry-After is not sent again either',
    given: { faults: [{ status: 502, headers: { 'retry-after': '1' } }] },
    expected: answered(502, 502, 'platform_failed'),
  },
  {
    id: 'C019',
    clause: 'Errors, general rule 2',
    title: 'a reference that the platform rejects changes nothing there',
    call: ({ tenant }) => ({ body: { authorRef: tenant.authorRefs[0], collaborationId: 'nobody' } }),
    expected: answered(422, 422, 'rejected_by_platform', {
      sent: ({ tenant }) => ({ actingUser: { authorRef: tenant.authorRefs[0], collaborationId: 'nobody' } }),
    }),
  },
];
