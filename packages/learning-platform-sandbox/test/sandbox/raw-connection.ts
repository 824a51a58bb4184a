import { connect, type ConnectionOptions } from 'node:tls';

/** How the client disconnects. */
export type Leaving = 'after the answer' | 'half-open at once' | 'abruptly';

/** What a client writes, as Latin-1 bytes. */
export interface RawRequest {
  pieces: readonly string[];
  leaving: Leaving;
  /**
   * How long the client waits without receiving anything.
   * @default 500
   */
  patienceMs?: number;
}

/** What a client receives. */
export interface RawAnswer {
  text: string;
  /** Whether the server closed or broke the connection before the client gave up. */
  isClosed: boolean;
}

const PATIENCE_MS = 500;
const TIMEOUT_MS = 20_000;

/**
 * Writes bytes over TLS without HTTP rules, and reads until the connection ends.
 * @throws {Error} if the server keeps the connection open after the client has left
 */
export function exchange(
  { host, port, ca, ...tls }: ConnectionOptions & { host: string; port: number },
  { pieces, leaving, patienceMs = PATIENCE_MS }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let isLeaving = false;
    const socket = connect({ host, port, ca, ...tls });
    const leave = () => {
      isLeaving = true;
      socket.end();
    };
    const patience = setTimeout(leave, patienceMs);
    const end = setTimeout(() => {
      reject(new Error(`the server has not ended the connection within ${TIMEOUT_MS} ms`));
      socket.destroy();
    }, TIMEOUT_MS);
    socket.once('secureConnect', () => {
      for (const piece of pieces) socket.write(Buffer.from(piece, 'latin1'));
      if (leaving === 'half-open at once') leave();
      if (leaving === 'abruptly') socket.write('', () => socket.destroy());
      patience.refresh();
    });
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      patience.refresh();
    });
    // A server that stops reading may reset the connection while the client writes.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(patience);
      clearTimeout(end);
      resolve({ text: Buffer.concat(chunks).toString('latin1'), isClosed: !isLeaving });
    });
  });
}
