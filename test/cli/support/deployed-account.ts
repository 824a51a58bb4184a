import http from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { type ParameterLeaf, parameterName } from '../../../core/deployment/parameter-names';
import { ENVIRONMENTS } from '../../../core/deployment/platform';
import { CREDENTIAL_KINDS, credentialSecretName, tokenSecretName } from '../../../core/secrets/secret-names';
import { type DeploymentKey } from '../../../core/tokens/token-key';
import { type AccessKey, type PolicyStatement } from 'cdk-on-loopback/testing';
import { snapshotOf } from '../../core/findings/snapshots';
import { LocalAws, REGION } from 'cdk-on-loopback/testing/local-aws';
import { deploymentOf } from '../../support/lambdas/token-functions';

export const TENANT = 'eu-west-2_StagingOne';
const TOKEN = { interface: 'content', scope: 'api/read' } as const;
const FUNCTIONS: readonly ParameterLeaf[] = [
  'credential-watch-arn',
  'token-refresh-arn',
  'token-sweep-arn',
  'rotate-credentials-arn',
  'restore-arn',
];

/** A local AWS account with staging and production of one tenant, whose endpoint records the calls that it gets. */
export class DeployedAccount {
  readonly aws: LocalAws;
  /** The calls: operation and what it is about, or method and path. */
  readonly calls: string[] = [];
  /** Whether a denial names the resource, as AWS's usually do. */
  namesDeniedResources = true;
  readonly #recorder: http.Server;

  private constructor(accountId: string) {
    this.aws = new LocalAws(accountId);
    this.aws.invoker.result = { kind: 'ok', payload: ANSWER, logTail: '', requestId: 'r-1' };
    this.#recorder = http.createServer((incoming, outgoing) => void this.#forward(incoming, outgoing));
  }

  /** @param region of what is deployed @default the region of the endpoint */
  static async start(accountId: string, region = REGION): Promise<DeployedAccount> {
    const deployed = new DeployedAccount(accountId);
    await deployed.aws.start();
    await new Promise<void>((resolve) => deployed.#recorder.listen(0, '127.0.0.1', resolve));
    for (const environment of ENVIRONMENTS)
      deployed.#deploy(region, { environment, platformRegion: 'global' });
    return deployed;
  }

  async stop(): Promise<void> {
    this.#recorder.closeAllConnections();
    await new Promise((resolve) => this.#recorder.close(resolve));
    await this.aws.stop();
  }

  /** The environment of commands that use this account. */
  env({ accessKeyId, secretAccessKey, sessionToken }: AccessKey = this.aws.administrator) {
    const { port } = this.#recorder.address() as AddressInfo;
    return {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
    };
  }

  /** The environment of commands of somebody with these permissions only. */
  envOf(...statements: PolicyStatement[]) {
    return this.env(this.aws.roleKey(...statements));
  }

  /** All that commands could change: the versions of all secrets with their labels, and what was invoked. */
  state(): object {
    const { account, invoker } = this.aws;
    const secrets = [...account.secrets.values()].map(({ name, versions }) => ({
      name,
      versions: [...versions.values()].map(({ versionId, stages }) => [versionId, ...stages]),
    }));
    return { secrets, invoked: [...invoker.invoked] };
  }

  /** As if no stack of a deployment existed. */
  unpublish(): void {
    this.aws.account.parameters.clear();
  }

  /** Records a call, and has the account answer it. */
  async #forward(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const { method, url = '', headers } = incoming;
    const target = headers['x-amz-target'];
    if (typeof target === 'string') {
      const { Name, SecretId } = JSON.parse(body.toString()) as { Name?: string; SecretId?: string };
      this.calls.push([target, Name ?? SecretId].filter(Boolean).join(' '));
    } else {
      this.calls.push(`${method} ${decodeURIComponent(url)}`);
    }
    const request = http.request(`${this.aws.url}${url}`, { method, headers }, (answer) => {
      void buffer(answer).then((content) => {
        const text = content.toString();
        const shown = this.namesDeniedResources ? text : text.replace(/ on resource: [^"]*/, '');
        outgoing.writeHead(answer.statusCode!, {
          ...answer.headers,
          'content-length': Buffer.byteLength(shown),
        });
        outgoing.end(shown);
      });
    });
    request.end(body);
  }

  #deploy(region: string, deploymentKey: DeploymentKey): void {
    const { accountId, parameters, logGroups } = this.aws.account;
    const publish = (leaf: ParameterLeaf, value: string) => {
      const name = parameterName('latchkey', deploymentKey, leaf);
      parameters.set(name, { arn: `arn:aws:ssm:${region}:${accountId}:parameter${name}`, name, value });
    };
    for (const leaf of FUNCTIONS) {
      const name = `${deploymentKey.environment}-${leaf}`;
      const arn = `arn:aws:lambda:${region}:${accountId}:function:${name}`;
      this.aws.addFunction(name, { arn });
      publish(leaf, arn);
    }
    publish('restore-api-url', 'https://127.0.0.1:1/v1');
    publish('restore-log-group', 'restores');
    logGroups.set('restores', { arn: 'arn:restores', name: 'restores', events: [] });
    const tenantKey = { ...deploymentKey, tenantId: TENANT };
    const names = [
      ...CREDENTIAL_KINDS.map((kind) => credentialSecretName('latchkey', tenantKey, kind)),
      tokenSecretName('latchkey', { ...tenantKey, ...TOKEN }),
    ];
    for (const name of names) {
      const arn = `arn:aws:secretsmanager:${region}:${accountId}:secret:${name}-AbCdEf`;
      const secret = this.aws.addSecret(name, { arn });
      for (const [n, label] of ['AWSPREVIOUS', 'AWSCURRENT', 'LATCHKEY_CANDIDATE'].entries())
        this.aws.addVersion(secret, label, JSON.stringify({ canary: n }), [label]);
    }
  }
}

/** Of every function: a report of credential-watch, and to any other event a failure. */
const ANSWER = Buffer.from(
  JSON.stringify({
    ...snapshotOf(),
    deployment: deploymentOf([TENANT]),
    tenants: snapshotOf().tenants.map((tenant) => ({ ...tenant, tenantId: TENANT })),
    ok: false,
    error: { code: 'not_loaded', message: 'none' },
  }),
);
