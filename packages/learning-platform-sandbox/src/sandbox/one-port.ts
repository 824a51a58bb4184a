import { addressesOf } from './addresses';
import { startServer } from './https-server';
import { sandboxApp } from './sandbox';
import { createState } from './sandbox-state';
import { type RunningSandbox, type StartOptions } from './separate-ports';

/**
 * Serves the platform over HTTPS on one port.
 * @param seedInput parsed as a seed
 * @param port 0 picks a free port
 * @throws {InvalidInputError} for a faulty seed
 * @throws {PortUnavailableError} if the port is in use
 */
export async function startOnOnePort(
  seedInput: unknown,
  port: number,
  { onUnexpectedError, ...options }: StartOptions = {},
): Promise<RunningSandbox> {
  const state = createState(seedInput, options);
  const app = sandboxApp(state, onUnexpectedError);
  const server = await startServer(app, port);
  return {
    app,
    state,
    addresses: addressesOf(state, () => server.origin),
    caCertificate: server.caCertificate,
    close: () => server.close(),
    unref: () => server.unref(),
  };
}
