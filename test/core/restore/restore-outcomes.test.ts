import { PROBLEM_CODES, RESTORE_STATUSES } from '../../../core/restore/problem';
import { type Outcome, OUTCOMES } from '../../../core/restore/restore-outcomes';

const table: [string, Outcome][] = Object.entries(OUTCOMES);
const problems = table.filter(([name]) => name !== 'restored');

/** RFC 9110, section 15. With `about:blank`, the title is the status's reason phrase (RFC 9457, section 4.2.1). */
const PHRASES: Record<number, string> = {
  200: 'OK',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  504: 'Gateway Timeout',
};

describe.each(table)('the outcome %s', (_, { status, title, code, mayHaveChanged, retry }) => {
  test('has a status of the contract, and its reason phrase as title', () => {
    expect(RESTORE_STATUSES).toContain(status);
    expect(title).toBe(PHRASES[status]);
  });

  test('is a 502 only if the content was not modified', () => {
    expect(status === 502 && mayHaveChanged).toBe(false);
  });

  test('is outcome_unknown if and only if it is an error that may have modified the content', () => {
    expect(code === 'outcome_unknown').toBe(status !== 200 && mayHaveChanged);
  });

  test('advises to check first if and only if the outcome is unknown', () => {
    expect(retry === 'after_checking').toBe(code === 'outcome_unknown');
  });

  test('advises to retry later only if that can help and is harmless', () => {
    expect(retry === 'later').toBe(status === 502 || status === 429);
  });
});

describe('the outcomes', () => {
  test('include one success, which has no code', () => {
    expect(table.filter(([, { code }]) => code === undefined)).toEqual([['restored', OUTCOMES.restored]]);
    expect(OUTCOMES.restored.status).toBe(200);
  });

  test('have codes of the contract', () => {
    expect(PROBLEM_CODES).toEqual(expect.arrayContaining(problems.map(([, { code }]) => code)));
  });

  test('with the same code give the caller the same retry advice', () => {
    const tellApart = new Set(
      problems
        .filter(([, { code }]) => code !== 'unsupported_media_type')
        .map(([, { code, retry, mayHaveChanged }]) => `${code} ${retry} ${mayHaveChanged}`),
    );

    const codes = new Set(
      problems.map(([, { code }]) => code).filter((code) => code !== 'unsupported_media_type'),
    );
    expect(tellApart.size).toBe(codes.size);
  });

  test('say after a 409 that an earlier attempt may have restored the content (F30)', () => {
    expect(OUTCOMES.notArchived.detail).toMatch(/earlier attempt may have restored/);
  });
});
