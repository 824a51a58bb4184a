import { type APIGatewayAuthorizerResult, type APIGatewayRequestAuthorizerEvent } from 'aws-lambda';

import { pathIds } from '../../../lambdas/shared/domain/path-ids';
import { type ClauseHole } from '../../support/restore-api/clause-case';
import { type Hole } from '../../support/restore-api/hole';

/** Holes in the authorizer. */
export const CALLER_HOLES = {
  everyCallerIsLetIn: {
    wrong: 'a caller with an unknown credential may restore',
    authorizer: (event, run) => run(event).catch(() => policy(event, 'Allow')),
  },
  scopeIsIgnored: {
    wrong: 'a read-only token permits a restore',
    authorizer: async (event, run) => {
      const { principalId } = await run(event);
      return { ...policy(event, 'Allow'), principalId };
    },
  },
  noTokenMayWrite: {
    wrong: 'only API keys may restore, whatever the scope of a token',
    authorizer: async (event, run) => {
      const answer = await run(event);
      return authorizationOf(event).startsWith('Bearer') ? policy(event, 'Deny') : answer;
    },
  },
  failedLookupIsRefusal: {
    wrong: 'a credential counts as wrong while secrets cannot be read',
    authorizer: (event, run) => run(event).catch(() => Promise.reject(new Error('Unauthorized'))),
  },
  unloadedKeyIsFailure: {
    wrong: 'a tenant without a usable API key gets 500',
    authorizer: (event, run) => run(event).catch(() => Promise.reject(new Error('no API key'))),
  },
  credentialsAreLogged: {
    wrong: 'a caller’s credential is logged',
    authorizer: (event, run) => {
      process.stdout.write(authorizationOf(event));
      return run(event);
    },
  },
  schemeHasOneSpelling: reading('the scheme is case-sensitive', (value) =>
    /^(Basic|Bearer) /.test(value) ? value : 'none',
  ),
  headerIsReadLeniently: reading(
    'anything like a credential is accepted, in the first header with any scheme',
    (value) => {
      const [, scheme, credentials = ''] = /(\w+)\s+([\w+/.~-]+)/.exec(value) ?? [];
      return scheme === 'Basic' ? basic(Buffer.from(credentials, 'base64')) : `Bearer ${credentials}`;
    },
  ),
  schemesAreExchanged: reading(
    'a token counts as an API key, and an API key as a token',
    (value, tenantId) =>
      value.startsWith('Bearer ')
        ? basic(`${tenantId}:${value.slice(7)}`)
        : `Bearer ${bytesOf(value).toString().split(':')[1]}`,
  ),
  userAndPasswordAreExchanged: reading('the API key is expected before the colon', (value) =>
    basic(bytesOf(value).toString().split(':').reverse().join(':')),
  ),
  userNameIsIgnored: reading(
    'the API key of the tenant in the path is accepted with any user name',
    (value, tenantId) =>
      basic(
        bytesOf(value)
          .toString()
          .replace(/^[^:]*/, tenantId),
      ),
  ),
  passwordBeginsAtLastColon: reading('an API key must not contain a colon', (value) =>
    basic(bytesOf(value).toString().replace(/:.*:/, ':')),
  ),
  credentialsAreLatin1: reading('user name and password are read as Latin-1', (value) =>
    basic(bytesOf(value).toString('latin1')),
  ),
  brokenUtf8IsReplaced: reading('invalid UTF-8 counts as U+FFFD', (value) =>
    basic(bytesOf(value).toString()),
  ),
} satisfies Record<string, ClauseHole>;

/** A hole in how the authorizer reads the first Authorization header: it gets another value. */
function reading(wrong: string, change: (value: string, tenantId: string) => string): Hole {
  return {
    wrong,
    authorizer: (event, run) => {
      const value = change(authorizationOf(event), pathIds(event).tenantId);
      return run({ ...event, multiValueHeaders: { authorization: [value] } });
    },
  };
}

function authorizationOf({ multiValueHeaders }: APIGatewayRequestAuthorizerEvent): string {
  const found = Object.entries(multiValueHeaders ?? {}).find(
    ([name]) => name.toLowerCase() === 'authorization',
  );
  return found?.[1]?.[0] ?? '';
}

function bytesOf(value: string): Buffer {
  return Buffer.from(value.replace(/^Basic /, ''), 'base64');
}

function basic(text: string | Buffer): string {
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

function policy(
  event: APIGatewayRequestAuthorizerEvent,
  effect: 'Allow' | 'Deny',
): APIGatewayAuthorizerResult {
  const statement = { Action: 'execute-api:Invoke', Effect: effect, Resource: event.methodArn };
  return {
    principalId: pathIds(event).tenantId,
    policyDocument: { Version: '2012-10-17', Statement: [statement] },
  };
}
