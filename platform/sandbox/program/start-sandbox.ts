import { addressesOf } from '../addresses';
import { createSandbox } from '../sandbox';
import { parseSeed } from '../seed';
import { type RunningSandbox, startOnSeparatePorts } from '../separate-ports';
import { startServer } from '../https-server';

/**
 * Serves the platform on one port, or each address on its own port. Writes failures of the sandbox itself to stderr.
 * @throws {InvalidInputError} for a faulty seed
 * @throws {PortUnavailableError} if a port is in use
 */
export async function start(seed: unknown, port: number, separatePorts = false): Promise<RunningSandbox> {
  const onUnexpectedError = (error: Error) => process.stderr.write(`sandbox: unexpected ${error.stack}\n`);
  if (separatePorts) return startOnSeparatePorts(seed, port, { onUnexpectedError });
  const { cells } = parseSeed(seed);
  const app = createSandbox(seed, { onUnexpectedError });
  const server = await startServer(app, port);
  return {
    app,
    addresses: addressesOf(cells, () => server.origin),
    caCertificate: server.caCertificate,
    close: () => server.close(),
  };
}
