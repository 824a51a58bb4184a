import { type APIGatewayProxyEvent } from 'aws-lambda';

import { auditFields, callerOf, headerValues } from '../../../lambdas/restore/audit-fields';
import { CONTENT_ID } from '../../support/lambdas/restore-functions';
import { TENANT_ID } from '../../support/lambdas/token-functions';

const AUTHOR = 'canary-author';
/** `printf canary-author | sha256sum`, the first 16 digits. */
const DIGEST_OF_AUTHOR = 'sha256:b0f1fe8254f59a5c';
const ROOT = '1-65f00000-0123456789abcdef01234567';
const USER_ARN = 'arn:aws:sts::111122223333:assumed-role/Service/session';

const event = (multiValueHeaders: APIGatewayProxyEvent['multiValueHeaders'] = {}) =>
  ({ multiValueHeaders, requestContext: { requestId: 'request-1' } }) as APIGatewayProxyEvent;
const caller = (requestContext: object) => callerOf(requestContext);
const request = (actingUser: object) => ({ contentId: CONTENT_ID, actingUser });
const origin = (ids: object = {}) => ({
  caller: {},
  ids: { tenantId: TENANT_ID, contentId: CONTENT_ID, ...ids },
});

describe('the audit fields', () => {
  it('say who asked for what, and the outcome', () => {
    const by = {
      scheme: 'basic',
      caller: 'api-key',
      callerVersion: 'current',
      callerVersionId: 'v1',
    } as const;
    const traced = event({ 'X-Amzn-Trace-Id': [`Root=${ROOT}`] });
    const user = { authorRef: 'author', collaborationId: 'collaboration' };

    expect(auditFields(traced, { ...origin(), caller: by }, request(user), { status: 200 })).toEqual({
      tenantId: TENANT_ID,
      contentId: CONTENT_ID,
      ...user,
      code: 'restored',
      status: 200,
      ...by,
      apiRequestId: 'request-1',
      traceId: ROOT,
    });
  });

  it('leave out ids that are none, and an acting user that was not read', () => {
    const refusal = { outcome: 'malformedJson' } as const;
    const outcome = { status: 400, code: 'malformed_json' } as const;

    const fields = auditFields(event(), origin({ tenantId: 'a b', contentId: '..' }), refusal, outcome);

    expect(JSON.parse(JSON.stringify(fields))).toEqual({ ...outcome, apiRequestId: 'request-1' });
  });

  it.each([
    [{ authorRef: AUTHOR }, { authorRef: DIGEST_OF_AUTHOR }],
    [{ collaborationId: AUTHOR }, { collaborationId: DIGEST_OF_AUTHOR }],
  ])('leave out what the acting user %j lacks', (actingUser, logged) => {
    const fields = auditFields(event(), origin(), request(actingUser), { status: 403, code: 'forbidden' });

    const { authorRef, collaborationId } = fields;
    expect(JSON.parse(JSON.stringify({ authorRef, collaborationId }))).toEqual(logged);
  });

  it.each([
    ['restored', AUTHOR],
    ['not_archived', AUTHOR],
    ['outcome_unknown', AUTHOR],
    ['rejected_by_platform', DIGEST_OF_AUTHOR],
    ['forbidden', DIGEST_OF_AUTHOR],
    ['content_not_found', DIGEST_OF_AUTHOR],
    ['platform_failed', DIGEST_OF_AUTHOR],
  ])('after %s have the acting user as %s', (code, logged) => {
    const user = request({ authorRef: AUTHOR, collaborationId: AUTHOR });

    expect(auditFields(event(), origin(), user, { status: 200, code })).toMatchObject({
      authorRef: logged,
      collaborationId: logged,
    });
  });
});

describe('the values of a header', () => {
  it('are all of it, in any case and in order', () => {
    const headers = { 'CONTENT-type': ['a', 'b'], 'content-TYPE': ['c'], 'Content-Typo': ['y'] };

    expect(headerValues(event(headers), 'content-type')).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['without headers', null as never],
    ['without values', { 'content-type': undefined }],
    ['of another length', { 'content-types': ['a'] }],
  ])('are none %s', (_, headers) => {
    expect(headerValues(event(headers), 'content-type')).toEqual([]);
  });
});

describe('the caller', () => {
  const key = { scheme: 'basic', caller: 'api-key', callerVersion: 'previous', callerVersionId: 'v0' };
  const token = { ...key, scheme: 'bearer', caller: 'content api/write', callerVersion: 'current' };
  const longest = { ...key, caller: 'a'.repeat(256) };

  it.each([
    [key, key],
    [token, token],
    [longest, longest],
    [{ ...key, caller: '', callerVersion: 'next', callerVersionId: 'a\tb' }, { scheme: 'basic' }],
    [{ ...key, caller: 'a\nb', callerVersion: 7, callerVersionId: [] }, { scheme: 'basic' }],
    [
      { ...key, caller: 'a'.repeat(257), callerVersionId: { a: 1 } },
      { scheme: 'basic', callerVersion: 'previous' },
    ],
    [
      { ...key, caller: '\na' },
      { scheme: 'basic', callerVersion: 'previous', callerVersionId: 'v0' },
    ],
  ])('that the authorizer describes with %j is %j', (authorizer, expected) => {
    expect(JSON.parse(JSON.stringify(caller({ authorizer, identity: { userArn: USER_ARN } })))).toEqual(
      expected,
    );
  });

  it.each([
    [{ userArn: USER_ARN }, { scheme: 'iam', caller: USER_ARN }],
    [{ userArn: `x${USER_ARN}` }, {}],
    [{ userArn: `${USER_ARN}\n` }, {}],
    [{ userArn: 'arn:' }, {}],
    [{ userArn: null }, {}],
    [null, {}],
    [undefined, {}],
  ])('of IAM with the identity %j is %j', (identity, expected) => {
    expect(caller({ identity })).toEqual(expected);
    expect(caller({ identity, authorizer: { ...key, scheme: 'iam' } })).toEqual(expected);
  });
});
