import { type Addresses, addressesOf, CONTROL_PATH, type Part, partsOf } from './addresses';
import { errorBody } from './errors';
import { applies, Faults } from './faults';
import { sandboxApp } from './sandbox';
import { createState, type SandboxState, type StateOptions } from './sandbox-state';
import { type Fetch, SecurePort, startServer } from './https-server';
import { createTlsIdentityWithFaults, type TlsIdentityWithFaults } from './tls-identity';

export interface RunningSandbox {
  /** Answers like the server, without the network. */
  readonly app: ReturnType<typeof sandboxApp>;
  readonly state: SandboxState;
  readonly addresses: Addresses;
  /** The CA certificate to trust for all addresses, PEM. */
  readonly caCertificate: string;
  /** Stops listening and breaks all connections, including those of delayed requests. */
  close(): Promise<void>;
  /** Lets the process exit while the sandbox still listens. */
  unref(): void;
}

export interface StartOptions extends Pick<StateOptions, 'nowMs'> {
  /** Called for every failure of the sandbox itself. The client gets a bare 500. @default failures are not reported */
  readonly onUnexpectedError?: (error: Error) => void;
}

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

/**
 * Serves the platform over HTTPS with each address on its own port, which answers 404 to paths of other addresses. This
 * allows certificate faults, because the port says which part of the platform a new connection is for.
 * @param seedInput parsed by {@link parseSeed}
 * @param firstPort control's port; the others follow in the order of {@link partsOf}. 0 picks free ports
 * @throws {InvalidInputError} for a faulty seed
 * @throws {PortUnavailableError} for the first port in use; all ports are closed then
 */
export async function startOnSeparatePorts(
  seedInput: unknown,
  firstPort: number,
  { onUnexpectedError, ...options }: StartOptions = {},
): Promise<RunningSandbox> {
  const ports = new Map<string, SecurePort>();
  const faults = new Faults((fault) => {
    // Otherwise a client could reuse a connection and never see the fault.
    for (const { path, connection } of partsOf(state)) {
      if (connection && applies(fault, connection)) ports.get(path)?.closeIdleConnections();
    }
  });
  const addresses = () => addressesOf(state, (path) => ports.get(path)!.origin);
  const state = createState(seedInput, { ...options, faults, certificateFaults: true, addresses });
  const app = sandboxApp(state, onUnexpectedError);
  const identities = await createTlsIdentityWithFaults();
  const close = async () => {
    await Promise.all([...ports.values()].map((port) => port.close()));
  };
  try {
    for (const [n, part] of partsOf(state).entries()) {
      const port = firstPort === 0 ? 0 : firstPort + n;
      const identityOf = () => takeIdentity(part, faults, identities);
      ports.set(part.path, await SecurePort.listen(port, onlyBelow(part.path, app.fetch), identityOf));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const unref = () => ports.forEach((port) => port.unref());
  return { app, state, addresses: addresses(), caCertificate: identities.caCertificate, close, unref };
}

function takeIdentity({ connection }: Part, faults: Faults, identities: TlsIdentityWithFaults) {
  const fault = connection && faults.takeAtConnection(connection);
  return fault ? identities.faulty[fault] : identities;
}

function onlyBelow(base: string, fetch: Fetch): Fetch {
  return (request, env) => {
    const { pathname } = new URL(request.url);
    const isRoot = pathname === '/' && base === CONTROL_PATH;
    if (isRoot || pathname === base || pathname.startsWith(`${base}/`)) return fetch(request, env);
    return Response.json(errorBody(404, 'no such operation'), { status: 404 });
  };
}
