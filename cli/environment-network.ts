import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';

import { type sendHttps, sendHttpsOver } from '../lambdas/shared/adapters/https-client';
import {
  type Authorities,
  basicAuthorization,
  NetworkAgent,
  Tunnels,
} from '../lambdas/shared/adapters/network-agents';
import { usageError } from './command-error';

/** How the command's calls leave this machine, if not directly. */
export interface EnvironmentNetwork {
  /** For the SDK's request handlers. */
  readonly agents: { readonly httpsAgent: NetworkAgent };
  /** Sends requests to the platform and to the restore API. */
  readonly sendRequest: typeof sendHttps;
}

/**
 * Reads the variables that other tools use: HTTPS_PROXY and NO_PROXY, whose lower-case names take precedence, and AWS_CA_BUNDLE.
 * Node itself reads NODE_EXTRA_CA_CERTS.
 * @throws {CommandError} usage, without the value of a variable, which may hold a password
 * @see https://curl.se/docs/manpage.html#ENVIRONMENT
 * @see https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html (AWS_CA_BUNDLE)
 */
export function networkOf(env: NodeJS.ProcessEnv): EnvironmentNetwork {
  const tunnels = tunnelsOf(env);
  const { AWS_CA_BUNDLE: bundle = '' } = env;
  const authorities = bundle === '' ? undefined : authoritiesWith(bundle);
  return {
    agents: { httpsAgent: new NetworkAgent({ tunnels, authorities }) },
    sendRequest: sendHttpsOver(new NetworkAgent({ tunnels, authorities: undefined })),
  };
}

function tunnelsOf(env: NodeJS.ProcessEnv): Tunnels | undefined {
  const written = env.https_proxy ?? env.HTTPS_PROXY ?? '';
  if (written === '') return undefined;
  const text = written.includes('://') ? written : `http://${written}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw usageError(
      'HTTPS_PROXY',
      'a value that names no proxy',
      'http://HOST:PORT or https://HOST:PORT, perhaps with user and password',
    );
  }
  const noProxy = (env.no_proxy ?? env.NO_PROXY ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  const authorization =
    url.username === '' ? undefined : basicAuthorization(unescaped(url.username), unescaped(url.password));
  const ask = () => Promise.resolve(authorization!);
  const credentials = authorization === undefined ? undefined : { current: ask, renewed: ask };
  return new Tunnels({ url: `${url.protocol}//${url.host}`, noProxy }, undefined, credentials);
}

/** As curl takes it: a percent sign that begins no escape stands for itself. */
function unescaped(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** The file is added to the authorities of Node: some calls may not pass the proxy whose certificates it holds. */
function authoritiesWith(file: string): Authorities {
  let added: string;
  try {
    added = readFileSync(file, 'utf8');
  } catch {
    throw usageError('AWS_CA_BUNDLE', 'a file that cannot be read', 'a readable PEM file');
  }
  try {
    new X509Certificate(added);
  } catch {
    throw usageError('AWS_CA_BUNDLE', 'a file without valid certificates', 'a readable PEM file');
  }
  const ca = [...tls.rootCertificates, ...extraAuthorities(), added];
  const trusted = Promise.resolve({ secureContext: tls.createSecureContext({ ca, minVersion: 'TLSv1.2' }) });
  return { trusted: () => trusted };
}

/** Node itself says if it cannot read them, and goes on. */
function extraAuthorities(): string[] {
  const { NODE_EXTRA_CA_CERTS: file } = process.env;
  try {
    return file === undefined ? [] : [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}
