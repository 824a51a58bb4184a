import { AsyncLocalStorage } from 'node:async_hooks';

import { type Fault } from '../../../src/sandbox/fault';
import { Faults } from '../../../src/sandbox/faults';

/** One for all tests, as each permanently slows down every promise. */
const requests = new AsyncLocalStorage<{ met?: Fault }>();

/** Faults that report which one applied to a request. */
export class WatchedFaults extends Faults {
  override take(...args: Parameters<Faults['take']>): Fault | undefined {
    const fault = super.take(...args);
    const request = requests.getStore();
    if (request && fault) request.met = fault;
    return fault;
  }

  /** Sends a request. Returns its answer and the fault that applied. */
  async watch<Answer>(send: () => Promise<Answer>): Promise<{ answer: Answer; met?: Fault }> {
    const request: { met?: Fault } = {};
    const answer = await requests.run(request, send);
    return { answer, ...request };
  }
}
