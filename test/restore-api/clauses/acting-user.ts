import { answered, type Case, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type TenantUnderTest } from '../../support/restore-api/restore-api-under-test';
import { casesOf, type Clauses } from './clause';

/** The author that the platform's audit trail records if only a collaboration was named. */
const SYSTEM_ACCOUNT = 'system account';
/** As long as a reference may be. */
const PRINTABLE = String.raw`a "b" \ \u0041 %41 +~{}`.padEnd(256, 'a');

/** A restore for this acting user, and whom the platform then records. */
const accepted = (
  user: (tenant: TenantUnderTest) => object,
  change: (tenant: TenantUnderTest) => { actingUser?: string; owner?: string },
): Case => ({
  call: ({ tenant }) => ({ body: user(tenant) }),
  expected: restored({
    sent: ({ tenant }: ClauseWorld) => ({ actingUser: user(tenant) }),
    change: ({ tenant }: ClauseWorld) => change(tenant),
  }),
});

/** A body that is refused before it is sent. */
const invalid = (body: (author: string) => string | object, detail: RegExp): Case => ({
  call: ({ tenant }) => ({ body: body(tenant.authorRefs[0]!) }),
  expected: refused(422, 'invalid_request', { detail }),
});

export const ACTING_USER: Clauses = {
  'Acting-user object, fields': {
    ...casesOf<[unknown]>(
      [
        ['an authorRef that is empty', ''],
        ['an authorRef with a space before it', ' author'],
        ['an authorRef with a space after it', 'author '],
        ['an authorRef with a letter that is invalid in headers', 'Zoë'],
        ['an authorRef with a line break and a header', 'a\r\nx-collaboration-id: b'],
        ['an authorRef that is a list of one text', ['author']],
        ['an authorRef of 257 characters', 'a'.repeat(257)],
      ],
      (authorRef) => invalid(() => ({ authorRef }), /^authorRef: allowed: a string/),
    ),
    'an authorRef of 256 printable characters reaches the platform unchanged': {
      call: { body: { authorRef: PRINTABLE } },
      expected: answered(422, 422, 'rejected_by_platform', {
        sent: { actingUser: { authorRef: PRINTABLE } },
      }),
    },
    'a collaborationId of the wrong type, with a valid author': invalid(
      (authorRef) => ({ authorRef, collaborationId: 7 }),
      /^collaborationId: allowed: a string/,
    ),
    'an unknown field': invalid((authorRef) => ({ authorRef, status: 'draft' }), /unknown field/),
    'a field named __proto__': invalid(
      (author) => `{"__proto__":{"authorRef":"x"},"authorRef":"${author}"}`,
      /unknown field/,
    ),
    'a duplicate field, whose last value would win': invalid(
      (author) => `{"authorRef":"unknown","authorRef":"${author}"}`,
      /a field twice/,
    ),
    'an author alone is the acting user, and the owner stays the same': accepted(
      ({ authorRefs }) => ({ authorRef: authorRefs[1] }),
      ({ authorRefs }) => ({ actingUser: authorRefs[1], owner: authorRefs[0] }),
    ),
  },
  'Acting-user object, at least one': {
    'neither field, of which the answer names both': invalid(
      () => '{}',
      /neither authorRef nor collaborationId; at least one/,
    ),
  },
  'Acting-user object, rule 1': {
    'author and collaboration: the collaboration owns the content, the author is the acting user': accepted(
      ({ authorRefs, collaborationIds }) => ({
        authorRef: authorRefs[1],
        collaborationId: collaborationIds[1],
      }),
      ({ authorRefs, collaborationIds }) => ({ actingUser: authorRefs[1], owner: collaborationIds[1] }),
    ),
  },
  'Acting-user object, rule 2': {
    'a collaboration alone: no acting user, the system account is recorded': accepted(
      ({ collaborationIds }) => ({ collaborationId: collaborationIds[1] }),
      ({ collaborationIds }) => ({ actingUser: SYSTEM_ACCOUNT, owner: collaborationIds[1] }),
    ),
  },
  'Acting-user object, rule 3': casesOf<[(world: ClauseWorld) => object]>(
    [
      ['an author of another organization', ({ neighbor }) => ({ authorRef: neighbor.authorRefs[0] })],
      [
        'a collaboration of another organization',
        ({ neighbor }) => ({ collaborationId: neighbor.collaborationIds[0] }),
      ],
      [
        'a foreign collaboration with an own author',
        ({ tenant, neighbor }) => ({
          authorRef: tenant.authorRefs[0],
          collaborationId: neighbor.collaborationIds[0],
        }),
      ],
    ],
    (actingUser) => ({
      call: (world) => ({ body: actingUser(world) }),
      expected: answered(422, 422, 'rejected_by_platform', {
        detail: /unknown or of another tenant/,
        sent: (world) => ({ actingUser: actingUser(world) }),
      }),
    }),
  ),
  'Acting-user object, rule 4': {
    'restore is not among the writes that require authorRef': {
      ...accepted(
        ({ collaborationIds }) => ({ collaborationId: collaborationIds[0] }),
        ({ collaborationIds }) => ({ actingUser: SYSTEM_ACCOUNT, owner: collaborationIds[0] }),
      ),
      given: { archivedFrom: 'ready' },
    },
  },
};
