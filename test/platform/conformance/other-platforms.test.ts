import { ALL_CHECKS } from '../../../platform/conformance/checks/all-checks';
import { runChecks } from '../../../platform/conformance/run-checks';
import { examineSandbox } from '../../../platform/conformance/sandbox-tenant';
import { answerOf, changeAnswer, changeBody, changeStatus } from './fronts/fronts';
import { ARCHIVE, CREATE, LIST, WEBHOOKS } from './fronts/operations';
import { askSandbox, UNUSED_ORIGIN } from './served-sandbox';
import { type Front } from './violation';

/** Platforms that differ from the sandbox where the specification leaves it open. */
const OTHERWISE: Record<string, Front> = {
  'serves nothing at the base of the webhooks interface': changeAnswer(WEBHOOKS, () => answerOf(404, {})),
  'answers 403 on the webhooks interface': changeStatus(WEBHOOKS, 401, 403),
  'lists contents inside an object': changeBody<unknown[]>(LIST, (contents) => ({ contents })),
  'needs more for a create': changeStatus(CREATE, 201, 422),
  'has no archive': changeAnswer(ARCHIVE, () => answerOf(404, {})),
};

it.each(Object.entries(OTHERWISE))('a platform that %s violates nothing', async (_otherwise, front) => {
  const { tenant, reset } = await examineSandbox(`${UNUSED_ORIGIN}/_sandbox`, front(askSandbox()));

  const results = await runChecks(ALL_CHECKS, { read: tenant, write: tenant, begin: reset });

  expect(results.filter(({ outcome }) => outcome === 'failed' || outcome === 'broken')).toEqual([]);
  expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(30);
});

it('examines no clause that takes a fault which the sandbox cannot inject, and says so', async () => {
  const sandbox = askSandbox();
  const send: typeof sandbox = (request) =>
    request.method === 'POST' && request.url.endsWith('/_sandbox/faults')
      ? Promise.resolve({ status: 400, headers: {}, body: '{}' })
      : sandbox(request);
  const { tenant, reset } = await examineSandbox(`${UNUSED_ORIGIN}/_sandbox`, send);

  const results = await runChecks(ALL_CHECKS, { read: tenant, write: tenant, control: tenant, begin: reset });

  const others = results.filter(({ outcome }) => outcome !== 'passed');
  expect(others.length).toBeGreaterThan(0);
  for (const other of others) {
    expect(other).toMatchObject({
      outcome: 'not examined',
      reason: 'the sandbox does not support the fault, which depends on its server',
    });
  }
});
