import { type Check, must, NotExaminableError } from '../../src/conformance/check';
import { type CheckResult, type Platform, runChecks } from '../../src/conformance/run-checks';
import { type WritableTenant } from '../../src/conformance/tenant';

const TENANT = {} as WritableTenant;
const EVERYTHING: Platform = { read: TENANT, write: TENANT };

function check(name: string, run: () => Promise<void>, needs: Check['needs'] = 'read'): Check {
  return { name, clauses: [], needs, run };
}

it('continues after a failed check, and reports the reason', async () => {
  const checks = [
    check('violated', async () => must(false, 'answered 500 instead of 404')),
    check('kept', async () => must(true, 'never')),
  ];

  const results = await runChecks(checks, EVERYTHING);

  expect(results).toMatchObject([
    { name: 'violated', outcome: 'failed', reason: 'answered 500 instead of 404' },
    { name: 'kept', outcome: 'passed' },
  ]);
});

it('does not quote foreign errors', async () => {
  const checks = [check('faulty', () => Promise.reject(new TypeError('a-secret is no header')))];

  const results = await runChecks(checks, EVERYTHING);

  expect(results).toMatchObject([{ outcome: 'broken', reason: 'unexpected TypeError' }]);
});

it('does not run a check that lacks something or is not allowed', async () => {
  const missing = () => Promise.reject(new NotExaminableError('standard input has no apiKey'));
  const checks = [check('lacks', missing), check('writes', async () => undefined, 'write')];

  const results = await runChecks(checks, { read: TENANT });

  expect(results).toMatchObject([
    { outcome: 'not examined', reason: 'standard input has no apiKey' },
    { outcome: 'not examined', reason: 'needs --writes: changes contents or generates keys' },
  ]);
});

it('reports each result at once', async () => {
  const events: string[] = [];
  const checks = ['first', 'second'].map((name) => check(name, async () => void events.push(name)));
  const onResult = ({ name, outcome }: CheckResult) => events.push(`${name} ${outcome}`);

  await runChecks(checks, EVERYTHING, { onResult });

  expect(events).toEqual(['first', 'first passed', 'second', 'second passed']);
});

it('skips the remaining checks when aborted', async () => {
  const end = new AbortController();
  const checks = [check('last', async () => end.abort()), check('left', async () => undefined)];

  const results = await runChecks(checks, EVERYTHING, { signal: end.signal });

  expect(results).toMatchObject([
    { outcome: 'passed' },
    { outcome: 'not examined', reason: 'the run ended early' },
  ]);
});
