import { type ProvenRun } from './proven-run';
import { type Answer, notRun, type Question } from './question';

/** An answer, and how long it took. */
export interface Answered extends Answer {
  readonly question: Question;
  readonly seconds: number;
  /** With which the question failed. It can contain what reports must not. */
  readonly error?: Error;
}

/** Asks one question. @param interrupted what is seen after that tells nothing about AWS: commands and waits end early */
export async function ask(question: Question, run: ProvenRun, interrupted: AbortSignal): Promise<Answered> {
  const begun = await run.time.now();
  const asked = await question.ask(run).catch((error: Error) => {
    // Its message can contain ARNs and account numbers.
    const [, line = 'somewhere'] = /\/(prove\/questions\/[\w-]+\.ts:\d+)/.exec(error.stack ?? '') ?? [];
    return { ...notRun(`failed with ${error.name} at ${line}`), error };
  });
  const seconds = Math.round(((await run.time.now()).getTime() - begun.getTime()) / 1000);
  return { question, ...(interrupted.aborted ? notRun('interrupted') : asked), seconds };
}
