import { setTimeout as sleep } from 'node:timers/promises';

import { type Looking, type Time } from '../probes/system';
import { callLaptop, type LaptopAccess } from './laptop-control';

/** How often to look, if nobody says. */
const USUAL_SEC = 5;

/** The time of an AWS account. */
export function accountTime(interrupted: AbortSignal): Time {
  return timeOf({
    nowMs: () => Date.now(),
    pass: (sec) => sleep(sec * 1000, undefined, { signal: interrupted }),
  });
}

/** The time of a laptop system, which passes at once. @param onPassed called after it has passed, with the seconds */
export function laptopTime(
  access: () => LaptopAccess | Promise<LaptopAccess>,
  onPassed: (sec: number) => void,
): Time {
  return timeOf({
    nowMs: async () => Date.now() + (await access()).systemClockOffset,
    pass: async (sec) => {
      // The laptop's clock advances by whole seconds.
      const advanceSec = Math.ceil(sec);
      await callLaptop(await access(), 'clock', { advanceSec });
      onPassed(advanceSec);
    },
  });
}

interface Passing {
  readonly nowMs: () => number | Promise<number>;
  readonly pass: (sec: number) => Promise<void>;
}

function timeOf({ nowMs, pass }: Passing): Time {
  return {
    now: async () => new Date(await nowMs()),
    pass,
    until: async <Result>(
      look: () => Promise<Result | undefined>,
      { withinSec, everySec = USUAL_SEC }: Looking,
    ) => {
      const endMs = (await nowMs()) + withinSec * 1000;
      for (;;) {
        const found = await look();
        if (found !== undefined || (await nowMs()) >= endMs) return found;
        await pass(everySec);
      }
    },
  };
}
