import {
  answered,
  type Expected,
  type Given,
  refused,
  restored,
} from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { casesOf, type Clauses } from './clause';

const recordOf = ({ contentId }: ClauseWorld) => ({ id: contentId, status: 'published', items: [] });
const PLAIN_RECORD: Expected = { status: 200, platform: [200], record: recordOf };
type Restore = NonNullable<Parameters<ClauseWorld['configure']>[0]['restore']>;
/** Restore is configured in another way, and the platform answers with a record. */
const configured = (restore: Restore, status = 200, more: object = {}): Given => ({
  arrange: (world) => world.configure({ restore }),
  faults: (world) => [{ status, body: { ...recordOf(world), ...more } }],
});
const NOT_OFFERED: Given = { arrange: (world) => world.configure({ restore: { available: false } }) };

/** What the specification leaves provisional and configuration decides, and the connection to the platform. */
export const PROVISIONAL: Clauses = {
  'Versioning, coming soon': {
    'restore is not offered: 501, and nothing is sent': {
      given: NOT_OFFERED,
      expected: refused(501, 'restore_unavailable'),
    },
    'restore is not offered: only permitted callers learn that': {
      given: NOT_OFFERED,
      call: { authorization: 'Bearer nobodys' },
      expected: refused(401, 'unauthorized'),
    },
    'restore is not offered: reported before any fault of the request': {
      given: NOT_OFFERED,
      call: { contentType: 'text/plain', body: '{' },
      expected: refused(501, 'restore_unavailable'),
    },
  },
  'Endpoints 3, method and path: not shown': {
    'another method': {
      given: configured({ method: 'PUT' }),
      expected: { ...PLAIN_RECORD, sent: { method: 'PUT' } },
    },
    ...casesOf(
      [
        '/v2/contents/{contentId}/publication',
        '/contents/{contentId}:restore',
        '/contents/restore?id={contentId}&now=1',
      ].map((path) => [`the path ${path}`, path] as const),
      (path) => ({
        given: configured({ path }),
        expected: {
          ...PLAIN_RECORD,
          sent: ({ contentId }) => ({
            path: `/staging/mea/rest/v1${path.replace('{contentId}', contentId)}`,
          }),
        },
      }),
    ),
  },
  'Endpoints 3, success status code: not shown': {
    'a code other than 200: the caller still gets 200': {
      given: configured({ successStatus: 201 }, 201),
      expected: { ...PLAIN_RECORD, platform: [201] },
    },
    '200 although another code is configured': {
      given: configured({ successStatus: 201 }),
      expected: answered(200, 500, 'outcome_unknown'),
    },
  },
  'Item, failure reason': {
    'from another field': {
      given: configured({ failureReasonField: 'why' }, 200, {
        items: [{ why: 'broken', failureReason: 'not this' }],
      }),
      expected: {
        ...PLAIN_RECORD,
        record: (world) => ({ ...recordOf(world), items: [{ failureReason: 'broken' }] }),
      },
    },
  },
  'Common rules, 1': {
    'a platform with an untrusted certificate gets no request': {
      given: { arrange: (world) => world.configure({ contentBaseUrl: world.api.url }) },
      expected: refused(502, 'platform_unreachable', { detail: /nothing was sent/ }),
    },
  },
  'Errors, 502 Bad Gateway': {
    'a platform that refuses connections: nothing was sent, so nothing was modified': {
      given: { arrange: (world) => world.configure({ contentBaseUrl: 'https://127.0.0.1:1' }) },
      expected: refused(502, 'platform_unreachable', { detail: /nothing was sent/ }),
    },
  },
  'Acting-user object, rule 5': {
    'in the body: headers of the caller do not reach the platform': {
      call: ({ tenant }) => ({
        headers: { 'X-Author-Ref': tenant.authorRefs[1]!, 'X-Collaboration-Id': 'c' },
      }),
      expected: restored(),
    },
    'in headers: both': {
      actingUserIn: 'header',
      call: ({ tenant }) => ({
        body: { authorRef: tenant.authorRefs[1], collaborationId: tenant.collaborationIds[1] },
      }),
      expected: restored({
        sent: ({ tenant }) => ({
          actingUser: { authorRef: tenant.authorRefs[1], collaborationId: tenant.collaborationIds[1] },
        }),
        change: ({ tenant }) => ({ actingUser: tenant.authorRefs[1], owner: tenant.collaborationIds[1] }),
      }),
    },
    'in headers: an author alone, and the body stays an empty object': {
      actingUserIn: 'header',
      expected: restored(),
    },
    'in headers: callers still use the body, and their own headers are ignored': {
      actingUserIn: 'header',
      call: ({ tenant }) => ({ headers: { 'X-Author-Ref': tenant.authorRefs[1]! } }),
      expected: restored(),
    },
  },
};
