import { once } from 'node:events';
import { type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

/**
 * Listens on 127.0.0.1. @returns the port
 * @param port 0 picks a free one
 * @throws an Error with `code: 'EADDRINUSE'` if the port is taken
 */
export async function listenOnLoopback(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * Reads a request's body. An oversized one is read to its end and discarded: a client that is still sending would miss the
 * response.
 * @returns undefined if it has more bytes than `maxBytes`
 * @throws if the client disconnects before its end
 */
export async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // Listeners are much faster than iterating over the stream.
  await new Promise<void>((resolve, reject) => {
    incoming.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes <= maxBytes) chunks.push(chunk);
    });
    incoming.once('end', resolve);
    incoming.once('error', reject);
    incoming.once('close', () => reject(new Error('the request was cut off')));
  });
  return sizeBytes <= maxBytes ? Buffer.concat(chunks) : undefined;
}
