import { refreshTokens } from '../../cli/token-refresh-command';
import { showToken } from '../../cli/token-show-command';
import { snapshotOf, MINUTE_MS, token } from '../core/findings/snapshots';
import { sha256Hex } from '../../core/secrets/sha256';
import { KEY, TENANT_ID } from '../support/lambdas/token-functions';
import { FakeTerminal } from './support/fake-terminal';
import { failureOf, type OperatedSystem, operatedTenant, tenantOf } from './support/operated-system';

const ACCESS_TOKEN = 'canary-token-71fe';
const EXPIRES_AT = '2026-01-31T12:50:00.000Z';

function operated(): OperatedSystem {
  const system = operatedTenant();
  system.functions['token-refresh'] = () => ({ ok: true, expiresAt: EXPIRES_AT, refreshed: true });
  const times = { issuedAt: EXPIRES_AT, expiresAt: EXPIRES_AT };
  const value = {
    ...KEY,
    ...times,
    accessToken: ACCESS_TOKEN,
    tokenType: 'Bearer',
    credentialVersionId: 'v',
  };
  system.secretsManager.send = async () => ({ SecretString: JSON.stringify(value) });
  return system;
}

describe('latchkey token show', () => {
  it('shows a token’s metadata, and not the token', async () => {
    const { exitCode, document, visibleText } = await operated().run(showToken, {});

    expect(exitCode).toBe(0);
    expect(document).toMatchObject({
      tenantId: TENANT_ID,
      interface: 'content',
      scope: 'api/read',
      expiresAt: EXPIRES_AT,
      lifeLeftSec: 3000,
      isOfCurrentCredential: true,
    });
    expect(visibleText).not.toContain(ACCESS_TOKEN);
  });

  it.each([
    ['will be replaced', {}, 'version older (no longer current: the next sweep replaces the token)'],
    [
      'stays while the issuer refuses the current one',
      { refusedCredentialVersionId: 'current' },
      'version older (the former one: the issuer refuses the current one)',
    ],
  ])('says that a token of a former credential %s', async (_, change, says) => {
    const system = operated();
    const older = token(50 * MINUTE_MS, 'older');
    const tokens = [{ ...older, token: { ...older.token!, ...change } }];
    system.functions['credential-watch'] = () => snapshotOf({ tokens });

    const { text } = await system.run(showToken, {});

    expect(text).toContain(says);
  });

  it('fails if no token is stored', async () => {
    const system = operated();
    system.functions['credential-watch'] = () => snapshotOf({ tokens: [{ ...token(), token: undefined }] });

    const failure = await failureOf(showToken(system.context(new FakeTerminal()), {}));

    expect(failure).toMatchObject({ exitCode: 1, code: 'no_token' });
    expect(failure.advice).toContain('latchkey doctor --environment staging');
  });

  it('prints only the token with --reveal on a terminal', async () => {
    const terminal = new FakeTerminal({ showsOutputToPerson: true });

    await operated().run(showToken, { reveal: true }, terminal);

    expect(terminal.results.map(({ text }) => text)).toEqual([ACCESS_TOKEN]);
    expect(terminal.said).toEqual([]);
  });

  it('refuses --reveal without a terminal, before it reads anything', async () => {
    const system = operated();
    const send = jest.spyOn(system.secretsManager, 'send');

    const failure = await failureOf(showToken(system.context(new FakeTerminal()), { reveal: true }));

    expect(failure.exitCode).toBe(2);
    expect(failure.message).toContain('not a terminal');
    expect(send).not.toHaveBeenCalled();
  });
});

describe('latchkey token refresh', () => {
  it('with --replace asks for another token although the stored one is valid', async () => {
    const system = operated();

    const { exitCode, text, visibleText } = await system.run(refreshTokens, { replace: true });

    expect(exitCode).toBe(0);
    expect(text).toContain('content api/read: renewed');
    expect(system.invoked.at(-1)!.event).toMatchObject({
      rejectedTokenSha256: sha256Hex(ACCESS_TOKEN),
      byOperator: true,
    });
    expect(visibleText).not.toContain(ACCESS_TOKEN);
  });

  it('requires the longest validity that can be required', async () => {
    const system = operated();

    const { exitCode, text } = await system.run(refreshTokens, {});

    expect(exitCode).toBe(0);
    const token = { tenantId: TENANT_ID, interface: 'content', scope: 'api/read' };
    expect(system.invoked).toMatchObject([{ event: { action: 'ensure', ...token, minValiditySec: 1200 } }]);
    expect(text).toContain('renewed, expires in 50 minutes');
  });

  it('renews all tokens of the tenant with --all, and reports each', async () => {
    const system = operated();
    system.tenants = [tenantOf(TENANT_ID, ['api/read', 'api/write'])];
    const good = system.functions['token-refresh']!;
    system.functions['token-refresh'] = (event) =>
      event.scope === 'api/read'
        ? good(event)
        : { ok: false, error: { code: 'scope_refused', message: 'the platform refused the scope' } };

    const { exitCode, document } = await system.run(refreshTokens, { all: true });

    expect(exitCode).toBe(77);
    expect(document).toMatchObject({
      tokens: [
        { scope: 'api/read', ok: true },
        { scope: 'api/write', ok: false, error: { code: 'scope_refused' } },
      ],
    });
  });

  it.each([
    ['credential_refused', 77],
    ['scope_refused', 77],
    ['platform_unavailable', 69],
    ['store_unavailable', 69],
    ['not_loaded', 1],
    ['write_budget_spent', 1],
  ])('a renewal that fails with %s exits with %d', async (code, expected) => {
    const system = operated();
    system.functions['token-refresh'] = () => ({ ok: false, error: { code, message: 'why' } });

    expect(await refreshTokens(system.context(new FakeTerminal()), {})).toBe(expected);
  });

  it('adds the flags of the system to a command in the message of token-refresh', async () => {
    const system = operated();
    const command = `latchkey credentials put --environment staging --platform-region mea --tenant ${TENANT_ID}`;
    const error = { code: 'not_loaded', message: `none are loaded; to load them, run ${command}` };
    system.functions['token-refresh'] = () => ({ ok: false, error });

    const { text } = await system.run(refreshTokens, { scope: 'api/read' });

    expect(text).toContain(`run ${command} --local`);
  });

  it('refuses --all together with --scope', async () => {
    const context = operated().context(new FakeTerminal());

    expect((await failureOf(refreshTokens(context, { all: true, scope: 'api/read' }))).exitCode).toBe(2);
  });
});
