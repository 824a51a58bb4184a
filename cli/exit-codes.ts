/** How a command ends. Scripts rely on these. */
export const EXIT = {
  done: 0,
  /** It failed, or something needs attention. */
  failed: 1,
  usage: 2,
  /** A secret was given as an argument, and is exposed by that. */
  secretInArguments: 64,
  /** The platform or AWS could not be reached, or could not answer. */
  unavailable: 69,
  /** A request was sent, and nobody knows what became of it. */
  outcomeUnknown: 75,
  /** A credential or a permission was refused. */
  refused: 77,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
