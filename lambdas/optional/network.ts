import { X509Certificate } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import { type Duplex } from 'node:stream';
import * as tls from 'node:tls';

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { HttpsProxyAgent } from 'https-proxy-agent';

import { type NetworkSettings, type ProxySettings } from '../../contract/deployment-file';
import { parseJsonObject } from '../../contract/json-object';
import { AGENT_OPTIONS } from '../shared/adapters/https-client';
import { bypassesProxy } from '../shared/adapters/no-proxy';

/** Time limit for the connection to the proxy and its answer, in ms. */
const TUNNEL_TIMEOUT_MS = 2_000;

/** How calls leave a function. */
export interface Network {
  /** For calls to the platform. */
  readonly platform: https.Agent;
  /** For the SDK's request handlers. Undefined if calls to AWS leave as usual. */
  readonly aws: { readonly httpsAgent: https.Agent; readonly httpAgent: http.Agent } | undefined;
}

/** Where an agent connects to. */
type Target = tls.ConnectionOptions & { host: string; port: number };

/** Opens no connection yet. */
export function openNetwork({ proxy, certificateAuthorities }: NetworkSettings): Network {
  const authorities =
    certificateAuthorities === undefined ? undefined : new CertificateAuthorities(certificateAuthorities);
  const awsProxy = proxy?.awsCalls === 'proxy' ? proxy : undefined;
  const forAws: Ways = { authorities, tunnels: awsProxy && new Tunnels(awsProxy, authorities, undefined) };
  const aws = { httpsAgent: new NetworkAgent(forAws), httpAgent: new PlainNetworkAgent(forAws) };
  const isForAws = authorities !== undefined || awsProxy !== undefined;
  const arn = proxy?.credentialsSecretArn;
  const credentials =
    arn === undefined ? undefined : new ProxyCredentials(secretReader(arn, isForAws ? aws : {}));
  return {
    platform: new NetworkAgent({
      authorities,
      tunnels: proxy && new Tunnels(proxy, authorities, credentials),
    }),
    aws: isForAws ? aws : undefined,
  };
}

const TIMEOUTS = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };

function secretReader(arn: string, agents: object): () => Promise<string> {
  let client: SecretsManagerClient | undefined;
  return async () => {
    client ??= new SecretsManagerClient({ requestHandler: { ...TIMEOUTS, ...agents } });
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
    return SecretString;
  };
}

interface Ways {
  authorities: CertificateAuthorities | undefined;
  tunnels: Tunnels | undefined;
}

type Created = (error: Error | null, socket?: Duplex) => void;

/** Connects through the proxy, or with more authorities, and keeps connections as Node does. */
class NetworkAgent extends https.Agent {
  private readonly ways: Ways;

  constructor(ways: Ways) {
    super(AGENT_OPTIONS);
    this.ways = ways;
  }

  /** @see https://nodejs.org/api/http.html#agentcreateconnectionoptions-callback */
  override createConnection(options: Target, created: Created): undefined {
    this.open(options).then((socket) => created(null, socket), created);
  }

  private async open(options: Target): Promise<Duplex> {
    const { tunnels, authorities } = this.ways;
    const trusting = { ...options, ...(await authorities?.trusted()) };
    return tunnels?.serves(options) === true ? tunnels.open(trusting, true) : tls.connect(trusting);
  }
}

/** The same without TLS, for the laptop's AWS endpoint. */
class PlainNetworkAgent extends http.Agent {
  private readonly ways: Ways;

  constructor(ways: Ways) {
    super(AGENT_OPTIONS);
    this.ways = ways;
  }

  override createConnection(options: Target, created: Created): undefined {
    const { tunnels } = this.ways;
    const opened =
      tunnels?.serves(options) === true
        ? tunnels.open(options, false)
        : Promise.resolve(net.connect(options));
    opened.then((socket) => created(null, socket), created);
  }
}

/** Why no tunnel came about. Nothing was sent to the target. `code` tells the HTTPS client whether a person must act. */
class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: 'ERR_PROXY_FAILED' | 'ERR_PROXY_REFUSED';

  constructor(message: string, isRefused: boolean, cause?: unknown) {
    super(message, { cause });
    this.code = isRefused ? 'ERR_PROXY_REFUSED' : 'ERR_PROXY_FAILED';
  }
}

/** Tunnels through the proxy, by the method CONNECT. */
class Tunnels {
  private readonly proxy: ProxySettings;
  private readonly authorities: CertificateAuthorities | undefined;
  private readonly credentials: ProxyCredentials | undefined;

  constructor(
    proxy: ProxySettings,
    authorities: CertificateAuthorities | undefined,
    credentials: ProxyCredentials | undefined,
  ) {
    this.proxy = proxy;
    this.authorities = authorities;
    this.credentials = credentials;
  }

  serves({ host, port }: Target): boolean {
    return !bypassesProxy(host, Number(port), this.proxy.noProxy);
  }

  async open(target: Target, secureEndpoint: boolean): Promise<Duplex> {
    const { credentials } = this;
    const authorization = await credentials?.current();
    let tried = await this.try(target, secureEndpoint, authorization);
    if (tried.status === 407 && credentials !== undefined) {
      const renewed = await credentials.renewed();
      // eslint-disable-next-line no-restricted-syntax -- both come from the same secret
      if (renewed !== authorization) tried = await this.try(target, secureEndpoint, renewed);
    }
    const { status, socket } = tried;
    if (status === 200) return socket;
    socket.destroy();
    const isRefused = status >= 400 && status < 500;
    throw new ProxyError(
      `the proxy ${isRefused ? 'refuses the connection' : 'failed'} (${status})`,
      isRefused,
    );
  }

  private async try(
    target: Target,
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
      const socket = await tunnel.connect(request as http.ClientRequest, { ...target, secureEndpoint });
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

/** `Proxy-Authorization` for user and password of a secret. */
class ProxyCredentials {
  private readonly read: () => Promise<string>;
  private known: Promise<string> | undefined;

  constructor(read: () => Promise<string>) {
    this.read = read;
  }

  async current(): Promise<string> {
    const known = (this.known ??= this.authorization());
    // A failure is not remembered.
    known.catch(() => (this.known = undefined));
    return known;
  }

  /** As the secret has them now: the password may have changed. */
  async renewed(): Promise<string> {
    this.known = undefined;
    return this.current();
  }

  private async authorization(): Promise<string> {
    const value = await this.read().catch((error: unknown) => {
      const { name = 'no error' } = (error ?? {}) as Partial<Error>;
      throw new ProxyError(`the proxy's credentials cannot be read (${name})`, false, error);
    });
    const { username, password } = parseJsonObject(value) ?? {};
    // A colon would end the user's name: https://www.rfc-editor.org/rfc/rfc7617#section-2
    const isUsable = typeof username === 'string' && typeof password === 'string' && /^[^:]+$/.test(username);
    if (!isUsable) throw new ProxyError("the proxy's secret has no username and password", true);
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }
}

/** The code begins as those of TLS do: the HTTPS client takes it for a failure of TLS, before which nothing is sent. */
class CertificateAuthoritiesError extends Error {
  override readonly name = 'CertificateAuthoritiesError';
  readonly code: 'ERR_TLS_AUTHORITIES_UNREADABLE' | 'ERR_TLS_AUTHORITIES_MALFORMED';

  constructor(code: CertificateAuthoritiesError['code'], cause?: unknown) {
    super('the certificate authorities of the SSM parameter cannot be used', { cause });
    this.code = code;
  }
}

/** Certificate authorities in an SSM parameter, which are trusted besides those of Node. */
class CertificateAuthorities {
  private readonly parameterName: string;
  private known: Promise<{ secureContext: tls.SecureContext }> | undefined;

  constructor(parameterName: string) {
    this.parameterName = parameterName;
  }

  trusted(): Promise<{ secureContext: tls.SecureContext }> {
    const known = (this.known ??= this.read());
    known.catch(() => (this.known = undefined));
    return known;
  }

  private async read(): Promise<{ secureContext: tls.SecureContext }> {
    // Not by our agents: it needs no authority that it is to find.
    const ssm = new SSMClient({ requestHandler: TIMEOUTS });
    try {
      const { Parameter } = await ssm
        .send(new GetParameterCommand({ Name: this.parameterName }))
        .catch((error: unknown) => {
          throw new CertificateAuthoritiesError('ERR_TLS_AUTHORITIES_UNREADABLE', error);
        });
      const added = certificatesIn(Parameter?.Value ?? '');
      const ca = [...usualAuthorities(), ...added];
      return { secureContext: tls.createSecureContext({ ca, minVersion: AGENT_OPTIONS.minVersion }) };
    } finally {
      ssm.destroy();
    }
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function certificatesIn(pem: string): string[] {
  const certificates = pem.match(CERTIFICATE) ?? [];
  try {
    for (const each of certificates) new X509Certificate(each);
  } catch (error) {
    throw new CertificateAuthoritiesError('ERR_TLS_AUTHORITIES_MALFORMED', error);
  }
  if (certificates.length === 0) throw new CertificateAuthoritiesError('ERR_TLS_AUTHORITIES_MALFORMED');
  return certificates;
}

/** What Node trusts by itself: a list of our own would replace it. */
function usualAuthorities(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  if (getCACertificates !== undefined) return getCACertificates('default');
  const { NODE_EXTRA_CA_CERTS: file } = process.env;
  return [...tls.rootCertificates, ...(file === undefined ? [] : [readFileSync(file, 'utf8')])];
}
