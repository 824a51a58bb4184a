import { answered, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type TenantUnderTest } from '../../support/restore-api/restore-api-under-test';
import { type ClauseCase } from './clause';

/** The author that the platform's audit trail records if only a collaboration was named. */
const SYSTEM_ACCOUNT = 'system account';

/** A restore for this acting user, and whom the platform then records. */
const accepted = (
  id: ClauseCase['id'],
  clause: ClauseCase['clause'],
  title: string,
  user: (tenant: TenantUnderTest) => object,
  change: (tenant: TenantUnderTest) => { actingUser?: string; owner?: string },
): ClauseCase => ({
  id,
  clause,
  title,
  call: ({ tenant }) => ({ body: user(tenant) }),
  expected: restored({
    sent: ({ tenant }: ClauseWorld) => ({ actingUser: user(tenant) }),
    change: ({ tenant }: ClauseWorld) => change(tenant),
  }),
});

/** Values of one reference, as checked before the platform looks them up. */
const REFERENCES = [
  ['C220', 'empty', ''],
  ['C222', 'with a space before it', ' author'],
  ['C223', 'with a space after it', 'author '],
  ['C224', 'with a letter that is invalid in headers', 'Zoë'],
  ['C225', 'with a line break and a header', 'a\r\nx-collaboration-id: b'],
  ['C231', 'a list of one text', ['author']],
  ['C233', 'of 257 characters', 'a'.repeat(257)],
] as const;

/** As long as a reference may be. */
const PRINTABLE = String.raw`a "b" \ \u0041 %41 +~{}`.padEnd(256, 'a');

/** Each of the two fields alone. */
const FIELDS: readonly ClauseCase[] = [
  ...REFERENCES.map(([id, title, authorRef]): ClauseCase => ({
    id,
    clause: 'Acting-user object, fields',
    title: `an authorRef ${title}`,
    call: { body: { authorRef } },
    expected: refused(422, 'invalid_request', { detail: /^authorRef: allowed: a string/ }),
  })),
  {
    id: 'C235',
    clause: 'Acting-user object, fields',
    title: 'an authorRef of 256 printable characters reaches the platform unchanged',
    call: { body: { authorRef: PRINTABLE } },
    expected: answered(422, 422, 'rejected_by_platform', {
      sent: { actingUser: { authorRef: PRINTABLE } },
    }),
  },
  {
    id: 'C236',
    clause: 'Acting-user object, fields',
    title: 'a collaborationId of the wrong type, with a valid author',
    call: ({ tenant }) => ({ body: { authorRef: tenant.authorRefs[0], collaborationId: 7 } }),
    expected: refused(422, 'invalid_request', { detail: /^collaborationId: allowed: a string/ }),
  },
  {
    id: 'C237',
    clause: 'Acting-user object, fields',
    title: 'an unknown field',
    call: ({ tenant }) => ({ body: { authorRef: tenant.authorRefs[0], status: 'draft' } }),
    expected: refused(422, 'invalid_request', { detail: /unknown field/ }),
  },
  {
    id: 'C238',
    clause: 'Acting-user object, fields',
    title: 'a field named __proto__',
    call: ({ tenant }) => ({ body: `{"__proto__":{"authorRef":"x"},"authorRef":"${tenant.authorRefs[0]}"}` }),
    expected: refused(422, 'invalid_request', { detail: /unknown field/ }),
  },
  {
    id: 'C240',
    clause: 'Acting-user object, fields',
    title: 'a duplicate field, whose last value would win',
    call: ({ tenant }) => ({ body: `{"authorRef":"unknown","authorRef":"${tenant.authorRefs[0]}"}` }),
    expected: refused(422, 'invalid_request', { detail: /a field twice/ }),
  },
  {
    id: 'C241',
    clause: 'Acting-user object, at least one',
    title: 'neither field, of which the answer names both',
    call: { body: '{}' },
    expected: refused(422, 'invalid_request', {
      detail: /neither authorRef nor collaborationId; at least one/,
    }),
  },
];

/** The acting user and the owner: rules 1 to 4. */
export const CASES: readonly ClauseCase[] = [
  ...FIELDS,
  accepted(
    'C200',
    'Acting-user object, rule 1',
    'author and collaboration: the collaboration owns the content, the author is the acting user',
    ({ authorRefs, collaborationIds }) => ({
      authorRef: authorRefs[1],
      collaborationId: collaborationIds[1],
    }),
    ({ authorRefs, collaborationIds }) => ({ actingUser: authorRefs[1], owner: collaborationIds[1] }),
  ),
  accepted(
    'C202',
    'Acting-user object, rule 2',
    'a collaboration alone: no acting user, the system account is recorded',
    ({ collaborationIds }) => ({ collaborationId: collaborationIds[1] }),
    ({ collaborationIds }) => ({ actingUser: SYSTEM_ACCOUNT, owner: collaborationIds[1] }),
  ),
  accepted(
    'C203',
    'Acting-user object, fields',
    'an author alone is the acting user, and the owner stays the same',
    ({ authorRefs }) => ({ authorRef: authorRefs[1] }),
    ({ authorRefs }) => ({ actingUser: authorRefs[1], owner: authorRefs[0] }),
  ),
  {
    ...accepted(
      'C204',
      'Acting-user object, rule 4',
      'restore is not among the writes that require authorRef',
      ({ collaborationIds }) => ({ collaborationId: collaborationIds[0] }),
      ({ collaborationIds }) => ({ actingUser: SYSTEM_ACCOUNT, owner: collaborationIds[0] }),
    ),
    given: { archivedFrom: 'ready' },
  },
  ...(
    [
      [
        'C212',
        'an author of another organization',
        ({ neighbor }) => ({ authorRef: neighbor.authorRefs[0] }),
      ],
      [
        'C213',
        'a collaboration of another organization',
        ({ neighbor }) => ({ collaborationId: neighbor.collaborationIds[0] }),
      ],
      [
        'C215',
        'a foreign collaboration with an own author',
        ({ tenant, neighbor }) => ({
          authorRef: tenant.authorRefs[0],
          collaborationId: neighbor.collaborationIds[0],
        }),
      ],
    ] satisfies [ClauseCase['id'], string, (world: ClauseWorld) => object][]
  ).map(([id, title, actingUser]): ClauseCase => ({
    id,
    clause: 'Acting-user object, rule 3',
    title,
    call: (world) => ({ body: actingUser(world) }),
    expected: answered(422, 422, 'rejected_by_platform', {
      detail: /unknown or of another tenant/,
      sent: (world) => ({ actingUser: actingUser(world) }),
    }),
  })),
];
