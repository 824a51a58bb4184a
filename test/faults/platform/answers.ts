import { parseTokenValue } from '../../../contract/token-value';
import { assertCommonSet } from '../support/common-set';
import { alterAnswers, alterRefusals, outage } from '../support/holes';
import { expectNotRenewed, expectRenewed } from '../support/outcome';
import { type Reply, tokenAnswer } from '../support/platform-double';
import { inBothWorlds } from '../support/token-row';
import { type VirtualWorld } from '../support/virtual-world';
import { drawSituation, type Situation, type World } from '../support/world';

const SPECIFIED_LIFE_SEC = 3_600;
const LIFE_CAP_SEC = 86_400;

/** Bodies of a 200 by their fault. `secret` must not be visible anywhere. */
const MALFORMED: Record<string, (secret: string) => string> = {
  'cut JSON': (secret) => `{"access_token":"${secret}`,
  HTML: (secret) => `<html><body>${secret}</body></html>`,
  '2 MiB': (secret) => JSON.stringify({ access_token: secret, token_type: 'Bearer', x: 'x'.repeat(2 << 20) }),
  empty: () => '',
  'token_type mac': (secret) => JSON.stringify({ access_token: secret, token_type: 'mac', expires_in: 60 }),
  'a list': (secret) => JSON.stringify([{ access_token: secret, token_type: 'Bearer' }]),
  'no token': (secret) => JSON.stringify({ id_token: secret, token_type: 'Bearer', expires_in: 60 }),
  null: () => 'null',
  'a token with a line break': (secret) =>
    JSON.stringify({ access_token: `${secret}\r\nx: y`, token_type: 'Bearer', expires_in: 60 }),
  'a token of 12 kB': (secret) =>
    JSON.stringify({ access_token: secret.repeat(400), token_type: 'Bearer', expires_in: 60 }),
};

/** F7 */
export const MALFORMED_ANSWER = inBothWorlds({
  id: 'F7',
  fault: 'the token endpoint answers 200 without a token',
  variant: (draw) => ({ ...drawSituation(draw), body: draw.oneOf(Object.keys(MALFORMED)) }),
  async run(world, { body }) {
    const secret = world.platform.plant('body of the answer');
    world.platform.always = () => ({ kind: 'answer', status: 200, body: MALFORMED[body]!(secret) });

    const invocation = await world.invoke();

    expectNotRenewed(world, invocation, 'bad_platform_answer');
    expect(world.platform.requests).toHaveLength(1);
    assertCommonSet(world, { bad_platform_answer: 1 });
  },
  hole: {
    words: 'an answer without a token counts as an outage',
    open: (world) => alterRefusals(world, (error) => outage(error)),
  },
});

/** F8 */
export const LIFE_MISSING = inBothWorlds({
  id: 'F8',
  fault: 'the token answer has no expires_in',
  variant: (draw) => ({ ...drawSituation(draw), expiresIn: draw.oneOf(['missing', 'null']) }),
  async run(world, { expiresIn }) {
    world.platform.always = tokenAnswer({ expires_in: expiresIn === 'null' ? null : undefined });

    const invocation = await world.invoke();

    expectRenewed(world, invocation);
    expect(storedLifeSec(world)).toBe(SPECIFIED_LIFE_SEC - 600);
    assertCommonSet(world, { life_assumed: 1 });
  },
  hole: {
    words: 'a missing expires_in counts as a whole hour',
    open: (world) => answerWithLife(world, SPECIFIED_LIFE_SEC),
  },
});

/** JSON text of expires_in, with the accepted lifetime in seconds; undefined if the answer is rejected. */
const LIVES: readonly [string, number | undefined][] = [
  ['0', undefined],
  ['1000000000000', LIFE_CAP_SEC],
  ['-3600', undefined],
  ['"3600"', SPECIFIED_LIFE_SEC],
  ['NaN', undefined],
  ['"an hour"', undefined],
  ['"1000000000000"', LIFE_CAP_SEC],
  ['3600.5', undefined],
  ['true', undefined],
  ['[3600]', undefined],
  ['"-1"', undefined],
  ['1e400', undefined],
];

/** F9 */
export const LIFE_ABSURD = inBothWorlds<Situation & { expiresIn: string }>({
  id: 'F9',
  fault: 'the token answer has an invalid or very long expires_in',
  variant: (draw) => ({ ...drawSituation(draw), expiresIn: draw.oneOf(LIVES)[0] }),
  async run(world, { expiresIn }) {
    const lifeSec = new Map(LIVES).get(expiresIn);
    world.platform.always = (issue) => withLife(tokenAnswer({ expires_in: 'life' })(issue), expiresIn);

    const invocation = await world.invoke();

    if (lifeSec === undefined) {
      expectNotRenewed(world, invocation, 'bad_platform_answer');
      assertCommonSet(world, { bad_platform_answer: 1 });
    } else {
      expectRenewed(world, invocation);
      expect(storedLifeSec(world)).toBe(lifeSec);
      assertCommonSet(world, {});
    }
  },
  hole: {
    words: 'an invalid expires_in counts as the longest lifetime',
    with: { expiresIn: '-3600' },
    open: (world) => answerWithLife(world, LIFE_CAP_SEC),
  },
});

/** F34 */
export const LIFE_SHORT = inBothWorlds<Situation & { lifeSec: number }>({
  id: 'F34',
  fault: 'the platform issues tokens for less than 35 minutes',
  variant: (draw) => ({ ...drawSituation(draw, { action: 'sweep' }), lifeSec: draw.integer(900, 2_099) }),
  async run(world, { lifeSec }) {
    world.platform.always = tokenAnswer({ expires_in: lifeSec });

    expectRenewed(world, await world.invoke('sweep'));
    assertCommonSet(world, { life_short: 1 });
    await world.invoke('sweep');
    await world.invoke('ensure');

    expect(storedLifeSec(world)).toBe(lifeSec);
    expect(world.platform.requests).toHaveLength(1);
    assertCommonSet(world, { life_short: 2 });
  },
  hole: {
    words: 'a token is due 20 minutes before its expiry, however short it lives',
    with: { lifeSec: 1_100 },
    open({ tokens }) {
      const { read } = tokens;
      tokens.read = async (key) => {
        const entry = await read.call(tokens, key);
        if (entry.token === undefined) return entry;
        return { ...entry, token: { ...entry.token, issuedAtMs: entry.token.expiresAtMs - 3_600_000 } };
      };
    },
  },
});

/** F35 */
export const LIFE_SHRINKING = inBothWorlds<Situation & { lifeSec: number }>({
  id: 'F35',
  fault: 'the platform issues a token that expires before the stored one',
  variant: (draw) => ({ ...drawSituation(draw, { stored: 'old' }), lifeSec: draw.integer(1, 500) }),
  async run(world, { lifeSec }) {
    world.platform.always = tokenAnswer({ expires_in: lifeSec });

    // The stored token is due, and serves.
    await world.invoke('sweep');

    expect(world.platform.requests).toHaveLength(1);
    expect(world.versions()).toEqual(world.before);
    expect(world.metrics()).toMatchObject({ TokenRequestExcess: 1 });
    assertCommonSet(world, {});
  },
  hole: {
    words: 'the new token replaces the stored one, whatever its life',
    open({ tokens, clock }) {
      const { read } = tokens;
      tokens.read = async (key) => {
        const entry = await read.call(tokens, key);
        return { ...entry, token: entry.token && { ...entry.token, expiresAtMs: clock.nowMs() } };
      };
    },
  },
});

/** Changes expires_in of tokens before the function sees them. */
function answerWithLife(world: VirtualWorld, expiresIn: number): void {
  alterAnswers(world, (answer) => {
    const body = { ...(JSON.parse(answer.body) as object), expires_in: expiresIn };
    return { ...answer, body: JSON.stringify(body) };
  });
}

function withLife(reply: Reply, expiresIn: string): Reply {
  if (reply.kind !== 'answer') return reply;
  return { ...reply, body: reply.body.replace('"life"', expiresIn) };
}

function storedLifeSec(world: World): number {
  const { issuedAt, expiresAt } = parseTokenValue(world.versions().at(-1)!.secretString, world.key)!;
  return (Date.parse(expiresAt) - Date.parse(issuedAt)) / 1000;
}
