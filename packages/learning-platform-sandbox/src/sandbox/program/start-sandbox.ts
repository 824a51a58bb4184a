import { type RunningSandbox, startOnOnePort, startOnSeparatePorts } from '../listening-sandbox';

/**
 * Serves the platform on one port, or each address on its own port. Writes failures of the sandbox itself to stderr.
 * @throws {InvalidInputError} for a faulty seed
 * @throws {PortUnavailableError} if a port is in use
 */
export async function start(seed: unknown, port: number, separatePorts = false): Promise<RunningSandbox> {
  const onUnexpectedError = (error: Error) => process.stderr.write(`sandbox: unexpected ${error.stack}\n`);
  return (separatePorts ? startOnSeparatePorts : startOnOnePort)(seed, port, { onUnexpectedError });
}
