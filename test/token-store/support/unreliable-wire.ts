import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What becomes of the next request, or of its answer. */
export type WireFault = 'request lost' | 'request swallowed' | 'answer lost' | 'answer held back';

/** A loopback wire to a server on this machine. It carries every byte as it is, until a test makes something go wrong. */
export class UnreliableWire {
  readonly #toPort: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #nextFault: WireFault | undefined;
  #url = '';

  constructor(toPort: number) {
    this.#toPort = toPort;
    this.#server = createServer((client) => this.#carry(client));
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return this.#url;
  }

  failNext(fault: WireFault): void {
    this.#nextFault = fault;
  }

  /** Ends every connection, and refuses new ones. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #carry(client: Socket): void {
    const upstream = connect(this.#toPort, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    this.#pass(client, upstream, 'request lost', 'request swallowed');
    this.#pass(upstream, client, 'answer lost', 'answer held back');
  }

  /** Passes bytes on; the one fault resets the connection, the other leaves it open in silence. */
  #pass(from: Socket, to: Socket, reset: WireFault, silence: WireFault): void {
    let isSilent = false;
    from.on('data', (bytes) => {
      const fault = this.#nextFault;
      if (fault === reset || fault === silence) this.#nextFault = undefined;
      if (fault === reset) from.destroy();
      isSilent ||= fault === silence;
      if (fault !== reset && !isSilent) to.write(bytes);
    });
  }
}
