import { type TokenType } from '../../../core/deployment/platform';
import { type TokenError } from '../../../core/tokens/token-errors';
import { KEY, MINUTE_MS, TENANT_ID } from '../../support/lambdas/token-functions';
import {
  CREDENTIAL_ID,
  credentialSecretOf,
  DOWN,
  REFUSED,
  SCOPE_REFUSED,
  type StoredChange,
  TokenFunctions,
  versionIdOf,
} from './support/token-functions';

const CREDENTIAL = credentialSecretOf(KEY);
const SWEEP_MS = 5 * MINUTE_MS;
const DUE: StoredChange = { lifeLeftMs: 15 * MINUTE_MS };
const [FORMER, PASTED] = ['secret-of-credential-1', 'secret-of-credential-2'];
const READ: TokenType = { interface: 'content', scope: 'api/read' };

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
const pasteText = () => functions.secrets.put(CREDENTIAL, 'a text', versionIdOf('pasted-text'));

const runSweep = (tokens: TokenType[] = [READ]) => functions.sweep([TENANT_ID], { tokens });
const nextSweep = () => {
  functions.clock.advance(SWEEP_MS);
  return runSweep();
};
const grants = () => functions.issuer.requests.map(({ clientSecret }) => clientSecret);

test('a pasted credential that works decides from the next sweep on, with one grant', async () => {
  functions.store();
  paste('credential-2');

  expect(await runSweep()).toMatchObject({ ok: true, refreshed: 1 });
  expect(functions.current()?.credentialVersionId).toBe(versionIdOf('credential-2'));
  expect(grants()).toEqual([PASTED]);
});

describe('a pasted credential that the platform refuses', () => {
  test.each<[string, () => void, string]>([
    ['as a whole', () => paste('credential-2', REFUSED), 'credential_refused'],
    ['for the scope', () => paste('credential-2', SCOPE_REFUSED), 'scope_refused'],
    ['because it is no credential', pasteText, 'credential_malformed'],
  ])('%s leaves the former one serving, and every sweep counts the refusal', async (_, put, fault) => {
    functions.store();
    put();

    for (let sweeps = 0; sweeps < 72; sweeps += 1) {
      await nextSweep();
      expect(functions.current()!.expiresAtMs).toBeGreaterThan(functions.clock.nowMs() + 14 * MINUTE_MS);
    }

    expect(functions.current()?.credentialVersionId).toBe(CREDENTIAL_ID);
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
      if (clientSecret === FORMER || tokenType.scope === READ.scope) return {};
      functions.failReads('ThrottlingException', { secret: CREDENTIAL });
      return SCOPE_REFUSED;
    };

    const { tenants } = await runSweep(tokens);

    expect(tenants[0]!.tokens.map(({ outcome }) => outcome)).toEqual(['refreshed', 'scope_refused']);
    expect(functions.current({ ...KEY, ...tokens[1]! })).toMatchObject({
      credentialVersionId: CREDENTIAL_ID,
      refusedCredentialVersionId: versionIdOf('credential-2'),
    });
  });

  test('costs a fresh token no grant of the former one', async () => {
    functions.store();
    paste('credential-2', REFUSED);

    await runSweep();

    expect(grants()).toEqual([PASTED]);
    expect(functions.writes).toHaveLength(0);
  });

  test('is named by the token that was renewed without it, until one that works is pasted', async () => {
    functions.store(DUE);
    pasteText();
    await runSweep();

    expect(functions.current()).toMatchObject({ refusedCredentialVersionId: versionIdOf('pasted-text') });
    expect(functions.log.lines[0]).toMatchObject({
      level: 'error',
      message: 'token renewed with the former credential',
      code: 'not_loaded',
    });
    paste('credential-2');
    expect(await nextSweep()).toMatchObject({ ok: true, refreshed: 1 });
    expect(functions.current()?.refusedCredentialVersionId).toBeUndefined();
  });

  test('does not stop a caller whose token is due', async () => {
    functions.store(DUE);
    paste('credential-2', REFUSED);

    expect(await functions.ensure()).toMatchObject({ ok: true, refreshed: true });
    expect(functions.log.lines).toMatchObject([
      { level: 'warn', message: 'token renewed with the former credential', code: 'credential_refused' },
    ]);
    expect(functions.metrics.faults).toEqual({ credential_refused: 1 });
  });

  test('serves no caller if the former one is refused too', async () => {
    functions.store({ lifeLeftMs: -1 });
    paste('credential-2', REFUSED);
    answers[FORMER] = REFUSED;

    expect(await functions.ensure()).toMatchObject({ ok: false, error: { code: 'credential_refused' } });
    expect(await functions.ensure()).toMatchObject({ ok: false });
    expect(grants()).toEqual([PASTED, FORMER]);
    expect(functions.metrics.faults).toEqual({ credential_refused: 2 });
  });

  test('never had a former one if no token was obtained before', async () => {
    paste('credential-2', REFUSED);

    expect(await functions.ensure()).toMatchObject({ ok: false, error: { code: 'credential_refused' } });
    expect(grants()).toEqual([PASTED]);
  });
});

describe('the former credential', () => {
  beforeEach(() => functions.store(DUE));

  test('does not serve once it was revoked', async () => {
    paste('credential-2', REFUSED);
    // As `credentials revoke-previous` does.
    functions.secrets.versionWith(CREDENTIAL, 'AWSPREVIOUS')!.stages.delete('AWSPREVIOUS');

    expect(await runSweep()).toMatchObject({ ok: false });
    expect(grants()).toEqual([PASTED]);
    expect(functions.metrics.faults).toEqual({ credential_refused: 1 });
  });

  test('is read again by the next sweep if that fails', async () => {
    paste('credential-2', REFUSED);
    const { credentials } = functions;
    const former = credentials.former.bind(credentials);
    credentials.former = (...args) => {
      functions.failReads('ThrottlingException', { secret: CREDENTIAL });
      credentials.former = former;
      return former(...args);
    };

    const first = await runSweep();
    await nextSweep();

    expect(first.tenants[0]!.tokens[0]).toMatchObject({
      outcome: 'credential_refused',
      message: expect.stringMatching(/401.*; with the former credential: .*GetSecretValue/) as string,
    });
    expect(functions.current()?.accessToken).toBe('token-3');
  });

  test('is not used while the platform is down, which is no refusal', async () => {
    paste('credential-2', DOWN);

    expect(await runSweep()).toMatchObject({ ok: false });
    expect(grants()).not.toContain(FORMER);

    answers = {};
    await nextSweep();
    expect(functions.current()?.credentialVersionId).toBe(versionIdOf('credential-2'));
  });
});
