import { GUARANTEED_LIFE_SEC } from '../../../../core/tokens/lifetimes';
import { DOWN, oauthError, tokenAnswer, type Turn } from '../../../support/platform/credential-platform';
import { type FaultReplay, HOUR_MS, LASTING_MS, MINUTE_MS, SHORT_MS, shortAndLasting } from './fault-replay';
import { type Replay } from './replay';
import { sweepIrregularly } from './irregular-sweeps';

/** The token endpoints answer this way for a while. */
function troubled(
  id: FaultReplay['id'],
  fault: string,
  trouble: Turn,
  pages: readonly string[],
  forMs: number,
  tenantIds?: readonly string[],
): FaultReplay {
  return {
    id,
    fault,
    pages,
    async happen({ replay }) {
      replay.platform.setTrouble(trouble, tenantIds);
      await sweepIrregularly(replay, forMs / HOUR_MS);
    },
    async end({ replay }) {
      replay.platform.setTrouble(undefined);
    },
  };
}

const shortAndLastingTrouble = (id: FaultReplay['id'], fault: string, trouble: Turn) =>
  shortAndLasting(fault, (text, pages, forMs) => troubled(id, text, trouble, pages, forMs));

/** Lasts until somebody acts. Notifies once, before tokens expire. */
function blocked(id: FaultReplay['id'], fault: string, trouble: Turn): FaultReplay {
  return {
    ...troubled(id, fault, trouble, ['tokens'], LASTING_MS),
    inAlarm: ['tokens-blocked', 'token-life'],
  };
}

/** The platform's answers are unusual, but tokens are still issued. */
function harmless(id: FaultReplay['id'], fault: string, trouble: Turn): FaultReplay {
  return troubled(id, fault, trouble, [], 3 * HOUR_MS);
}

/** Somebody writes an API key by hand, and it is replaced as advised. */
function keyPasted(fault: string, keyOf: (replay: Replay) => string, pages: string[]): FaultReplay {
  return {
    id: 'F6',
    fault,
    pages,
    quietAfterHours: 7,
    async happen({ replay, operator }) {
      operator.paste('tenant-1', 'api-key', keyOf(replay));
      await replay.time.advance(7 * HOUR_MS);
    },
    end: 'as advised',
  };
}

const expiringIn = (days: number) => (replay: Replay) =>
  JSON.stringify({
    ...(JSON.parse(replay.platform.issueValue('tenant-1', 'api-key')) as object),
    validUntil: new Date(replay.time.nowMs() + days * 24 * HOUR_MS).toISOString(),
  });

const ATTENTION = ['tenant-1/credential-attention'];

/** A credential is written by hand. Tokens outlive it, because the former one serves on. */
function pasted(what: string, value: string): FaultReplay {
  return {
    id: 'F6',
    fault: `${what} was written by hand`,
    pages: ['tenant-1/credential-refused'],
    async happen({ replay, operator }) {
      operator.paste('tenant-1', 'client-credentials', value);
      await sweepIrregularly(replay, 3);
      const names = [...replay.account.secrets.values()]
        .map(({ name }) => name)
        .filter((name) => name.includes('/tenant-1/token/'));
      const lives = names.map((name) => Date.parse(replay.tokenIn(name).expiresAt) - replay.time.nowMs());
      expect(Math.min(Infinity, ...lives)).toBeGreaterThan(GUARANTEED_LIFE_SEC * 1000);
      expect(names).not.toEqual([]);
    },
    end: 'as advised',
  };
}

/** The platform refuses one tenant until somebody gets it another credential or scope. */
const REFUSED: FaultReplay[] = [
  {
    id: 'F6',
    fault: 'a tenant’s credential is revoked',
    pages: ['tenant-1/credential-refused'],
    async happen({ replay }) {
      replay.platform.revokeAll('tenant-1');
      await sweepIrregularly(replay, 3);
    },
    // The API key is revoked, too, which may be noticed earlier or later.
    async end({ operator }) {
      await operator.followAdvice();
      await operator.put('tenant-1', 'api-key');
    },
  },
  pasted('a credential that the platform refuses', '{"clientId":"app","clientSecret":"wrong"}'),
  pasted('a text that is no credential', 'a text'),
  keyPasted('a text that is no API key was written by hand', () => 'a text', [
    'tenant-1/credential-refused',
    'api-key-expiring-soon',
    ...ATTENTION,
  ]),
  keyPasted('an API key expires in 20 days', expiringIn(20), ATTENTION),
  keyPasted('an API key expires in 5 days', expiringIn(5), ['api-key-expiring-soon', ...ATTENTION]),
  keyPasted('an API key has expired', expiringIn(-1), ['tenant-1/credential-refused']),
  troubled(
    'F6',
    'a scope is not granted to a tenant',
    () => oauthError(400, 'invalid_scope'),
    ['tenant-1/credential-refused'],
    3 * HOUR_MS,
    ['tenant-1'],
  ),
];

const SKEWED: FaultReplay = {
  id: 'F10',
  fault: 'the functions’ clock is ahead, then behind, and set during a run',
  pages: [],
  async happen({ replay }) {
    for (const skewMs of [5 * MINUTE_MS, -5 * MINUTE_MS, 0]) {
      replay.skewMs = skewMs;
      await replay.time.advance(2 * HOUR_MS);
    }
  },
};

/** F1 to F13, F34, F35 and F37. */
export const PLATFORM_FAULTS: FaultReplay[] = [
  ...shortAndLastingTrouble('F1', 'the token endpoint is down', DOWN),
  ...shortAndLastingTrouble('F2', 'it never answers', () => ({ kind: 'silence' })),
  ...shortAndLastingTrouble('F3', 'it answers 429 and asks to wait', () =>
    oauthError(429, 'x', { 'retry-after': '30' }),
  ),
  ...shortAndLastingTrouble('F4', 'it answers 429 and asks to wait for years', () =>
    oauthError(429, 'x', { 'retry-after': '1000000000' }),
  ),
  ...shortAndLastingTrouble('F5', 'it answers 503', () => oauthError(503)),
  ...REFUSED,
  ...shortAndLastingTrouble('F7', 'it answers no JSON', () => ({
    kind: 'answer',
    status: 200,
    body: '<html>',
  })),
  harmless('F8', 'it names no life', tokenAnswer({ expires_in: undefined })),
  harmless('F9', 'it writes the life as text', tokenAnswer({ expires_in: '3600' })),
  harmless('F9', 'it names a life of ages', tokenAnswer({ expires_in: 1e12 })),
  troubled('F9', 'it names no life that can be', tokenAnswer({ expires_in: -1 }), [], SHORT_MS),
  SKEWED,
  blocked('F11', 'it redirects', () => oauthError(307, 'x', { location: 'https://elsewhere.example/' })),
  ...(['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO'] as const).map((code) =>
    blocked('F12', `TLS fails: ${code}`, () => ({ kind: 'unreachable', code })),
  ),
  troubled('F13', 'the connection breaks after sending', () => ({ kind: 'reset' }), [], SHORT_MS),
  {
    ...troubled(
      'F34',
      'its tokens live for 25 min',
      tokenAnswer({ expires_in: 1_500 }),
      ['tokens'],
      LASTING_MS,
    ),
    inAlarm: ['tokens-blocked'],
  },
  {
    ...troubled(
      'F35',
      'its tokens expire first',
      tokenAnswer({ expires_in: 60 }),
      ['tokens'],
      14 * MINUTE_MS,
    ),
    inAlarm: ['token-requests'],
  },
  ...shortAndLasting('one tenant gets no answer', (text, pages, forMs) =>
    troubled('F37', text, DOWN, pages, forMs, ['tenant-1']),
  ),
];
