import { fork, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { HostError } from './host-error';

/** The platform, which runs as a program of its own. */
export interface SandboxProcess {
  /** `https://127.0.0.1:PORT` */
  readonly origin: string;
  /** PEM of the authority that signed its certificate. */
  readonly caCertificate: string;
  /** Rejects with a {@link HostError} when the sandbox ends before it is told to. */
  readonly died: Promise<never>;
  end(): Promise<void>;
}

interface SandboxOptions {
  /** Path of the program for Node. */
  program: string;
  port: number;
  seed: object;
  /** A line that the sandbox wrote to its standard error. */
  onLine(line: string): void;
  signal: AbortSignal;
}

type FromSandbox =
  { type: 'listening'; origin: string; caCertificate: string } | { type: 'failed'; message: string };

/**
 * Starts the sandbox and waits until it serves. It ends with this process, whatever becomes of it.
 * @throws {HostError} `sandbox_failed` with the reason that the sandbox gives; the signal's reason when it is aborted.
 */
export async function startSandbox(options: SandboxOptions): Promise<SandboxProcess> {
  const { program, port, seed, signal } = options;
  const child = fork(program, [], {
    // A small heap: under load it would else grow to twice its size before anything is collected.
    execArgv: ['--optimize-for-size'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  createInterface({ input: child.stderr! }).on('line', (line) => options.onLine(line));
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, exitSignal) => resolve(exitSignal ?? `exit status ${code}`));
  });
  const died = exited.then((how): never => {
    throw new HostError('sandbox_failed', `the sandbox has ended by itself (${how})`);
  });
  // Whoever waits for it sees it; nobody does after an end that was asked for.
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
    return { origin: answer.origin, caCertificate: answer.caCertificate, died, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** A port of the loopback interface that was free a moment ago, so that its number can be used before it is taken. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

/** Rejects with the signal's reason once it is aborted. */
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
