/** Captures standard output and standard error until the test's mocks are restored. */
export function captureOutput(): () => string {
  const chunks: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    jest.spyOn(stream, 'write').mockImplementation((chunk) => {
      chunks.push(String(chunk));
      return true;
    });
  }
  return () => chunks.join('');
}

/** The captured lines, each of which is JSON. */
export function jsonLines<Line = Record<string, unknown>>(output: string): Line[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
