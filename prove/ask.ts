import { type ProvenRun } from './proven-run';
import { notRun, type Answer, type Question } from './question';
import { type Answered } from './report';

interface Asking {
  /** Aborted to stop before the next question. */
  readonly signal: AbortSignal;
  /** Called after each question. */
  readonly onAnswer?: (answered: Answered) => void;
  /** A question failed. The error can contain what reports must not. */
  readonly onError?: (error: Error) => void;
}

/** Asks questions one after another. */
export async function ask(
  questions: readonly Question[],
  run: ProvenRun,
  { signal, onAnswer, onError }: Asking,
): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const question of questions) {
    if (signal.aborted) break;
    const begun = await run.time.now();
    const asked = await question.ask(run).catch((error: Error): Answer => {
      onError?.(error);
      // Its message can contain ARNs and account numbers.
      const [, line = 'somewhere'] = /\/(prove\/questions\/[\w-]+\.ts:\d+)/.exec(error.stack ?? '') ?? [];
      return notRun(`failed with ${error.name} at ${line}`);
    });
    // Commands and waits of the question ended early, so what it saw tells nothing about AWS.
    const seen = signal.aborted ? notRun('interrupted') : asked;
    const seconds = Math.round(((await run.time.now()).getTime() - begun.getTime()) / 1000);
    const answered = { question, ...seen, seconds };
    answers.push(answered);
    onAnswer?.(answered);
  }
  return answers;
}
