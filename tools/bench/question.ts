/** Options of a benchmark run. */
export interface BenchOptions {
  /** Runs a few rounds, to check that everything works. The figures mean nothing. */
  isQuick: boolean;
  /** Number of rounds, instead of each question's default. */
  rounds?: number;
  /** Reports progress to the person who waits. */
  progress: (text: string) => void;
}

/** A table of results. */
export interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** A goal of docs/benchmarks.md, or the part of one that a single figure decides. */
export interface Goal {
  number: number;
  subject: string;
  wanted: string;
  measured: string;
  isMet: boolean;
  /** Whether the figure is a time or a ratio of times, which depends on the machine. */
  isTimed: boolean;
}

/** The results of a question. */
export interface Answer {
  tables: readonly Table[];
  goals: readonly Goal[];
}

/**
 * Measures one thing.
 * @throws {Error} if something measured does not work
 */
export type Question = (options: BenchOptions) => Promise<Answer>;

/** The number of rounds: of the options, or the question's default. */
export function roundsOf({ rounds, isQuick }: BenchOptions, usual: number, quick: number): number {
  return rounds ?? (isQuick ? quick : usual);
}
