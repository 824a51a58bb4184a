import { fork, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { type PlatformAddresses } from '../core/deployment/deployment-file';
import { type DeploymentKey } from '../core/tokens/token-key';
import { HostError } from 'cdk-on-loopback';

/** Where the sandbox serves the platform. */
export interface SandboxAddresses {
  readonly deployments: readonly (DeploymentKey & Required<Omit<PlatformAddresses, 'tenantServiceUrl'>>)[];
  /** By the tenant service's names of the environments. */
  readonly tenantServices: { readonly staging: string; readonly live: string };
  readonly issuers: readonly { readonly name: string; readonly tokenBaseUrl: string }[];
}

/** The sandbox, running as its own process. */
export interface SandboxProcess {
  /** `https://127.0.0.1:PORT` */
  readonly origin: string;
  readonly addresses: SandboxAddresses;
  /** PEM of the CA that signed its certificate. */
  readonly caCertificate: string;
  /** Rejects with a {@link HostError} if the sandbox exits before {@link end} is called. */
  readonly died: Promise<never>;
  end(): Promise<void>;
}

interface SandboxOptions {
  /** Path of the program. */
  program: string;
  port: number;
  seed: object;
  /** Called with each line that the sandbox writes to standard error. */
  onLine(line: string): void;
  signal: AbortSignal;
}

type FromSandbox =
  | { type: 'listening'; origin: string; addresses: SandboxAddresses; caCertificate: string }
  | { type: 'failed'; message: string };

/**
 * Starts the sandbox and waits until it is listening. It exits when this process does.
 * @throws {HostError} `sandbox_failed` with the sandbox's reason, or the signal's reason if aborted
 */
export async function startSandbox(options: SandboxOptions): Promise<SandboxProcess> {
  const { program, port, seed, signal } = options;
  const child = fork(program, [], {
    // Keeps the heap small: under load, it would otherwise grow to twice its size before garbage collection.
    execArgv: ['--optimize-for-size'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  createInterface({ input: child.stderr! }).on('line', (line) => options.onLine(line));
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, exitSignal) => resolve(exitSignal ?? `exit status ${code}`));
  });
  const died = exited.then((how): never => {
    throw new HostError('sandbox_failed', `the sandbox exited unexpectedly (${how})`);
  });
  // After `end` nobody awaits it, and an unhandled rejection would end the host.
  died.catch(() => undefined);
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  try {
    child.send({ type: 'start', port, seed });
    const answer = await Promise.race([firstMessage(child), died, aborted(signal)]);
    if (answer.type === 'failed')
      throw new HostError('sandbox_failed', `the sandbox cannot start: ${answer.message}`);
    const { origin, addresses, caCertificate } = answer;
    return { origin, addresses, caCertificate, died, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** A free port on the loopback interface. Another process may take it before it is used. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

/** Rejects with the signal's reason when it is aborted. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function firstMessage(child: ChildProcess): Promise<FromSandbox> {
  return new Promise((resolve) => child.once('message', (message) => resolve(message as FromSandbox)));
}
