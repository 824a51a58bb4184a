import { type Send } from '../../src/conformance/https-requests';

/** A proxy in front of a sandbox. Created anew for each run, so it can keep state. */
export type Front = (sandbox: Send) => Send;

/** What makes a sandbox violate a clause. */
export interface Way {
  /** @default nothing */
  readonly front?: Front;
  /** Whether to answer plain HTTP like HTTPS. */
  readonly plainHttp?: true;
  /** Names of checks of other clauses that fail too. */
  readonly alsoFails?: readonly string[];
}

/** Violations by clause and description. */
export type ViolationTable = Readonly<Record<string, Readonly<Record<string, Front | Way>>>>;

/** A platform that violates one clause: an unchanged sandbox behind a front. */
export interface Violation extends Way {
  readonly clause: string;
  /** What the platform does wrong. */
  readonly violation: string;
}

/** The violations of a table, in order. */
export function violationsIn(table: ViolationTable): Violation[] {
  return Object.entries(table).flatMap(([clause, ways]) =>
    Object.entries(ways).map(([violation, way]) => ({
      clause,
      violation,
      ...(typeof way === 'function' ? { front: way } : way),
    })),
  );
}
