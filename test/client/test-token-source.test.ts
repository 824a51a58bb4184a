import { createTestTokenSource, type TokenKey, TokenUnavailableError } from '../../client';
import { ClientClock, workIsDone } from './support/client-clock';
import { failureOf } from '../support/lambdas/failure-of';
import { KEY, MINUTE_MS } from './support/fake-aws';

let clock: ClientClock;
let issuedFor: TokenKey[];
beforeEach(() => {
  clock = new ClientClock();
  issuedFor = [];
});

const issueToken = (key: TokenKey) => `token-${issuedFor.push(key)}`;

describe('a token source for tests', () => {
  test('hands out a token for the key, and keeps it', async () => {
    const source = createTestTokenSource(issueToken, { clock });

    const token = await source.getToken(KEY);

    expect(token).toMatchObject({ ...KEY, accessToken: 'token-1', expiresAt: '2026-01-31T13:00:00.000Z' });
    expect(await source.getToken(KEY)).toBe(token);
    expect(issuedFor).toEqual([KEY]);
  });

  test('replaces a refused token', async () => {
    const platform: typeof fetch = async (_, init) => {
      const isRefused = new Headers(init?.headers).get('authorization') === 'Bearer token-1';
      return new Response(null, { status: isRefused ? 401 : 200 });
    };
    const source = createTestTokenSource(async (key) => issueToken(key), { clock, fetch: platform });

    expect(await source.authorizedFetch(KEY, 'https://platform.example/')).toMatchObject({ status: 200 });
  });

  test('gets another one in the last 20 minutes, by its clock', async () => {
    const source = createTestTokenSource(issueToken, { clock, lifeSec: 1800 });
    await source.getToken(KEY);
    clock.advance(11 * MINUTE_MS);

    await source.getToken(KEY);
    await workIsDone();

    expect((await source.getToken(KEY)).accessToken).toBe('token-2');
  });

  test('fails as Secrets Manager would, if the test wants that', async () => {
    const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
    const source = createTestTokenSource(() => Promise.reject(denied), { clock });

    const failure = await failureOf(source.getToken(KEY));

    expect(failure).toBeInstanceOf(TokenUnavailableError);
    expect(failure).toMatchObject({ code: 'access_denied' });
  });

  test('refuses options that it does not have', () => {
    expect(() => createTestTokenSource(issueToken, { tokenRefrsh: 'x' } as object)).toThrow('tokenRefrsh');
  });
});
