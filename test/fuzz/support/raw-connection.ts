import { connect, type ConnectionOptions } from 'node:tls';

/** How a client leaves. */
export type Leaving = 'after the answer' | 'half-open at once' | 'abruptly';

/** What a client writes, as bytes of Latin-1. */
export interface RawRequest {
  pieces: readonly string[];
  leaving: Leaving;
  /** How long the client stays without getting anything, or anything more. @default 500 */
  patienceMs?: number;
}

/** What a client saw. */
export interface RawAnswer {
  text: string;
  /** The server ended the connection, or broke it, before the client gave up. */
  isClosed: boolean;
}

const PATIENCE_MS = 500;
const MOST_MS = 20_000;

/**
 * Writes bytes over TLS, as nobody's HTTP client would, and reads what comes until the connection ends.
 * @throws {Error} if the server leaves it open, although the client has gone
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
      reject(new Error(`the server has not ended the connection within ${MOST_MS} ms`));
      socket.destroy();
    }, MOST_MS);
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
    // A server that refuses to read on may reset what is still being written.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(patience);
      clearTimeout(end);
      resolve({ text: Buffer.concat(chunks).toString('latin1'), isClosed: !isLeaving });
    });
  });
}
