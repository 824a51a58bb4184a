/** How a command ends. Scripts rely on these. */
export const EXIT = {
  done: 0,
  /** It failed, or something needs attention. */
  failed: 1,
  usage: 2,
  /** A secret was given as an argument, which exposed it. */
  secretInArguments: 64,
  /** The platform or AWS was unreachable, or gave no usable answer. */
  unavailable: 69,
  /** A request was sent, but its outcome is unknown. */
  outcomeUnknown: 75,
  /** A credential or a permission was refused. */
  refused: 77,
  /** Ctrl-C, before a request with an unknown outcome was sent: 128 + SIGINT, as shells report it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
