import { type Context } from 'aws-lambda';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { KIND_TAG } from '../../../core/secrets/credential-labels';
import {
  CREDENTIAL_KINDS,
  type CredentialKind,
  credentialSecretName,
  DEFAULT_PREFIX,
  tokenSecretName,
} from '../../../core/secrets/secret-names';
import { type Secret } from 'cdk-on-loopback/testing';
import { LocalAws } from 'cdk-on-loopback/testing/local-aws';
import { CredentialPlatform } from '../platform/credential-platform';
import { captureOutput } from './captured-output';
import { CertificateAuthority } from './certificates';
import { LoopbackServer } from './loopback-server';
import { type LoadedBundle, loadBundle, useAwsEndpoint } from './restore-bundle';
import { deploymentOf, KEY, TENANT_ID } from './token-functions';
import { trustAuthority } from './trusted-authority';

type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** The bundles of a deployment of one tenant, with the SDK against a local account, and its platform over TLS. */
export class BundledFunctions {
  readonly aws = new LocalAws();
  readonly platform = new CredentialPlatform(TENANT_ID, () => Date.now());
  readonly output = captureOutput();
  /** Both have a working value. */
  readonly credentials: Readonly<Record<CredentialKind, Secret>>;
  /** Has no value. */
  readonly token: Secret;
  server!: LoopbackServer;
  /** Another server that the functions trust. */
  elsewhere!: LoopbackServer;
  /** Without the platform's addresses. */
  deployment: DeploymentFile;
  readonly #bundles = new Map<string, LoadedBundle<Handler>>();

  private constructor(prefix: string) {
    const { aws, platform } = this;
    const [pair, apiKey] = CREDENTIAL_KINDS.map((kind) => {
      const secret = aws.addSecret(credentialSecretName(prefix, KEY, kind), { tags: { [KIND_TAG]: kind } });
      aws.addVersion(secret, 'version-that-was-current-before-00', platform.issueValue(kind));
      return secret;
    });
    this.credentials = { 'client-credentials': pair!, 'api-key': apiKey! };
    this.token = aws.addSecret(tokenSecretName(prefix, KEY));
    this.deployment = deploymentOf([TENANT_ID], { prefix });
  }

  /**
   * Runs a test with such functions. Jitter is 0, so no time is wasted.
   * @param prefix of the deployment's names
   */
  static async use(
    run: (functions: BundledFunctions) => Promise<void>,
    prefix = DEFAULT_PREFIX,
  ): Promise<void> {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const functions = new BundledFunctions(prefix);
    try {
      await functions.#start();
      await run(functions);
    } finally {
      for (const loaded of functions.#bundles.values()) loaded.remove();
      await Promise.all([LoopbackServer.stopAll(), functions.aws.stop()]);
      jest.restoreAllMocks();
    }
  }

  async #start(): Promise<void> {
    const { aws, platform } = this;
    const authority = await CertificateAuthority.create();
    trustAuthority(authority.certificatePem);
    const certificate = await authority.issue();
    this.elsewhere = await LoopbackServer.start(certificate);
    this.server = await LoopbackServer.start(certificate);
    this.server.behavior = (response, { path, headers, body }) => {
      const reply = platform.reply(path, body, headers);
      if (reply.kind !== 'answer') throw new Error(`no ${reply.kind} over the wire`);
      response.writeHead(reply.status, reply.headers).end(reply.body);
    };
    await aws.start();
    const { accessKeyId, secretAccessKey } = aws.administrator;
    useAwsEndpoint(aws.url, {
      AWS_REGION: aws.account.region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      TOKEN_REFRESH_ARN: 'token-refresh',
    });
  }

  /** Invokes a function, whose process stays warm. */
  invoke(name: string, event: object, remainingMs = 5_000): Promise<unknown> {
    const startedMs = performance.now();
    const context = {
      awsRequestId: 'request-1',
      getRemainingTimeInMillis: () => remainingMs - (performance.now() - startedMs),
    } as Context;
    return this.handlerOf(name)(event, context);
  }

  handlerOf(name: string): Handler {
    const { url } = this.server;
    const platform = {
      contentBaseUrl: `${url}/api`,
      contentTokenBaseUrl: `${url}/content`,
      webhooksBaseUrl: `${url}/webhooks-api`,
      webhooksTokenBaseUrl: `${url}/webhooks`,
    };
    const loaded = this.#bundles.get(name) ?? loadBundle<Handler>(name, { ...this.deployment, platform });
    this.#bundles.set(name, loaded);
    return loaded.handler;
  }
}
