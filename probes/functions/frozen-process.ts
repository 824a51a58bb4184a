import { InvokeCommand } from '@aws-sdk/client-lambda';

import { notRun, type Probe, verdictOf } from '../probe';
import { plainFunction } from '../plain-function';
import { arnOf, outputs, withStack } from '../templates';

/** Lambda usually keeps a process for longer than that. */
const IDLE_SEC = 180;
/** How far the wall clock may be off. */
const TOLERANCE_SEC = 10;
/** A new function accepts calls after some seconds. */
const READY_SEC = 60;

const CODE = `
const process = Math.random();
exports.handler = async () => ({ process, wallMs: Date.now(), monotonicMs: performance.now() });
`;

interface Clocks {
  readonly process: number;
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export const frozenProcess: Probe = {
  id: 'frozen-process',
  group: 'functions',
  subject: 'A process that Lambda froze',
  reliedOn: 'the wall clock continues; the monotonic clock may stop',
  otherwise: 'cached tokens and pauses last too long',
  sources: ['https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html'],
  look: (system) => {
    const template = {
      Resources: plainFunction(system, CODE),
      Outputs: outputs({ FunctionArn: arnOf('Function') }),
    };
    return withStack(system, template, async ({ FunctionArn: FunctionName }) => {
      const read = async () => {
        const { Payload, FunctionError } = await system.aws.lambda.send(new InvokeCommand({ FunctionName }));
        return FunctionError === undefined
          ? (JSON.parse(Buffer.from(Payload!).toString()) as Clocks)
          : undefined;
      };
      const before = await system.time.until(read, { withinSec: READY_SEC });
      await system.time.pass(IDLE_SEC);
      const after = await read();
      if (before === undefined || after === undefined) return notRun('the function failed');
      if (before.process !== after.process) return notRun('another process answered the second call');

      const wallSec = Math.round((after.wallMs - before.wallMs) / 1000);
      const monotonicSec = Math.round((after.monotonicMs - before.monotonicMs) / 1000);
      return verdictOf(
        Math.abs(wallSec - IDLE_SEC) <= TOLERANCE_SEC,
        `after ${IDLE_SEC} s: wall clock ${wallSec} s, monotonic clock ${monotonicSec} s`,
      );
    });
  },
};
