import { type Probe } from '../../probes/probe';
import { runProbes } from '../../prove/run-probes';
import { ProvenAccount } from './support/proven-account';

const PREFIX = 'prove-7e570002';
const probe = (look: Probe['look']): Probe => ({
  ...{ id: 'example', group: 'store', subject: 'An example', reliedOn: 'nothing', otherwise: 'nothing' },
  look,
});

describe('the run of probes', () => {
  const proven = new ProvenAccount();
  beforeAll(() => proven.start());
  afterAll(() => proven.close());

  const run = (probes: readonly Probe[], signal = new AbortController().signal) => {
    const { place, clientConfig, time, stacks } = proven.options(PREFIX);
    const nothing = () => Promise.reject(new Error('not in this test'));
    const ports = { ...{ place, clientConfig, time, stacks }, synthesize: nothing, sendRequest: nothing };
    return runProbes(probes, { ports, prefix: PREFIX, latchkey: undefined, signal });
  };

  test('takes nothing from a probe that was interrupted, and looks no further', async () => {
    const interrupt = new AbortController();
    const interrupted = probe(async () => {
      interrupt.abort();
      return { verdict: 'differs', seen: 'exit code 130' };
    });

    const results = await run([interrupted, interrupted], interrupt.signal);

    expect(results).toEqual([expect.objectContaining({ verdict: 'not run', seen: 'interrupted' })]);
  });

  test('goes on where a killed run has left a secret of the same probe', async () => {
    const killed = probe(async (system) => {
      await system.secret('one');
      Object.assign(system, { end: async () => undefined });
      throw new Error('killed');
    });
    await run([killed]);

    const [result] = await run([
      probe(async (system) => {
        const { arn } = await system.secret('one');
        return { verdict: 'as relied on', seen: arn === '' ? 'none' : 'a new secret' };
      }),
    ]);

    expect(result).toMatchObject({ verdict: 'as relied on', seen: 'a new secret' });
  });
});
