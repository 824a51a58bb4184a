/** What one rule found: where in the file, what stands there, and what may stand there. */
export interface Finding {
  path: (string | number)[];
  found: unknown;
  allowed: string;
}
