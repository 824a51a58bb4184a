import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  type GetSecretValueResponse,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

import { currentSinceMs } from '../../../contract/current-since';
import {
  adoptedSecret,
  credentialSecretId,
  type DeploymentFile,
  type FieldNames,
} from '../../../contract/deployment-file';
import { type TokenType } from '../../../contract/platform';
import { type CallerVersion } from '../../../contract/restore-audit';
import { type TenantKey, tokenKeyOf } from '../../../contract/token-key';
import { tokenName } from '../../../inspect/describe';
import { type AcceptedSecret, digestOf } from '../domain/accepted-secret';
import { parseApiKey } from '../domain/credential-values';
import { type AcceptedSecrets } from '../ports';
import { storeErrorOf } from './secrets-manager-error';
import { SecretsManagerTokenReader } from './secrets-manager-token-reader';

const STAGES = ['AWSCURRENT', 'AWSPREVIOUS'] as const;
const VERSION_OF_STAGE = { AWSCURRENT: 'current', AWSPREVIOUS: 'previous' } as const;

/** Reads the secrets that authenticate callers from Secrets Manager. */
export class SecretsManagerAcceptedSecrets implements AcceptedSecrets {
  private readonly client: SecretsManagerClient;
  private readonly deployment: DeploymentFile;
  private readonly tokens: SecretsManagerTokenReader;

  constructor(client: SecretsManagerClient, deployment: DeploymentFile) {
    this.client = client;
    this.deployment = deployment;
    this.tokens = new SecretsManagerTokenReader(client, deployment.prefix);
  }

  async apiKeys(tenant: TenantKey): Promise<AcceptedSecret[]> {
    const { restoreApi } = this.deployment;
    const secretId = credentialSecretId(this.deployment, tenant, 'api-key');
    const current = await this.read(secretId, 'AWSCURRENT');
    if (current === undefined) return [];
    const { fields } = adoptedSecret(this.deployment, tenant, 'api-key') ?? {};
    const previous = await this.read(secretId, 'AWSPREVIOUS');
    if (previous === undefined) return acceptedKey(current, fields, 'current', Infinity);
    const sinceMs = currentSinceMs(await this.lastRotatedMs(secretId), current.CreatedDate?.getTime()) ?? 0;
    const graceEndsAtMs = sinceMs + restoreApi.apiKeyGraceSec * 1000;
    return [
      ...acceptedKey(current, fields, 'current', Infinity),
      ...acceptedKey(previous, fields, 'previous', graceEndsAtMs),
    ];
  }

  async contentTokens(tenant: TenantKey, declared: readonly TokenType[]): Promise<AcceptedSecret[]> {
    const content = declared.filter((tokenType) => tokenType.interface === 'content');
    const versions = await Promise.all(
      content.flatMap((tokenType) =>
        STAGES.map(async (stage) => ({
          tokenType,
          stage,
          version: await this.tokens.read(tokenKeyOf(tenant, tokenType), stage),
        })),
      ),
    );
    return versions.flatMap(({ tokenType, stage, version }) =>
      version?.token === undefined
        ? []
        : [
            {
              sha256: digestOf(version.token.accessToken),
              acceptedUntilMs: version.token.expiresAtMs,
              mayWrite: tokenType.scope === 'api/write' || tokenType.scope === 'api/all',
              source: {
                name: tokenName(tokenType),
                version: VERSION_OF_STAGE[stage],
                versionId: version.versionId,
              },
            },
          ],
    );
  }

  private async lastRotatedMs(secretId: string): Promise<number | undefined> {
    try {
      const { LastRotatedDate } = await this.client.send(new DescribeSecretCommand({ SecretId: secretId }));
      return LastRotatedDate?.getTime();
    } catch (error) {
      throw storeErrorOf(error, 'secretsmanager:DescribeSecret', secretId);
    }
  }

  private async read(
    secretId: string,
    stage: (typeof STAGES)[number],
  ): Promise<GetSecretValueResponse | undefined> {
    try {
      return await this.client.send(new GetSecretValueCommand({ SecretId: secretId, VersionStage: stage }));
    } catch (error) {
      const failure = storeErrorOf(error, 'secretsmanager:GetSecretValue', secretId);
      if (failure.code === 'not_found') return undefined;
      throw failure;
    }
  }
}

/** Returns no key if it is malformed or has no expiry. */
function acceptedKey(
  { SecretString, VersionId = '' }: GetSecretValueResponse,
  fields: FieldNames | undefined,
  version: CallerVersion,
  untilMs: number,
): AcceptedSecret[] {
  const key = parseApiKey(SecretString, fields);
  if (key === undefined) return [];
  const acceptedUntilMs = Math.min(Date.parse(key.validUntil), untilMs);
  const source = { name: 'api-key', version, versionId: VersionId };
  return [{ sha256: digestOf(key.apiKey), acceptedUntilMs, mayWrite: true, source }];
}
