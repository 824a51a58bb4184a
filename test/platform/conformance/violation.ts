import { type Send } from '../../../platform/conformance/https-requests';

/** Stands in front of a sandbox: answers in its place, and may ask it. Made anew for each examination, so it may remember. */
export type Front = (sandbox: Send) => Send;

/** What makes a sandbox violate a clause. */
export interface Way {
  /** @default nothing */
  readonly front?: Front;
  /** Whether plain HTTP is answered as HTTPS is. */
  readonly plainHttp?: true;
  /** Names of checks of other clauses that fail too, because they depend on this one. */
  readonly alsoFails?: readonly string[];
}

/** By clause: what a platform does wrong, and what makes a sandbox do that. */
export type ViolationTable = Readonly<Record<string, Readonly<Record<string, Front | Way>>>>;

/** A platform that violates one clause: an unchanged sandbox, and what stands in front of it. */
export interface Violation extends Way {
  readonly clause: string;
  /** What the platform does wrong. */
  readonly violation: string;
}

/** The violations of a table, in its order. */
export function violationsIn(table: ViolationTable): Violation[] {
  return Object.entries(table).flatMap(([clause, ways]) =>
    Object.entries(ways).map(([violation, way]) => ({
      clause,
      violation,
      ...(typeof way === 'function' ? { front: way } : way),
    })),
  );
}
