import { type Variant } from '../variant';

/** Variants that break the checks of the acting user. */
export const ACTING_USER_VARIANTS: readonly Variant[] = [
  {
    clause: 'acting-user-object/row-authorref',
    file: 'sandbox/content/records.ts',
    from: 'author: authorRef,',
    to: `author: 'somebody',`,
  },
  {
    clause: 'acting-user-object/row-authorref',
    file: 'sandbox/content/write.ts',
    from: 'actingUser.authorRef ?? SYSTEM_ACCOUNT',
    to: '(actingUser.authorRef && before.author) ?? SYSTEM_ACCOUNT',
  },
  {
    clause: 'acting-user-object/row-authorref',
    file: 'sandbox/content/write.ts',
    from: 'updatedAt: at,',
    to: 'updatedAt: at, author: actingUser.authorRef ?? before.author,',
  },
  {
    clause: 'acting-user-object/row-collaborationid',
    file: 'sandbox/content/write.ts',
    from: 'actingUser.collaborationId ?? before.owner',
    to: '(actingUser.collaborationId && tenant.collaborationIds[0]) ?? before.owner',
  },
  {
    clause: 'acting-user-object/row-collaborationid',
    file: 'sandbox/content/write.ts',
    from: 'actingUser.collaborationId ?? before.owner',
    to: '(actingUser.authorRef && actingUser.collaborationId) ?? before.owner',
  },
  {
    clause: 'acting-user-object/rule-1',
    file: 'sandbox/content/write.ts',
    from: 'actingUser.authorRef ?? SYSTEM_ACCOUNT',
    to: '(actingUser.collaborationId ? undefined : actingUser.authorRef) ?? SYSTEM_ACCOUNT',
    alsoFails: ['moved to headers, the same identifiers mean the same, and the body says nothing any more'],
  },
  {
    clause: 'acting-user-object/rule-2',
    file: 'sandbox/content/write.ts',
    from: 'actingUser.authorRef ?? SYSTEM_ACCOUNT',
    to: 'actingUser.authorRef ?? before.author',
  },
  {
    clause: 'acting-user-object/rule-3',
    file: 'sandbox/content/acting-user.ts',
    from: 'own.includes(ref)',
    to: `ref !== 'nobody-has-this-reference'`,
    alsoFails: ['restore answers 422 for references of another organisation'],
  },
  {
    clause: 'acting-user-object/rule-3',
    file: 'sandbox/content/acting-user.ts',
    from: 'own.includes(ref)',
    to: `own.includes(ref) || ref === 'nobody-has-this-reference'`,
    alsoFails: [
      'restore answers 422 for an acting user that is missing, of a wrong type, or unknown',
      'a write whose references fail validation writes nothing',
    ],
  },
  {
    clause: 'acting-user-object/rule-4',
    file: 'sandbox/content/acting-user.ts',
    from: 'export const authorFields = {\n  authorRef: reference,',
    to: 'export const authorFields = {\n  authorRef: reference.optional(),',
  },
  {
    clause: 'acting-user-object/rule-4',
    file: 'sandbox/content/acting-user.ts',
    from: `z.undefined('accepted by POST /contents only').optional()`,
    to: 'reference.optional()',
  },
  {
    clause: 'acting-user-object/rule-4',
    file: 'sandbox/content/content-interface.ts',
    from: `write(c, 'publish', readAuthor)`,
    to: `write(c, 'publish', state.restore.values.actingUserIn === 'body' ? readAuthor
      : (body) => readActingUserInHeaders(body, (name) => c.req.header(name)))`,
  },
  {
    clause: 'acting-user-object/rule-4',
    file: 'sandbox/content/content-interface.ts',
    from: `write(c, 'publish', readAuthor)`,
    to: `write(c, 'publish', (body) => (body === '{}' ? { actingUser: {}, changes: {} } : readAuthor(body)) as WriteRequest)`,
  },
  {
    clause: 'acting-user-object/rule-5',
    file: 'sandbox/content/content-interface.ts',
    from: `actingUserIn === 'body'`,
    to: 'actingUserIn !== undefined',
  },
  {
    clause: 'versioning/bullet-2',
    file: 'sandbox/content/write-request.ts',
    from: `header('X-Author-Ref')`,
    to: `header('X-Author-Ref')?.toUpperCase()`,
  },
];
