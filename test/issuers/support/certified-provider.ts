import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { CertificateAuthority, type ServerCertificate } from '../../support/lambdas/certificates';
import { sendHttps } from '../../support/restore-api/https-request';

/** A client of the provider, by the names of RFC 7591. */
export interface OidcClient {
  client_id: string;
  client_secret: string;
  token_endpoint_auth_method: 'client_secret_basic' | 'client_secret_post';
  scope: string;
}

/** A certified OpenID provider in its own process, with an authority of its own. End it after the tests. */
export class CertifiedProvider {
  /** What its certificate is to be trusted by. */
  readonly authorityPem: string;
  readonly #certificate: ServerCertificate;
  #process: ChildProcess | undefined;
  #port = 0;

  private constructor(authorityPem: string, certificate: ServerCertificate) {
    this.authorityPem = authorityPem;
    this.#certificate = certificate;
  }

  static async start(clients: readonly OidcClient[]): Promise<CertifiedProvider> {
    const authority = await CertificateAuthority.create();
    const provider = new CertifiedProvider(
      authority.certificatePem,
      await authority.issue({ address: '127.0.0.1' }),
    );
    await provider.#serve(clients);
    return provider;
  }

  get origin(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** Starts it again at its address, with other clients and without the tokens so far. */
  async restart(clients: readonly OidcClient[]): Promise<void> {
    await this.end();
    await this.#serve(clients);
  }

  /** How many token requests it has got since its start. */
  async tokenRequests(): Promise<number> {
    const { text } = await sendHttps(this.authorityPem, 'GET', `${this.origin}/requests`, {});
    return Number(text);
  }

  /** What it says of a token, to a client that authenticates in the body. */
  async introspect(token: string, { client_id, client_secret }: OidcClient): Promise<unknown> {
    const body = new URLSearchParams({ token, client_id, client_secret }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const url = `${this.origin}/token/introspection`;
    return JSON.parse((await sendHttps(this.authorityPem, 'POST', url, { headers, body })).text) as unknown;
  }

  async end(): Promise<void> {
    const process = this.#process!;
    process.stdin!.end();
    if (process.exitCode === null) await once(process, 'exit');
  }

  async #serve(clients: readonly OidcClient[]): Promise<void> {
    this.#process = spawn(process.execPath, [join(__dirname, 'oidc-issuer.mjs')], {
      // It warns that its keys are for development.
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const given = { certificate: this.#certificate, clients, lifetimeSec: 7200, port: this.#port };
    this.#process.stdin!.write(`${JSON.stringify(given)}\n`);
    const [port] = (await once(this.#process.stdout!, 'data')) as [Buffer];
    this.#port = Number(String(port));
  }
}
