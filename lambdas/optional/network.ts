import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type * as http from 'node:http';
import type * as https from 'node:https';
import * as tls from 'node:tls';

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';

import { type NetworkSettings } from '../../core/deployment/deployment-file';
import { parseJsonObject } from '../../core/json/json-object';
import { AGENT_OPTIONS } from '../shared/adapters/https-client';
import {
  type Authorities,
  basicAuthorization,
  type Credentials,
  NetworkAgent,
  PlainNetworkAgent,
  ProxyError,
  Tunnels,
  type NetworkRoute,
} from '../shared/adapters/network-agents';

/** How calls leave a function. */
export interface Network {
  /** For calls to the platform. */
  readonly platform: https.Agent;
  /** For the SDK's request handlers. Undefined if calls to AWS leave as usual. */
  readonly aws: { readonly httpsAgent: https.Agent; readonly httpAgent: http.Agent } | undefined;
}

/** Opens no connection yet. */
export function openNetwork({ proxy, certificateAuthorities }: NetworkSettings): Network {
  const authorities =
    certificateAuthorities === undefined ? undefined : new CertificateAuthorities(certificateAuthorities);
  const awsProxy = proxy?.awsCalls === 'proxy' ? proxy : undefined;
  // Calls past the proxy need none of its authorities. To trust the parameter there would only help somebody who changes it.
  const awsAuthorities = proxy?.awsCalls === 'direct' ? undefined : authorities;
  const awsRoute: NetworkRoute = {
    authorities: awsAuthorities,
    tunnels: awsProxy && new Tunnels(awsProxy, authorities, undefined),
  };
  const aws = { httpsAgent: new NetworkAgent(awsRoute), httpAgent: new PlainNetworkAgent(awsRoute) };
  const isForAws = awsAuthorities !== undefined || awsProxy !== undefined;
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

/** `Proxy-Authorization` for user and password of a secret. */
class ProxyCredentials implements Credentials {
  private readonly read: () => Promise<string>;
  private cached: Promise<string> | undefined;

  constructor(read: () => Promise<string>) {
    this.read = read;
  }

  async current(): Promise<string> {
    const cached = (this.cached ??= this.authorization());
    // A failure is not remembered.
    cached.catch(() => (this.cached = undefined));
    return cached;
  }

  /** As the secret has them now: the password may have changed. */
  async renewed(): Promise<string> {
    this.cached = undefined;
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
    return basicAuthorization(username, password);
  }
}

/** Its code starts with `ERR_TLS_`, so that the HTTPS client reports a TLS failure, before which nothing is sent. */
class CertificateAuthoritiesError extends Error {
  override readonly name = 'CertificateAuthoritiesError';
  readonly code: 'ERR_TLS_AUTHORITIES_UNREADABLE' | 'ERR_TLS_AUTHORITIES_MALFORMED';

  constructor(code: CertificateAuthoritiesError['code'], cause?: unknown) {
    super('the certificate authorities of the SSM parameter cannot be used', { cause });
    this.code = code;
  }
}

/** Certificate authorities in an SSM parameter, which are trusted besides those of Node. */
class CertificateAuthorities implements Authorities {
  private readonly parameterName: string;
  private cached: Promise<{ secureContext: tls.SecureContext }> | undefined;

  constructor(parameterName: string) {
    this.parameterName = parameterName;
  }

  trusted(): Promise<{ secureContext: tls.SecureContext }> {
    const cached = (this.cached ??= this.read());
    cached.catch(() => (this.cached = undefined));
    return cached;
  }

  private async read(): Promise<{ secureContext: tls.SecureContext }> {
    // Not with our agents, which wait for the authorities that this call reads.
    const ssm = new SSMClient({ requestHandler: TIMEOUTS });
    try {
      const { Parameter } = await ssm
        .send(new GetParameterCommand({ Name: this.parameterName }))
        .catch((error: unknown) => {
          throw new CertificateAuthoritiesError('ERR_TLS_AUTHORITIES_UNREADABLE', error);
        });
      const added = certificatesIn(Parameter?.Value ?? '');
      const ca = [...defaultAuthorities(), ...added];
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
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch (error) {
    throw new CertificateAuthoritiesError('ERR_TLS_AUTHORITIES_MALFORMED', error);
  }
  if (certificates.length === 0) throw new CertificateAuthoritiesError('ERR_TLS_AUTHORITIES_MALFORMED');
  return certificates;
}

/** What Node trusts by itself: a list of our own would replace it. */
function defaultAuthorities(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  if (getCACertificates !== undefined) return getCACertificates('default');
  const { NODE_EXTRA_CA_CERTS: file } = process.env;
  return [...tls.rootCertificates, ...(file === undefined ? [] : [readFileSync(file, 'utf8')])];
}
