import { fork } from 'node:child_process';
import { once } from 'node:events';

import { StartError } from './start-options';

type FromSandbox = { type: 'checked'; issues: string[] } | { type: 'failed'; message: string };

/**
 * Has the sandbox check the fault of `--fault` before anything starts: only the sandbox knows what it accepts.
 * @param sandboxProgram path of the built program
 * @throws {StartError} with one line for each thing that is wrong
 */
export async function checkFault(sandboxProgram: string, fault: unknown): Promise<void> {
  const child = fork(sandboxProgram, [], { execArgv: [] });
  const exited = once(child, 'exit').then(() => {
    throw new StartError('the sandbox cannot check --fault: it ended');
  });
  exited.catch(() => undefined);
  child.send({ type: 'check fault', fault });
  const [answer] = (await Promise.race([once(child, 'message'), exited])) as [FromSandbox];
  child.disconnect();
  if (answer.type === 'failed') throw new StartError(`the sandbox cannot check --fault: ${answer.message}`);
  if (answer.issues.length === 0) return;
  throw new StartError(answer.issues.map((issue) => `--fault: ${issue}`).join('\n'));
}
