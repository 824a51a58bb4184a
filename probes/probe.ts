import { type System } from './system';

/** What `latchkey prove --only` chooses. */
export const GROUPS = ['store', 'rotation', 'gateway', 'alarms', 'functions', 'journeys'] as const;
export type Group = (typeof GROUPS)[number];

/**
 * One fact of AWS that Latchkey relies on, and how to see it. Each file below `probes/` exports one, and becomes a row of
 * docs/aws-facts.md.
 */
export interface Probe {
  /** Words with hyphens; the name of its file. */
  readonly id: string;
  readonly group: Group;
  /** What the fact is about, in Markdown. */
  readonly subject: string;
  /** What Latchkey relies on, in Markdown. Where it is right either way, all readings. */
  readonly reliedOn: string;
  /** What happens if AWS does otherwise, in Markdown. */
  readonly otherwise: string;
  /** AWS's page, or the thread in which AWS or others saw it. */
  readonly sources?: readonly string[];
  /**
   * `account`: only AWS clients and what the probe creates itself. `latchkey`: a deployment with loaded credentials.
   * @default 'account'
   */
  readonly needs?: 'account' | 'latchkey';
  /** Takes more than five minutes on AWS, so it runs with `--slow` only. */
  readonly slow?: true;
  /** Looks. Whatever it throws becomes the verdict `not run` with the error's name. */
  readonly look: (system: System) => Promise<Seen>;
}

/** What a probe saw. `not run` says why nothing could be seen. */
export interface Seen {
  readonly verdict: 'as relied on' | 'differs' | 'not run';
  /** What was seen, for people, in one line. Contains no secret, account number or ARN. */
  readonly seen: string;
}

/** @param seen what AWS did */
export const asReliedOn = (seen: string): Seen => ({ verdict: 'as relied on', seen });
/** @param seen what AWS did instead */
export const differs = (seen: string): Seen => ({ verdict: 'differs', seen });
/** @param seen why the probe cannot see anything here */
export const notRun = (seen: string): Seen => ({ verdict: 'not run', seen });
/** @param isAsReliedOn whether what was seen is what Latchkey relies on */
export const verdictOf = (isAsReliedOn: boolean, seen: string): Seen =>
  isAsReliedOn ? asReliedOn(seen) : differs(seen);
