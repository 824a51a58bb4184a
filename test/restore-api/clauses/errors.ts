import { type ProblemCode, type RestoreStatus } from '../../../core/restore/restore-outcomes';
import { MAY_NOT_WRITE, answered, PLATFORM_WORDS, refused } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { casesOf, type Clauses } from './clause';

const REFUSALS: readonly [RestoreStatus, ProblemCode, RegExp][] = [
  [403, 'forbidden', /platform denied the request/],
  [404, 'content_not_found', /./],
  [409, 'not_archived', /nothing to restore/],
  [415, 'unsupported_media_type', /platform did not accept/],
  [422, 'rejected_by_platform', /./],
  [429, 'too_many_requests', /./],
  [502, 'platform_failed', /content was not modified/],
];

const BODIES: readonly [name: string, (world: ClauseWorld) => unknown][] = [
  ['no body', () => ''],
  ['HTML', () => `<!DOCTYPE html><title>${PLATFORM_WORDS}</title>`],
  [
    'JSON of another shape',
    () => ({ errors: [{ code: 1234, message: PLATFORM_WORDS }], stack: [PLATFORM_WORDS] }),
  ],
  ['the body of a success', ({ contentId }) => ({ id: contentId, status: 'published', items: [] })],
];

/** Every row of "Errors", caused for real by the platform or the caller, and both general rules. */
export const ERRORS: Clauses = {
  // Each refusal must work with any body, and no body is forwarded.
  'Errors, error body shape: not shown': casesOf(
    BODIES.flatMap(([name, body]) =>
      REFUSALS.map((refusal) => [`${refusal[0]} with ${name}`, body, ...refusal] as const),
    ),
    (body, status, code, detail) => ({
      given: { faults: (world) => [{ status, body: body(world) }] },
      expected: answered(status, status, code, { detail }),
    }),
  ),
  'Errors, 401 Unauthorized': {
    'without any Authorization header': {
      call: { authorization: undefined },
      expected: refused(401, 'unauthorized'),
    },
    'before anything else of the request is checked': {
      call: { authorization: 'Bearer x', contentId: '%2E%2E', contentType: 'text/plain', body: '{' },
      expected: refused(401, 'unauthorized'),
    },
  },
  'Errors, 403 Forbidden': {
    'for a caller who may only read, before the request is checked': {
      call: ({ api }) => ({ authorization: api.bearer('api/read'), contentType: 'text/plain', body: '{' }),
      expected: refused(403, 'forbidden', { challenge: MAY_NOT_WRITE }),
    },
  },
  'Errors, 404 Not Found': {
    'for an unknown content id': {
      call: { contentId: '0'.repeat(24) },
      expected: answered(404, 404, 'content_not_found', {
        sent: { path: `/staging/mea/rest/v1/contents/${'0'.repeat(24)}/restore` },
      }),
    },
  },
  'Errors, 409 Conflict': {
    'for a published content, with the hint that an earlier attempt may have restored it': {
      given: { content: 'published' },
      expected: answered(409, 409, 'not_archived', { detail: /nothing to restore.* earlier attempt/ }),
    },
  },
  'Errors, 415 Unsupported Media Type': {
    'names the accepted media type': {
      call: { contentType: 'text/plain' },
      expected: refused(415, 'unsupported_media_type', { detail: /application\/json/ }),
    },
  },
  'Errors, 422 Unprocessable Content': {
    'from the platform has its own code': {
      call: { body: { authorRef: 'nobody' } },
      expected: answered(422, 422, 'rejected_by_platform', { sent: { actingUser: { authorRef: 'nobody' } } }),
    },
  },
  'Errors, default unexpected error': {
    '500 from the platform: the outcome is unknown, and the caller should check': {
      given: { faults: [{ status: 500 }] },
      expected: answered(500, 500, 'outcome_unknown', { detail: /Check before you retry/ }),
    },
    'a function that does not start: 500, not API Gateway’s default 502': {
      given: { arrange: (world) => world.configure({ contentBaseUrl: 'no address' }) },
      expected: refused(500, 'outcome_unknown', { crashes: true }),
    },
    'an authorizer that cannot read secrets calls no credential wrong': {
      given: { arrange: (world) => (world.secret('api-key').deletedAtMs = Date.now()) },
      expected: refused(500, 'internal_error', {
        detail: /not processed\. The content was not modified/,
        crashes: true,
      }),
    },
  },
  'Errors, general rule 1': {
    '502 with a Retry-After is not sent again either': {
      given: { faults: [{ status: 502, headers: { 'retry-after': '1' } }] },
      expected: answered(502, 502, 'platform_failed'),
    },
  },
  'Errors, general rule 2': {
    'a reference that the platform rejects changes nothing there': {
      call: ({ tenant }) => ({ body: { authorRef: tenant.authorRefs[0], collaborationId: 'nobody' } }),
      expected: answered(422, 422, 'rejected_by_platform', {
        sent: ({ tenant }) => ({
          actingUser: { authorRef: tenant.authorRefs[0], collaborationId: 'nobody' },
        }),
      }),
    },
  },
};
