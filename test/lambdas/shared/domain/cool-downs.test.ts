import { CoolDowns } from '../../../../lambdas/shared/domain/cool-downs';
import { TokenError } from '../../../../lambdas/shared/domain/token-errors';
import { momentAt } from '../../../support/lambdas/virtual-clock';

const FAILURE = new TokenError('credential_refused', 'refused');

describe('a remembered failure', () => {
  test('is found with the time that is left of it, until it is over', () => {
    const coolDowns = new CoolDowns();

    coolDowns.remember('a', FAILURE, momentAt(0), 60_000);

    expect(coolDowns.find('a', momentAt(0))).toEqual({ error: FAILURE, leftMs: 60_000 });
    expect(coolDowns.find('a', momentAt(59_999))).toEqual({ error: FAILURE, leftMs: 1 });
    expect(coolDowns.find('a', momentAt(60_000))).toBeUndefined();
  });

  test('is found under its own name only', () => {
    const coolDowns = new CoolDowns();

    coolDowns.remember('a', FAILURE, momentAt(0), 60_000);

    expect(coolDowns.find('b', momentAt(0))).toBeUndefined();
  });

  test.each([
    ['shorter', 30_000, 59_000],
    ['longer', 60_000, 60_000],
  ])('with a %s one after it lasts until both are over', (_, forMs, leftMs) => {
    const coolDowns = new CoolDowns();
    coolDowns.remember('a', FAILURE, momentAt(0), 60_000);

    coolDowns.remember('a', FAILURE, momentAt(1_000), forMs);

    expect(coolDowns.find('a', momentAt(1_000))?.leftMs).toBe(leftMs);
  });

  test('can be forgotten', () => {
    const coolDowns = new CoolDowns();
    coolDowns.remember('a', FAILURE, momentAt(0), 60_000);

    coolDowns.forget('a');

    expect(coolDowns.find('a', momentAt(0))).toBeUndefined();
  });

  test('lasts no longer where the wall clock is set back, nor where the process is frozen', () => {
    const coolDowns = new CoolDowns();
    const { wallMs, monotonicMs } = momentAt(60_000);

    coolDowns.remember('a', FAILURE, momentAt(0), 60_000);
    coolDowns.remember('b', FAILURE, momentAt(0), 60_000);

    expect(coolDowns.find('a', { wallMs: wallMs - 300_000, monotonicMs })).toBeUndefined();
    expect(coolDowns.find('b', { wallMs, monotonicMs: monotonicMs - 59_000 })).toBeUndefined();
  });

  test('of no length is never found', () => {
    const coolDowns = new CoolDowns();

    coolDowns.remember('a', FAILURE, momentAt(0), 0);

    expect(coolDowns.find('a', momentAt(0))).toBeUndefined();
  });
});
