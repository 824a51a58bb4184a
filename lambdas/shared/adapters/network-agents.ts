import { EventEmitter } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import { type Duplex } from 'node:stream';
import * as tls from 'node:tls';

import { HttpsProxyAgent } from 'https-proxy-agent';

import { type ProxySettings } from '../../../core/deployment/deployment-file';
import { AGENT_OPTIONS } from './https-client';
import { bypassesProxy } from './no-proxy';

/** Time limit for the connection to the proxy and its answer, in ms. */
const TUNNEL_TIMEOUT_MS = 2_000;

/** The server that an agent connects to. */
type Peer = tls.ConnectionOptions & { host: string; port: number };

/** What to trust, as a TLS context. */
export interface Authorities {
  trusted(): Promise<{ secureContext: tls.SecureContext }>;
}

/** `Proxy-Authorization`. */
export interface Credentials {
  current(): Promise<string>;
  /** Reads it again, after the proxy refused it. */
  renewed(): Promise<string>;
}

/** Basic credentials, by https://www.rfc-editor.org/rfc/rfc7617#section-2. */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** How an agent connects: through a proxy or directly, and whom it trusts. */
export interface NetworkRoute {
  authorities: Authorities | undefined;
  tunnels: Tunnels | undefined;
}

type ConnectionCallback = (error: Error | null, socket?: Duplex) => void;

/** Connects through the proxy, or with more authorities, and keeps connections as Node does. */
export class NetworkAgent extends https.Agent {
  private readonly route: NetworkRoute;

  constructor(route: NetworkRoute) {
    super(AGENT_OPTIONS);
    this.route = route;
  }

  /** @see https://nodejs.org/api/http.html#agentcreateconnectionoptions-callback */
  override createConnection(options: Peer, created: ConnectionCallback): undefined {
    this.open(options).then((socket) => created(null, socket), created);
  }

  private async open(options: Peer): Promise<Duplex> {
    const { tunnels, authorities } = this.route;
    const trusting = { ...options, ...(await authorities?.trusted()) };
    return tunnels?.serves(options) === true ? tunnels.open(trusting, true) : tls.connect(trusting);
  }
}

/** The same without TLS, for the laptop's AWS endpoint. */
export class PlainNetworkAgent extends http.Agent {
  private readonly route: NetworkRoute;

  constructor(route: NetworkRoute) {
    super(AGENT_OPTIONS);
    this.route = route;
  }

  override createConnection(options: Peer, created: ConnectionCallback): undefined {
    const { tunnels } = this.route;
    const opened =
      tunnels?.serves(options) === true
        ? tunnels.open(options, false)
        : Promise.resolve(net.connect(options));
    opened.then((socket) => created(null, socket), created);
  }
}

/** Why no tunnel was opened. Nothing was sent to the peer. `code` tells the HTTPS client whether a person must act. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: 'ERR_PROXY_FAILED' | 'ERR_PROXY_REFUSED';

  constructor(message: string, isRefused: boolean, cause?: unknown) {
    super(message, { cause });
    this.code = isRefused ? 'ERR_PROXY_REFUSED' : 'ERR_PROXY_FAILED';
  }
}

/** Tunnels through the proxy, by the method CONNECT. */
export class Tunnels {
  private readonly proxy: Pick<ProxySettings, 'url' | 'noProxy'>;
  private readonly authorities: Authorities | undefined;
  private readonly credentials: Credentials | undefined;

  constructor(
    proxy: Pick<ProxySettings, 'url' | 'noProxy'>,
    authorities: Authorities | undefined,
    credentials: Credentials | undefined,
  ) {
    this.proxy = proxy;
    this.authorities = authorities;
    this.credentials = credentials;
  }

  serves({ host, port }: Peer): boolean {
    return !bypassesProxy(host, Number(port), this.proxy.noProxy);
  }

  async open(peer: Peer, secureEndpoint: boolean): Promise<Duplex> {
    const { credentials } = this;
    const authorization = await credentials?.current();
    let attempt = await this.attempt(peer, secureEndpoint, authorization);
    if (attempt.status === 407 && credentials !== undefined) {
      const renewed = await credentials.renewed();
      // eslint-disable-next-line no-restricted-syntax -- both come from the same secret
      if (renewed !== authorization) attempt = await this.attempt(peer, secureEndpoint, renewed);
    }
    const { status, socket } = attempt;
    if (status === 200) return socket;
    socket.destroy();
    const isRefused = status >= 400 && status < 500;
    throw new ProxyError(
      `the proxy ${isRefused ? 'refuses the connection' : 'failed'} (${status})`,
      isRefused,
    );
  }

  private async attempt(
    peer: Peer,
    secureEndpoint: boolean,
    authorization: string | undefined,
  ): Promise<{ status: number; socket: Duplex }> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), TUNNEL_TIMEOUT_MS);
    const tunnel = new HttpsProxyAgent(this.proxy.url, {
      ...(await this.authorities?.trusted()),
      headers: authorization === undefined ? {} : { 'Proxy-Authorization': authorization },
      keepAlive: true,
      signal: abort.signal,
    });
    // The library tells the status to the request only.
    const request = new EventEmitter();
    let status = 0;
    request.once('proxyConnect', ({ statusCode }: { statusCode: number }) => (status = statusCode));
    try {
      const socket = await tunnel.connect(request as http.ClientRequest, { ...peer, secureEndpoint });
      return { status, socket };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const reason = abort.signal.aborted
        ? `the proxy gave no answer within ${TUNNEL_TIMEOUT_MS} ms`
        : code === undefined
          ? 'the proxy closed the connection'
          : `no connection to the proxy (${code})`;
      throw new ProxyError(reason, false, error);
    } finally {
      clearTimeout(timer);
    }
  }
}
