import { RequestCounters } from '../../src/sandbox/counters';

describe('counters are bounded', () => {
  test('beyond 10,000 kinds, other paths are counted together by method and status', () => {
    const counters = new RequestCounters();
    for (let n = 0; n < 10_002; n += 1) {
      counters.count({ target: 'content', method: 'GET', path: `/${n}`, status: 404 });
    }
    counters.count({ target: 'content', method: 'GET', path: '/0', status: 404 });

    const rows = counters.rows();

    expect(rows).toHaveLength(10_001);
    expect(rows[0]).toMatchObject({ path: '/0', count: 2 });
    expect(rows.at(-1)).toMatchObject({ path: '(other)', count: 2 });
  });

  test('a path longer than that of any operation is not kept', () => {
    const counters = new RequestCounters();

    counters.count({ target: 'content', method: 'GET', path: `/${'x'.repeat(1024)}`, status: 404 });

    expect(counters.rows()).toMatchObject([{ path: '(other)', count: 1 }]);
  });
});
