import { type Outcome, OUTCOMES, REASON_PHRASES } from '../../../core/restore/restore-outcomes';

const table: [string, Outcome][] = Object.entries(OUTCOMES);

describe.each(table)('the outcome %s', (_, { status, code, retry, metric }) => {
  test('has a status of the contract, and is a 502 only if the content was not modified', () => {
    expect(Object.keys(REASON_PHRASES).map(Number)).toContain(status);
    expect(status === 502 && code === 'outcome_unknown').toBe(false);
  });

  test('advises to check first only if the outcome is unknown, and to retry only if that can help', () => {
    expect(retry === 'after_checking').toBe(code === 'outcome_unknown');
    expect(retry === 'later').toBe(status === 502 || status === 429);
  });

  test('counts as failed only if it certainly modified nothing, and as refused only for a 4xx', () => {
    expect(metric === 'Restored').toBe(status === 200);
    expect(metric === 'RestoreOutcomeUnknown').toBe(code === 'outcome_unknown');
    expect(metric === 'RestoreNotOffered').toBe(status === 501);
    expect(metric === 'RestoreRefused').toBe(status >= 400 && status < 500);
  });
});

describe('the outcomes', () => {
  test('include one success, which has no code', () => {
    expect(table.filter(([, { code }]) => code === undefined)).toEqual([['restored', OUTCOMES.restored]]);
    expect(OUTCOMES.restored.status).toBe(200);
  });

  test('with the same code give the caller the same retry advice', () => {
    const problems = table.filter(([, { code }]) => code !== undefined && code !== 'unsupported_media_type');

    const tellApart = new Set(problems.map(([, { code, retry }]) => `${code} ${retry}`));
    expect(tellApart.size).toBe(new Set(problems.map(([, { code }]) => code)).size);
  });

  test('say after a 409 that an earlier attempt may have restored the content (F30)', () => {
    expect(OUTCOMES.notArchived.detail).toMatch(/earlier attempt may have restored/);
  });

  test('leave it to the token alarms that no token was available, but not that the function lacks a permission', () => {
    expect(table.filter(([, { metric }]) => metric === 'RestoreWithoutToken')).toEqual([
      ['tokenUnavailable', OUTCOMES.tokenUnavailable],
    ]);
  });
});
