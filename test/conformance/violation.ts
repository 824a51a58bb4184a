import { type Send } from '../../conformance/https';

/** Stands in front of a sandbox: answers in its place, and may ask it. Made anew for each examination, so it may remember. */
export type Front = (sandbox: Send) => Send;

/** A platform that violates one clause: an unchanged sandbox, and what stands in front of it. */
export interface Violation {
  /** The clause that it violates. */
  readonly clause: string;
  /** What the platform does wrong. */
  readonly violation: string;
  /** Names of checks of other clauses that fail too, because they depend on this one. */
  readonly alsoFails?: readonly string[];
  /** @default nothing */
  readonly front?: Front;
  /** Whether plain HTTP is answered as HTTPS is. */
  readonly plainHttp?: true;
}
