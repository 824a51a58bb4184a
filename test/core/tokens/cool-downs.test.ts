import { CoolDowns } from '../../../core/tokens/cool-downs';
import { TokenError } from '../../../core/tokens/token-errors';
import { momentAt } from '../../support/lambdas/virtual-clock';

const FAILURE = new TokenError('credential_refused', 'refused');

let coolDowns: CoolDowns;
beforeEach(() => {
  coolDowns = new CoolDowns();
  coolDowns.remember('a', FAILURE, momentAt(0), 60_000);
});

describe('a remembered failure', () => {
  test('is found with its remaining time, until it ends', () => {
    expect(coolDowns.find('a', momentAt(0))).toEqual({ error: FAILURE, leftMs: 60_000 });
    expect(coolDowns.find('a', momentAt(59_999))).toEqual({ error: FAILURE, leftMs: 1 });
    expect(coolDowns.find('a', momentAt(60_000))).toBeUndefined();
  });

  test('is found only under its own name', () => {
    expect(coolDowns.find('b', momentAt(0))).toBeUndefined();
  });

  test.each([
    ['shorter', 30_000, 59_000],
    ['longer', 60_000, 60_000],
  ])('followed by a %s one lasts until both have ended', (_, forMs, leftMs) => {
    coolDowns.remember('a', FAILURE, momentAt(1_000), forMs);

    expect(coolDowns.find('a', momentAt(1_000))?.leftMs).toBe(leftMs);
  });

  test('can be forgotten', () => {
    coolDowns.forget('a');

    expect(coolDowns.find('a', momentAt(0))).toBeUndefined();
  });

  test('does not last longer if the wall clock is set back or the process is frozen', () => {
    const { wallMs, monotonicMs } = momentAt(60_000);

    coolDowns.remember('b', FAILURE, momentAt(0), 60_000);

    expect(coolDowns.find('a', { wallMs: wallMs - 300_000, monotonicMs })).toBeUndefined();
    expect(coolDowns.find('b', { wallMs, monotonicMs: monotonicMs - 59_000 })).toBeUndefined();
  });

  test('of zero duration is never found', () => {
    coolDowns.remember('b', FAILURE, momentAt(0), 0);

    expect(coolDowns.find('b', momentAt(0))).toBeUndefined();
  });
});
