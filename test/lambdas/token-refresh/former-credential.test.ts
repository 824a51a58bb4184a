import { sha256Hex } from '../../../core/secrets/sha256';
import { type TokenType } from '../../../core/deployment/platform';
import { PlatformUnavailableError, TokenError } from '../../../core/tokens/token-errors';
import { ensure } from '../../../lambdas/token-refresh/ensure';
import { RefreshMemory } from '../../../lambdas/token-refresh/refresh-memory';
import { refreshToken } from '../../../lambdas/token-refresh/refresh-token';
import { sweep } from '../../../lambdas/token-refresh/sweep';
import { deploymentOf, KEY, MINUTE_MS, TENANT_ID } from '../../support/lambdas/token-functions';
import {
  CREDENTIAL_ID,
  credentialSecretOf,
  type StoredChange,
  TokenFunctions,
  versionIdOf,
} from './support/token-functions';

const CREDENTIAL = credentialSecretOf(KEY);
const SWEEP_MS = 5 * MINUTE_MS;
const DUE: StoredChange = { lifeLeftMs: 15 * MINUTE_MS };
const FORMER_SECRET = 'secret-of-credential-1';
const REFUSED = new TokenError('credential_refused', 'the token endpoint answered 401 invalid_client');
const SCOPE_REFUSED = new TokenError('scope_refused', 'the token endpoint answered 400 invalid_scope');
const DOWN = new PlatformUnavailableError('the token endpoint answered 503');

let functions: TokenFunctions;
/** The answers of the platform to client secrets; a token for all others. */
let answers: Record<string, TokenError>;

beforeEach(() => {
  functions = new TokenFunctions();
  answers = {};
  functions.issuer.always = ({ clientSecret }) => answers[clientSecret] ?? {};
});

/** Writes a credential into AWSCURRENT by hand. */
function paste(name: string, answer?: TokenError): void {
  functions.load(TENANT_ID, name);
  if (answer !== undefined) answers[`secret-of-${name}`] = answer;
}

const pasteText = (text: string) => functions.secrets.put(CREDENTIAL, text, versionIdOf('pasted-text'));

/** Takes AWSPREVIOUS off, as `credentials revoke-previous` does. */
function revokePrevious(): void {
  functions.secrets.versionWith(CREDENTIAL, 'AWSPREVIOUS')!.stages.delete('AWSPREVIOUS');
}

const READ: TokenType = { interface: 'content', scope: 'api/read' };

function runSweep(tokens: TokenType[] = [READ]) {
  const deployment = deploymentOf([], { tenants: [{ tenantId: TENANT_ID, tokens, adopted: {} }] });
  return sweep(functions, deployment, functions.clock.monotonicMs() + 4 * MINUTE_MS);
}

function runEnsure(rejectedTokenSha256?: string) {
  const request = { key: KEY, minValidityMs: MINUTE_MS, rejectedTokenSha256 };
  return ensure(functions, request, functions.clock.monotonicMs() + MINUTE_MS);
}

/** Sweeps for this long, and returns the shortest time to expiry that a caller saw, in ms. */
async function sweepFor(ms: number): Promise<number> {
  let least = Infinity;
  for (let at = 0; at < ms; at += SWEEP_MS) {
    functions.clock.advance(SWEEP_MS);
    await runSweep();
    least = Math.min(least, functions.current()!.expiresAtMs - functions.clock.nowMs());
  }
  return least;
}

const grants = () => functions.issuer.requests.map(({ clientSecret }) => clientSecret);

describe('a pasted credential that works', () => {
  test('decides from the next sweep on, with one grant', async () => {
    functions.store();
    paste('credential-2');

    expect(await runSweep()).toMatchObject({ ok: true, refreshed: 1 });
    expect(functions.current()?.credentialVersionId).toBe(versionIdOf('credential-2'));
    expect(grants()).toEqual(['secret-of-credential-2']);
  });

  test('repairs one that was refused', async () => {
    functions.store(DUE);
    paste('credential-2', REFUSED);
    await runSweep();

    functions.clock.advance(SWEEP_MS);
    paste('credential-3');
    const answer = await runSweep();

    expect(answer).toMatchObject({ ok: true, refreshed: 1 });
    expect(functions.current()).toMatchObject({ credentialVersionId: versionIdOf('credential-3') });
    expect(functions.current()).not.toHaveProperty('refusedCredentialVersionId', expect.anything());
  });
});

describe('a pasted credential that the platform refuses', () => {
  test.each<[string, () => void, string]>([
    ['as a whole', () => paste('credential-2', REFUSED), 'credential_refused'],
    ['for the scope', () => paste('credential-2', SCOPE_REFUSED), 'scope_refused'],
    ['because it is no credential', () => pasteText('a text'), 'credential_malformed'],
    ['because it is an API key', () => pasteText('{"apiKey":"k","validUntil":"x"}'), 'credential_malformed'],
  ])('%s leaves the former one serving, and every sweep counts the refusal', async (_, put, fault) => {
    functions.store();
    put();

    const minLeftMs = await sweepFor(6 * 60 * MINUTE_MS);

    expect(minLeftMs).toBeGreaterThan(14 * MINUTE_MS);
    expect(functions.current()).toMatchObject({ credentialVersionId: CREDENTIAL_ID });
    expect(functions.metrics.faults).toEqual({ [fault]: 72 });
    const { measured } = functions.metrics;
    expect(measured.filter(([name]) => name === `CredentialRefused ${TENANT_ID}`)).toHaveLength(72);
  });

  test('for one scope, leaves the former one serving it, even if the secret cannot be read again', async () => {
    const tokens: TokenType[] = [READ, { interface: 'content', scope: 'api/write' }];
    for (const type of tokens)
      functions.store({ ...DUE, accessToken: `old-${type.scope}` }, { ...KEY, ...type });
    paste('credential-2');
    functions.issuer.always = ({ clientSecret, tokenType }) => {
      if (clientSecret === FORMER_SECRET || tokenType.scope === READ.scope) return {};
      const denial = {
        operation: 'GetSecretValue',
        secret: CREDENTIAL,
        name: 'ThrottlingException',
      } as const;
      functions.secrets.faults.push({ ...denial, times: 1 });
      return SCOPE_REFUSED;
    };

    const { tenants } = await runSweep(tokens);

    expect(tenants[0]!.tokens.map(({ outcome }) => outcome)).toEqual(['refreshed', 'scope_refused']);
    expect(functions.current({ ...KEY, ...tokens[1]! })).toMatchObject({
      credentialVersionId: CREDENTIAL_ID,
      refusedCredentialVersionId: versionIdOf('credential-2'),
    });
  });

  test('is tried once in a sweep for all tokens of an interface', async () => {
    const tokens: TokenType[] = (['api/all', 'api/read', 'api/write'] as const).map((scope) => ({
      interface: 'content',
      scope,
    }));
    for (const type of tokens)
      functions.store({ ...DUE, accessToken: `old-${type.scope}` }, { ...KEY, ...type });
    paste('credential-2', REFUSED);

    const answer = await runSweep(tokens);

    expect(grants().filter((secret) => secret === 'secret-of-credential-2')).toHaveLength(1);
    expect(grants().filter((secret) => secret === FORMER_SECRET)).toHaveLength(3);
    expect(answer.tenants[0]!.tokens.map(({ outcome }) => outcome)).toEqual(
      Array(3).fill('credential_refused'),
    );
  });

  test('costs a fresh token no grant of the former one', async () => {
    functions.store();
    paste('credential-2', REFUSED);

    await runSweep();

    expect(grants()).toEqual(['secret-of-credential-2']);
    expect(functions.writes).toHaveLength(0);
  });

  test('is named by the token that was renewed without it', async () => {
    functions.store(DUE);
    pasteText('a text');

    await runSweep();

    expect(functions.current()).toMatchObject({ refusedCredentialVersionId: versionIdOf('pasted-text') });
    expect(functions.log.lines[0]).toMatchObject({
      level: 'error',
      message: 'token renewed with the former credential',
      code: 'not_loaded',
    });
  });

  test('does not stop a caller whose token is due', async () => {
    functions.store(DUE);
    paste('credential-2', REFUSED);

    expect(await runEnsure()).toMatchObject({ ok: true, refreshed: true });
    expect(functions.log.lines).toMatchObject([{ level: 'warn', code: 'credential_refused' }]);
    expect(functions.metrics.faults).toEqual({ credential_refused: 1 });
  });

  test('does not stop a caller whose token the platform refused', async () => {
    const { accessToken } = functions.store();
    paste('credential-2', REFUSED);

    const answer = await runEnsure(sha256Hex(accessToken));

    expect(answer).toMatchObject({ ok: true, refreshed: true });
  });

  test('serves no caller if the former one is refused too', async () => {
    functions.store({ lifeLeftMs: -1 });
    paste('credential-2', REFUSED);
    answers[FORMER_SECRET] = REFUSED;

    expect(await runEnsure()).toMatchObject({ ok: false, error: { code: 'credential_refused' } });
    expect(await runEnsure()).toMatchObject({ ok: false });
    expect(grants()).toEqual(['secret-of-credential-2', FORMER_SECRET]);
    expect(functions.metrics.faults).toEqual({ credential_refused: 2 });
  });

  test('never had a former one if no token was obtained before', async () => {
    paste('credential-2', REFUSED);

    expect(await runEnsure()).toMatchObject({ ok: false, error: { code: 'credential_refused' } });
    expect(grants()).toEqual(['secret-of-credential-2']);
  });

  test('is not replaced while it obtained the stored token itself', async () => {
    paste('credential-2', REFUSED);
    functions.store({ ...DUE, credentialVersionId: versionIdOf('credential-2') });

    expect(await runSweep()).toMatchObject({ ok: false, refreshed: 0 });
    expect(grants()).toEqual(['secret-of-credential-2']);
  });
});

describe('the former credential', () => {
  beforeEach(() => {
    functions.store(DUE);
  });

  test('serves on if a second refused one pushed it out of AWSPREVIOUS', async () => {
    paste('credential-2', REFUSED);
    paste('credential-3', REFUSED);

    await runSweep();

    expect(functions.current()).toMatchObject({
      accessToken: 'token-2',
      credentialVersionId: CREDENTIAL_ID,
      refusedCredentialVersionId: versionIdOf('credential-3'),
    });
  });

  test('does not serve once it was revoked', async () => {
    paste('credential-2', REFUSED);
    revokePrevious();

    expect(await runSweep()).toMatchObject({ ok: false });
    expect(grants()).toEqual(['secret-of-credential-2']);
  });

  test('is not one that was revoked before the credential that obtained the token', async () => {
    paste('credential-2');
    await runSweep();
    revokePrevious();
    functions.clock.advance(45 * MINUTE_MS);
    paste('credential-3', REFUSED);

    await runSweep();

    expect(functions.current()).toMatchObject({ credentialVersionId: versionIdOf('credential-2') });
    expect(grants()).not.toContain(FORMER_SECRET);
  });

  test.each([
    ['does not serve while it is in rotation', 'AWSPENDING', []],
    ['serves on although it is staged again', 'LATCHKEY_CANDIDATE', [FORMER_SECRET]],
  ])('%s', async (_, label, former) => {
    functions.clock.advance(45 * MINUTE_MS);
    paste('credential-2', REFUSED);
    paste('credential-3', REFUSED);
    functions.secrets.secret(CREDENTIAL).versions.get(CREDENTIAL_ID)!.stages.add(label);

    await runSweep();

    expect(grants()).toEqual(['secret-of-credential-3', ...former]);
  });

  test('cannot serve if Secrets Manager has deleted it', async () => {
    paste('credential-2', REFUSED);
    paste('credential-3', REFUSED);
    functions.secrets.secret(CREDENTIAL).versions.delete(CREDENTIAL_ID);

    expect(await runSweep()).toMatchObject({ ok: false });
    expect(functions.metrics.faults).toEqual({ credential_refused: 1 });
  });

  test.each(['DescribeSecret', 'GetSecretValue'])(
    'is read again by the next sweep if %s fails',
    async (operation) => {
      paste('credential-2', REFUSED);
      const { credentials } = functions;
      const former = credentials.former.bind(credentials);
      credentials.former = (...args) => {
        functions.secrets.faults.push({ operation, secret: CREDENTIAL, name: 'ThrottlingException' });
        credentials.former = former;
        return former(...args);
      };

      const first = await runSweep();
      functions.clock.advance(SWEEP_MS);
      await runSweep();

      expect(first.tenants[0]!.tokens[0]).toMatchObject({
        outcome: 'credential_refused',
        message: expect.stringContaining(operation) as string,
      });
      expect(functions.current()?.accessToken).toBe('token-3');
    },
  );

  test('is not used while the platform is down, which is no refusal', async () => {
    paste('credential-2', DOWN);

    expect(await runSweep()).toMatchObject({ ok: false });
    expect(grants()).not.toContain(FORMER_SECRET);

    answers = {};
    functions.clock.advance(SWEEP_MS);
    await runSweep();
    expect(functions.current()?.credentialVersionId).toBe(versionIdOf('credential-2'));
  });
});

describe('two processes at once', () => {
  const both = async () => {
    const other = Object.assign(Object.create(functions) as TokenFunctions, { memory: new RefreshMemory() });
    const renew = (ports: TokenFunctions) =>
      refreshToken(ports, KEY, { minValidityMs: 0, deadlineMs: functions.clock.monotonicMs() + 10_000 });
    return Promise.all([renew(functions), renew(other)]);
  };

  test('store one token of the former credential, and try the refused one once each', async () => {
    functions.store(DUE);
    paste('credential-2', REFUSED);

    const outcomes = await both();

    expect(outcomes.map(({ refreshed }) => refreshed).sort()).toEqual([false, true]);
    expect(outcomes[0].versionId).toBe(outcomes[1].versionId);
    expect(functions.current()?.credentialVersionId).toBe(CREDENTIAL_ID);
    expect(grants().filter((secret) => secret === 'secret-of-credential-2')).toHaveLength(2);
  });

  test('store the token of the pasted credential if the platform accepts it just then', async () => {
    functions.store(DUE);
    paste('credential-2');
    functions.issuer.script.push(REFUSED);

    await both();
    functions.clock.advance(SWEEP_MS);
    await runSweep();

    expect(functions.current()?.credentialVersionId).toBe(versionIdOf('credential-2'));
  });
});

test('a process that dies between the grant and the write leaves the former credential serving', async () => {
  functions.store(DUE);
  paste('credential-2', REFUSED);
  const killed = jest.spyOn(functions.tokens, 'compareAndSet').mockRejectedValueOnce(new Error('killed'));
  await expect(runSweep()).rejects.toThrow('killed');

  Object.assign(functions, { memory: new RefreshMemory() });
  await runSweep();
  killed.mockRestore();

  expect(functions.current()).toMatchObject({ accessToken: 'token-4', credentialVersionId: CREDENTIAL_ID });
});

test('a deployment without a pasted credential never looks for a former one', async () => {
  functions.store();
  const former = jest.spyOn(functions.credentials, 'former');

  await sweepFor(24 * 60 * MINUTE_MS);

  expect(former).not.toHaveBeenCalled();
  expect(functions.credentialLooks).toHaveLength(24 * 12);
  expect(functions.credentialReads).toHaveLength(functions.writes.length);
});
