import { CoolDowns } from '../../../../lambdas/shared/domain/cool-downs';
import { TokenError } from '../../../../lambdas/shared/domain/token-errors';
import { NOON_MS } from '../../../support/lambdas/virtual-clock';

const FAILURE = new TokenError('credential_refused', 'refused');

describe('a remembered failure', () => {
  test('is found with the time that is left of it, until it is over', () => {
    const coolDowns = new CoolDowns();

    coolDowns.remember('a', FAILURE, NOON_MS, 60_000);

    expect(coolDowns.find('a', NOON_MS)).toEqual({ error: FAILURE, leftMs: 60_000 });
    expect(coolDowns.find('a', NOON_MS + 59_999)).toEqual({ error: FAILURE, leftMs: 1 });
    expect(coolDowns.find('a', NOON_MS + 60_000)).toBeUndefined();
  });

  test('is found under its own name only', () => {
    const coolDowns = new CoolDowns();

    coolDowns.remember('a', FAILURE, NOON_MS, 60_000);

    expect(coolDowns.find('b', NOON_MS)).toBeUndefined();
  });

  test('is replaced by a later one, and can be forgotten', () => {
    const coolDowns = new CoolDowns();
    coolDowns.remember('a', FAILURE, NOON_MS, 60_000);

    coolDowns.remember('a', FAILURE, NOON_MS, 10_000);
    const replaced = coolDowns.find('a', NOON_MS);
    coolDowns.forget('a');

    expect(replaced?.leftMs).toBe(10_000);
    expect(coolDowns.find('a', NOON_MS)).toBeUndefined();
  });

  test('of no length is never found', () => {
    const coolDowns = new CoolDowns();

    coolDowns.remember('a', FAILURE, NOON_MS, 0);

    expect(coolDowns.find('a', NOON_MS)).toBeUndefined();
  });
});
