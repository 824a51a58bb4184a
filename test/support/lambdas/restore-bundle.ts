import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { judgedVersion, proofRecordTags } from '../../../core/rotation/proof-record';
import { credentialSecretName, DEFAULT_PREFIX, tokenSecretName } from '../../../core/secrets/secret-names';
import { type TokenKey } from '../../../core/tokens/token-key';
import { serializeStoredToken } from '../../../core/tokens/stored-token';
import { bundle } from '../../../lib/bundling/bundle';
import { type Secret } from 'cdk-on-loopback/testing';
import { type Behavior } from './loopback-server';
import { keyOf } from './token-functions';

const DAY_MS = 86_400_000;
const CREATED_SEC = Math.floor(Date.now() / 1000);
export const VERSION_ID = 'version-1'.padEnd(32, '-');
/** Records {@link VERSION_ID} as proven. */
const TAGS = Object.entries(
  proofRecordTags({ proven: [judgedVersion(VERSION_ID, CREATED_SEC * 1000)], refused: undefined }),
);

/** A deployed function: its bundle with the deployment file. */
export interface LoadedBundle<Handler> {
  handler: Handler;
  remove(): void;
}

/** Loads a function with its own module state. */
export function loadBundle<Handler>(name: string, deployment: DeploymentFile): LoadedBundle<Handler> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  writeFileSync(join(folder, 'index.js'), bundle(name));
  writeFileSync(join(folder, 'deployment.json'), JSON.stringify(deployment));
  const { handler } = createRequire(__filename)(join(folder, 'index.js')) as { handler: Handler };
  return { handler, remove: () => rmSync(folder, { recursive: true }) };
}

/** Points the AWS SDK at one address, with dummy credentials, until mocks are restored. */
export function useAwsEndpoint(url: string, environment: Record<string, string> = {}): void {
  jest.replaceProperty(process, 'env', {
    ...process.env,
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'eu-west-2',
    AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'nothing',
    // Suppresses the SDK's warning about Node 20 on standard error, which these tests read.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    ...environment,
  });
}

/** Makes a server AWS's endpoint that accepts connections but never answers. */
export async function useSilentAws(): Promise<Server> {
  const server = createServer((socket) => socket.unref()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  useAwsEndpoint(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return server;
}

export function currentValue({ versions }: Secret): string | undefined {
  return [...versions.values()].find(({ stages }) => stages.has('AWSCURRENT'))?.secretString;
}

/** AWS as a function needs it: secret values by name and label, and token-refresh's answer. */
export class AwsStub {
  /** Values by `NAME LABEL`; a missing entry is a missing version. */
  readonly values = new Map<string, string>();
  tokenRefreshAnswer: object = {};
  failure: string | undefined;
  readonly #prefix: string;

  /** @param prefix of the deployment's names */
  constructor(prefix = DEFAULT_PREFIX) {
    this.#prefix = prefix;
  }

  storeApiKey(tenantId: string, apiKey: string): void {
    const validUntil = new Date(Date.now() + DAY_MS).toISOString();
    const name = credentialSecretName(this.#prefix, keyOf(tenantId), 'api-key');
    this.values.set(`${name} AWSCURRENT`, JSON.stringify({ apiKey, validUntil }));
  }

  storeToken(tenantId: string, scope: 'api/read' | 'api/write', accessToken: string): void {
    const times = { issuedAtMs: Date.now(), expiresAtMs: Date.now() + DAY_MS };
    const token = { accessToken, ...times, credentialVersionId: 'c', writesMs: [] };
    const key: TokenKey = { ...keyOf(tenantId), interface: 'content', scope };
    this.values.set(`${tokenSecretName(this.#prefix, key)} AWSCURRENT`, serializeStoredToken(token, key));
  }

  /**
   * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
   * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
   */
  readonly behavior: Behavior = (response, { path, headers, body }) => {
    if (path.startsWith('/2015-03-31/functions/')) {
      response.end(JSON.stringify(this.tokenRefreshAnswer));
      return;
    }
    const answer = this.#secretsManager(String(headers['x-amz-target']), body);
    response.writeHead('__type' in answer ? 400 : 200, { 'Content-Type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(answer));
  };

  #secretsManager(target: string, body: string): object {
    if (this.failure !== undefined) return { __type: this.failure, message: 'no' };
    const { SecretId, VersionStage, VersionId } = JSON.parse(body) as Record<string, string>;
    if (target === 'secretsmanager.DescribeSecret') {
      return {
        ARN: `arn:${SecretId}`,
        VersionIdsToStages: { [VERSION_ID]: ['AWSCURRENT'] },
        Tags: TAGS.map(([Key, Value]) => ({ Key, Value })),
      };
    }
    const stage = VersionId === VERSION_ID ? 'AWSCURRENT' : VersionStage;
    const SecretString = this.values.get(`${SecretId} ${stage}`);
    if (SecretString === undefined) return { __type: 'ResourceNotFoundException', message: 'no version' };
    return { ARN: `arn:${SecretId}`, VersionId: VERSION_ID, SecretString, CreatedDate: CREATED_SEC };
  }
}
