import { type ProvenRun } from './proven-run';

/** A question that AWS's documents leave open, or a part of the main job. A row of docs/aws-facts.md and of a report. */
export interface Question {
  /** Words with hyphens. */
  readonly id: string;
  /** What is asked, in Markdown. */
  readonly subject: string;
  /** The answer that Latchkey relies on, or all answers with which it works, in Markdown. */
  readonly reliedOn: string;
  /** The promise that Latchkey keeps only if AWS answers so. */
  readonly promise: string;
  /** AWS's pages, or the thread in which somebody saw the answer. */
  readonly pages: readonly string[];
  /** Takes more than five minutes on AWS, so it is asked with `--slow` only. */
  readonly slow?: true;
  /** Whatever it throws becomes the verdict `not run` with the error's name. */
  readonly ask: (run: ProvenRun) => Promise<Answer>;
}

export const VERDICTS = ['as relied on', 'differs', 'not run'] as const;

/** What AWS did, or why that is unknown. */
export interface Answer {
  readonly verdict: (typeof VERDICTS)[number];
  /** For people, in one line. */
  readonly seen: string;
}

/** @param seen what AWS did */
export const answer = (isAsReliedOn: boolean, seen: string): Answer => ({
  verdict: isAsReliedOn ? 'as relied on' : 'differs',
  seen,
});

/** Whether what was seen is the expected text, or matches the expected pattern. */
export const matches = (seen: string, reliedOn: string | RegExp = seen): boolean =>
  typeof reliedOn === 'string' ? seen === reliedOn : reliedOn.test(seen);

/** One answer from several checks, each by its label: a boolean, or a text with what it must match, if anything. All must hold. */
export function compare(
  checks: Readonly<Record<string, boolean | readonly [seen: string, reliedOn?: string | RegExp]>>,
): Answer {
  const all = Object.entries(checks).map(([what, check]) =>
    typeof check === 'boolean'
      ? { isRight: check, seen: `${what}: ${check ? 'yes' : 'no'}` }
      : { isRight: matches(...check), seen: `${what}: ${check[0]}` },
  );
  return answer(
    all.every(({ isRight }) => isRight),
    all.map(({ seen }) => seen).join('; '),
  );
}

/** @param seen why nothing can be seen here */
export const notRun = (seen: string): Answer => ({ verdict: 'not run', seen });

/** What a call did: `accepted`, or the name of the error with which AWS refused it. */
export const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'accepted',
    ({ name }: Error) => name,
  );

/** An answer, and how long it took. */
export interface Answered extends Answer {
  readonly question: Question;
  readonly seconds: number;
  /** The error that the question threw. It can contain what a report must not show. */
  readonly error?: Error;
}

/** Asks one question. @param interrupted makes the answer `not run`: commands and waits end early, which says nothing of AWS */
export async function ask(question: Question, run: ProvenRun, interrupted: AbortSignal): Promise<Answered> {
  const startedAt = await run.time.now();
  const asked = await question.ask(run).catch((error: Error) => {
    // Its message can contain ARNs and account numbers.
    return { ...notRun(`failed with ${error.name}`), error };
  });
  const seconds = Math.round(((await run.time.now()).getTime() - startedAt.getTime()) / 1000);
  return { question, ...(interrupted.aborted ? notRun('interrupted') : asked), seconds };
}
