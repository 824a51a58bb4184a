/** A clause that no check covers, and why. */
export type NotExamined = { readonly clause: string } & (
  | {
      /** It takes a second tenant or deployment, the clock, a fault or the stored state. Tests of the sandbox prove it there. */
      readonly kind: 'sandbox';
      /** Their files below `packages/learning-platform-sandbox/test/sandbox`. */
      readonly tests: readonly string[];
    }
  | {
      /** The specification says that something is not shown. */
      readonly kind: 'gap';
      /** What the sandbox does, and what clients expect by default. */
      readonly assumption: string;
    }
  | {
      readonly kind: 'definition';
      readonly why: string;
    }
);

function onlyInSandbox(tests: readonly string[], clauses: readonly string[]): NotExamined[] {
  return clauses.map((clause) => ({ clause, kind: 'sandbox', tests }));
}

export const NOT_EXAMINED: readonly NotExamined[] = [
  ...onlyInSandbox(
    ['separation.test.ts'],
    [
      'address-placeholders/row-staging-all-regions-except-mea',
      'address-placeholders/row-staging-mea',
      'address-placeholders/row-production-all-regions-except-mea',
      'address-placeholders/row-production-mea',
      'oauth-2-0-client-credentials/rule-3',
      'limits/row-access-token-lifetime',
      'credentials-issued-to-a-customer/row-client-id',
      'versioning/bullet-4',
    ],
  ),
  ...onlyInSandbox(['separation.test.ts', 'seed.test.ts'], ['http-basic-authentication/bullet-2']),
  ...onlyInSandbox(
    ['separation.test.ts', 'tenant-service/sessions.test.ts'],
    ['address-placeholders/paragraph-1'],
  ),
  ...onlyInSandbox(
    ['model/model.test.ts'],
    [
      'acting-user-object/row-authorref',
      'acting-user-object/row-collaborationid',
      'acting-user-object/rule-1',
      'acting-user-object/rule-2',
      'item/row-failure-reason',
      'status-vocabularies/bullet-1',
      'status-vocabularies/bullet-3',
      'states-and-transitions/paragraph-1',
      'states-and-transitions/rule-1',
      'states-and-transitions/rule-2',
      'states-and-transitions/rule-3',
    ],
  ),
  ...onlyInSandbox(
    ['model/model.test.ts', 'tenant-service/tenant-service.test.ts'],
    ['what-the-service-does/bullet-1'],
  ),
  ...onlyInSandbox(
    ['model/model.test.ts', 'content/content-routes.test.ts'],
    ['what-the-service-does/bullet-6'],
  ),
  ...onlyInSandbox(
    ['control/settings-routes.test.ts'],
    [
      'acting-user-object/rule-5',
      'versioning/bullet-1',
      'versioning/bullet-2',
      'what-the-service-does/bullet-5',
    ],
  ),
  ...onlyInSandbox(['model/unmodified.test.ts'], ['errors/row-502', 'errors/rule-1']),
  ...onlyInSandbox(['sandbox.test.ts'], ['errors/row-default']),
  ...onlyInSandbox(['control/observation-routes.test.ts'], ['common-rules/rule-2']),
  {
    clause: 'learning-platform-interface-authentication-and-content-restore/paragraph-1',
    kind: 'definition',
    why: 'introduces the document; `address-placeholders` covers the addresses, `versioning/bullet-1` covers "coming soon"',
  },
  {
    clause: 'status-vocabularies/bullet-4',
    kind: 'gap',
    assumption: 'only the four statuses that appear exist; clients pass any other through as is',
  },
  {
    clause: 'status-vocabularies/bullet-5',
    kind: 'gap',
    assumption: '`file`, `video`, `link`, `article`, `quiz`; clients accept any',
  },
  {
    clause: 'status-vocabularies/bullet-6',
    kind: 'gap',
    assumption: '`pending`, `processing`, `ok`, `error`; the failure reason is in `failureReason`',
  },
  {
    clause: 'status-vocabularies/bullet-7',
    kind: 'gap',
    assumption:
      'the catalogue view has `id`, `title`, `description`, `tags`, `type`, `createdAt`, `updatedAt`, `author`, `isOfficial`; the sandbox has no other records',
  },
  {
    clause: 'states-and-transitions/paragraph-2',
    kind: 'gap',
    assumption:
      'a new content is `draft`; it is `ready` once it has items and all of them are `ok`; publish works only from `ready`, archive from any status except `archived`, delete from any; the older vocabulary calls `draft` and `ready` `created`',
  },
  {
    clause: 'restore-archived-content/bullet-7',
    kind: 'gap',
    assumption: '`POST /contents/{id}/restore`, by analogy with publish',
  },
  { clause: 'restore-archived-content/bullet-8', kind: 'gap', assumption: '200' },
  {
    clause: 'other-content-operations-that-exist/paragraph-2',
    kind: 'gap',
    assumption:
      'create needs a `title`, patch at least one field to change; create answers 201, delete 204, the others 200 with the catalogue view; a list is an array',
  },
  {
    clause: 'common-rules/paragraph-1',
    kind: 'gap',
    assumption:
      'older keys stay valid after a new one is generated, and keys cannot be listed or revoked; in the sandbox, control can revoke them',
  },
  {
    clause: 'events/paragraph-2',
    kind: 'gap',
    assumption: 'the sandbox has only the base address and its authentication',
  },
  {
    clause: 'errors/paragraph-1',
    kind: 'gap',
    assumption: '`{"status", "error", "message"}` in JSON; clients do not read error bodies',
  },
  {
    clause: 'errors/paragraph-2',
    kind: 'gap',
    assumption:
      'token endpoints follow RFC 6749, section 5.2 (400, and 401 for `invalid_client`); key generation answers 401 without a session, 403 unless the user is an administrator, and 200 with `errors` for GraphQL errors',
  },
  {
    clause: 'errors/paragraph-3',
    kind: 'gap',
    assumption: '500 for unexpected errors; clients treat every undocumented status as an unknown outcome',
  },
  {
    clause: 'limits/paragraph-1',
    kind: 'gap',
    assumption:
      'clients honor `Retry-After` and assume no page size; the sandbox has no rate limits and no pagination, and refuses bodies over 1 MiB with 413',
  },
  {
    clause: 'versioning/paragraph-1',
    kind: 'gap',
    assumption: 'no header; `{base_url}` ends in a version path, such as `/rest/v1`',
  },
];
