import { answered, restored } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';

/** The author that the platform's audit trail records if only a collaboration was named. */
const SYSTEM_ACCOUNT = 'system account';

/** The acting user and the owner: rules 1 to 4. */
export const CASES: readonly ClauseCase[] = [
  {
    id: 'C200',
    clause: 'Acting-user object, rule 1',
    title: 'author and collaboration: the collaboration owns the content, the author is the acting user',
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
  {
    id: 'C201',
    clause: 'Acting-user object, rule 1',
    title: 'the order of the two fields does not matter',
    call: ({ tenant }) => ({
      body: { collaborationId: tenant.collaborationIds[0], authorRef: tenant.authorRefs[1] },
    }),
    expected: restored({
      sent: ({ tenant }) => ({
        actingUser: { authorRef: tenant.authorRefs[1], collaborationId: tenant.collaborationIds[0] },
      }),
      change: ({ tenant }) => ({ actingUser: tenant.authorRefs[1], owner: tenant.collaborationIds[0] }),
    }),
  },
  {
    id: 'C202',
    clause: 'Acting-user object, rule 2',
    title: 'a collaboration alone: no acting user, the system account is recorded',
    call: ({ tenant }) => ({ body: { collaborationId: tenant.collaborationIds[1] } }),
    expected: restored({
      sent: ({ tenant }) => ({ actingUser: { collaborationId: tenant.collaborationIds[1] } }),
      change: ({ tenant }) => ({ actingUser: SYSTEM_ACCOUNT, owner: tenant.collaborationIds[1] }),
    }),
  },
  {
    id: 'C203',
    clause: 'Acting-user object, fields',
    title: 'an author alone is the acting user, and the owner stays the same',
    call: ({ tenant }) => ({ body: { authorRef: tenant.authorRefs[1] } }),
    expected: restored({
      sent: ({ tenant }) => ({ actingUser: { authorRef: tenant.authorRefs[1] } }),
      change: ({ tenant }) => ({ actingUser: tenant.authorRefs[1], owner: tenant.authorRefs[0] }),
    }),
  },
  {
    id: 'C204',
    clause: 'Acting-user object, rule 4',
    title: 'restore is not among the writes that require authorRef',
    given: { archivedFrom: 'ready' },
    call: ({ tenant }) => ({ body: { collaborationId: tenant.collaborationIds[0] } }),
    expected: restored({
      sent: ({ tenant }) => ({ actingUser: { collaborationId: tenant.collaborationIds[0] } }),
      change: ({ tenant }) => ({ actingUser: SYSTEM_ACCOUNT, owner: tenant.collaborationIds[0] }),
    }),
  },
  ...(
    [
      ['C210', 'an unknown author', () => ({ authorRef: 'unknown' })],
      ['C211', 'an unknown collaboration', () => ({ collaborationId: 'unknown' })],
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
        'C214',
        'a foreign author with an own collaboration',
        ({ tenant, neighbor }) => ({
          authorRef: neighbor.authorRefs[0],
          collaborationId: tenant.collaborationIds[0],
        }),
      ],
      [
        'C215',
        'a foreign collaboration with an own author',
        ({ tenant, neighbor }) => ({
          authorRef: tenant.authorRefs[0],
          collaborationId: neighbor.collaborationIds[0],
        }),
      ],
      [
        'C216',
        'a collaboration in the author’s field',
        ({ tenant }) => ({ authorRef: tenant.collaborationIds[0] }),
      ],
    ] satisfies [ClauseCase['id'], string, (world: WorldOf) => object][]
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
  {
    id: 'C217',
    clause: 'Acting-user object, rule 3',
    title: 'an unknown author on an unknown content: the platform chooses which of the two it reports',
    call: { body: { authorRef: 'unknown' }, contentId: 'f'.repeat(24) },
    expected: answered(404, 404, 'content_not_found', {
      sent: {
        path: `/staging/mea/rest/v1/contents/${'f'.repeat(24)}/restore`,
        actingUser: { authorRef: 'unknown' },
      },
    }),
  },
];

type WorldOf = Parameters<Extract<ClauseCase['call'], (...args: never[]) => unknown>>[0];
