import { setTimeout as sleep } from 'node:timers/promises';

import { type Clock } from '../ports';

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms) => {
    await sleep(ms);
  },
};
