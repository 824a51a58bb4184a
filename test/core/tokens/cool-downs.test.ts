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
  test('is found under its own name with its remaining time, until it ends or is forgotten', () => {
    expect(coolDowns.find('a', momentAt(0))).toEqual({ error: FAILURE, leftMs: 60_000 });
    expect(coolDowns.find('a', momentAt(59_999))).toEqual({ error: FAILURE, leftMs: 1 });
    expect(coolDowns.find('b', momentAt(0))).toBeUndefined();
    expect(coolDowns.find('a', momentAt(60_000))).toBeUndefined();

    coolDowns.remember('b', FAILURE, momentAt(0), 60_000);
    coolDowns.forget('b');
    expect(coolDowns.find('b', momentAt(0))).toBeUndefined();
  });

  test.each([
    ['shorter', 30_000, 59_000],
    ['longer', 60_000, 60_000],
  ])('followed by a %s one lasts until both have ended', (_, forMs, leftMs) => {
    coolDowns.remember('a', FAILURE, momentAt(1_000), forMs);

    expect(coolDowns.find('a', momentAt(1_000))?.leftMs).toBe(leftMs);
  });

  test.each([
    ['the wall clock is set back', -300_000, 0],
    ['the process is frozen', 0, -59_000],
  ])('does not last longer if %s', (_, wallMs, monotonicMs) => {
    const end = momentAt(60_000);
    const now = { wallMs: end.wallMs + wallMs, monotonicMs: end.monotonicMs + monotonicMs };

    expect(coolDowns.find('a', now)).toBeUndefined();
  });
});
