import { answered, restored } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';

/** The author that the platform's audit trail records if only a collaboration was named. */
const SYSTEM_ACCOUNT = 'system account';

/** The caller's acting user, and whom the platform then names as acting user and as owner. */
const ACCEPTED: readonly [
  ClauseCase['id'],
  ClauseCase['clause'],
  string,
  (tenant: WorldOf['tenant']) => { authorRef?: string | undefined; collaborationId?: string | undefined },
  (tenant: WorldOf['tenant']) => { actingUser?: string; owner?: string },
  archivedFrom?: 'ready',
][] = [
  [
    'C200',
    'Acting-user object, rule 1',
    'author and collaboration: the collaboration owns the content, the author is the acting user',
    ({ authorRefs, collaborationIds }) => ({
      authorRef: authorRefs[1],
      collaborationId: collaborationIds[1],
    }),
    ({ authorRefs, collaborationIds }) => ({ actingUser: authorRefs[1]!, owner: collaborationIds[1]! }),
  ],
  [
    'C201',
    'Acting-user object, rule 1',
    'the order of the two fields does not matter',
    ({ authorRefs, collaborationIds }) => ({
      collaborationId: collaborationIds[0],
      authorRef: authorRefs[1],
    }),
    ({ authorRefs, collaborationIds }) => ({ actingUser: authorRefs[1]!, owner: collaborationIds[0]! }),
  ],
  [
    'C202',
    'Acting-user object, rule 2',
    'a collaboration alone: no acting user, the system account is recorded',
    ({ collaborationIds }) => ({ collaborationId: collaborationIds[1] }),
    ({ collaborationIds }) => ({ actingUser: SYSTEM_ACCOUNT, owner: collaborationIds[1]! }),
  ],
  [
    'C203',
    'Acting-user object, fields',
    'an author alone is the acting user, and the owner stays the same',
    ({ authorRefs }) => ({ authorRef: authorRefs[1] }),
    ({ authorRefs }) => ({ actingUser: authorRefs[1]!, owner: authorRefs[0]! }),
  ],
  [
    'C204',
    'Acting-user object, rule 4',
    'restore is not among the writes that require authorRef',
    ({ collaborationIds }) => ({ collaborationId: collaborationIds[0] }),
    ({ collaborationIds }) => ({ actingUser: SYSTEM_ACCOUNT, owner: collaborationIds[0]! }),
    'ready',
  ],
];

/** The acting user and the owner: rules 1 to 4. */
export const CASES: readonly ClauseCase[] = [
  ...ACCEPTED.map(([id, clause, title, user, change, archivedFrom]): ClauseCase => ({
    id,
    clause,
    title,
    ...(archivedFrom && { given: { archivedFrom } }),
    call: ({ tenant }) => ({ body: user(tenant) }),
    expected: restored({
      sent: ({ tenant }) => ({ actingUser: user(tenant) }),
      change: ({ tenant }) => change(tenant),
    }),
  })),
  ...(
    [
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
