/** How large a run is, and where its progress goes. */
export interface BenchOptions {
  /** A small seed: a check that everything runs, no measurement. */
  isQuick: boolean;
  /** Rounds of every question, in place of each question's own number. */
  rounds?: number;
  /** Tells the person who waits what is going on. */
  progress: (text: string) => void;
}

/** One table of figures, as it is printed. */
export interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** A goal of docs/benchmarks.md, or the part of one that a single figure settles. */
export interface Goal {
  number: number;
  subject: string;
  wanted: string;
  measured: string;
  isMet: boolean;
  /** Whether the figure is a time, or a ratio of times: it says something about the machine, too. */
  isTimed: boolean;
}

/** What a question measured. */
export interface Answer {
  tables: readonly Table[];
  goals: readonly Goal[];
}

/**
 * Measures one thing.
 * @throws {Error} if something that is measured does not work at all
 */
export type Question = (options: BenchOptions) => Promise<Answer>;

/** How many rounds a question runs: its own number, or the run's. */
export function roundsOf({ rounds, isQuick }: BenchOptions, usual: number, quick: number): number {
  return rounds ?? (isQuick ? quick : usual);
}
