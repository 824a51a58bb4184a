/** A clause that no check shows, and why. */
export type NotExamined = { readonly clause: string } & (
  | {
      /** The specification says itself that something is not shown. */
      readonly kind: 'gap';
      /** What the sandbox does there, and clients here expect unless they are configured otherwise. */
      readonly assumption: string;
    }
  | {
      /** Other clauses state its content. */
      readonly kind: 'definition';
      readonly why: string;
    }
);

/** Every clause that is not examined. */
export const NOT_EXAMINED: readonly NotExamined[] = [
  {
    clause: 'learning-platform-interface-authentication-and-content-restore/paragraph-1',
    kind: 'definition',
    why: 'says what the document covers; the addresses are examined by `address-placeholders`, "coming soon" by `versioning/bullet-1`',
  },
  {
    clause: 'status-vocabularies/bullet-4',
    kind: 'gap',
    assumption: 'the four that appear are all; clients take any other for what it is called',
  },
  {
    clause: 'status-vocabularies/bullet-5',
    kind: 'gap',
    assumption: '`file`, `video`, `link`, `article`, `quiz`; clients take any',
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
      'the catalogue view has `id`, `title`, `description`, `tags`, `type`, `createdAt`, `updatedAt`, `author`, `isOfficial`; there are no other records here',
  },
  {
    clause: 'states-and-transitions/paragraph-2',
    kind: 'gap',
    assumption:
      'a new content is `draft`; it is `ready` once it has an item and all are `ok`; publish only from `ready`; archive from any state but `archived`; delete from any; in the legacy vocabulary `draft` and `ready` are `created`',
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
      'a create needs a `title`, a patch at least one field to change; create answers 201, delete 204, the others 200 with the catalogue view; the sandbox answers a list with an array',
  },
  {
    clause: 'common-rules/paragraph-1',
    kind: 'gap',
    assumption:
      'an older key stays valid after a new one is generated, and there is no way to list or revoke one; in the sandbox control can revoke',
  },
  {
    clause: 'events/paragraph-2',
    kind: 'gap',
    assumption: 'the sandbox has the base address and its authentication, and invents nothing beyond',
  },
  {
    clause: 'errors/paragraph-1',
    kind: 'gap',
    assumption: '`{"status", "error", "message"}` in JSON; clients read no error body',
  },
  {
    clause: 'errors/paragraph-2',
    kind: 'gap',
    assumption:
      'token endpoints answer as RFC 6749, section 5.2 (400, and 401 for `invalid_client`); key generation answers 401 without a session, 403 to who is no administrator, and GraphQL’s own `errors` with 200',
  },
  {
    clause: 'errors/paragraph-3',
    kind: 'gap',
    assumption:
      '500 for what is unexpected; clients take every status that is not documented for an unknown outcome',
  },
  {
    clause: 'limits/paragraph-1',
    kind: 'gap',
    assumption:
      'clients honour `Retry-After` and assume no size of a page; the sandbox limits no rate, lists all at once, and refuses bodies over 1 MiB with 413',
  },
  {
    clause: 'versioning/paragraph-1',
    kind: 'gap',
    assumption: 'no header; `{base_url}` ends in a version path, such as `/rest/v1`',
  },
];
