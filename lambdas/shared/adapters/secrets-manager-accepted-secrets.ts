import { type GetSecretValueResponse, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { currentSinceMs } from '../../../core/secrets/current-since';
import {
  adoptedSecret,
  credentialSecretId,
  type DeploymentFile,
  type FieldNames,
} from '../../../core/deployment/deployment-file';
import { holderOf } from '../../../core/secrets/former-version';
import { sha256Hex } from '../../../core/secrets/sha256';
import { isSameVersion, judgedVersion, parseProofRecord } from '../../../core/rotation/proof-record';
import { type CallerVersion } from '../../../core/restore/restore-audit';
import { type TenantKey, tokenKeyOf, tokenName, type TokenType } from '../../../core/tokens/token-key';
import { type AcceptedSecret, digestOf } from '../../../core/secrets/accepted-secret';
import { parseApiKey } from '../../../core/secrets/credential-values';
import { openingVersions, type OpeningVersion, provenEntry } from '../../../core/rotation/proven-versions';
import { type AcceptedSecrets } from '../ports';
import {
  describeSecret,
  getSecretValue,
  labelsOf,
  tagsOf,
  undefinedIfMissing,
} from './secrets-manager-calls';
import { SecretsManagerTokenReader } from './secrets-manager-token-reader';

const STAGES = ['AWSCURRENT', 'AWSPREVIOUS'] as const;
const VERSION_OF_STAGE = { AWSCURRENT: 'current', AWSPREVIOUS: 'previous' } as const;

/** The API keys and tokens in Secrets Manager that open the restore API. */
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
    const secretId = credentialSecretId(this.deployment, tenant, 'api-key');
    const secret = await describeSecret(this.client, secretId).catch(undefinedIfMissing);
    if (secret === undefined) return [];
    const labels = labelsOf(secret);
    const record = parseProofRecord(tagsOf(secret));
    const opening = openingVersions(record, labels);
    const versions = await Promise.all(
      opening.map(async (version) => {
        const call = getSecretValue(this.client, { SecretId: secretId, VersionId: version.versionId });
        return { version, read: await call.catch(undefinedIfMissing) };
      }),
    );
    const { fields } = adoptedSecret(this.deployment, tenant, 'api-key') ?? {};
    const current = versions.find(({ version }) => version.label === 'current')?.read;
    const judged = provenEntry(record, holderOf(labels, 'AWSCURRENT'));
    const createdMs = current?.CreatedDate?.getTime() ?? (judged && judged.createdSec * 1000);
    const sinceMs = currentSinceMs(secret.LastRotatedDate?.getTime(), createdMs) ?? 0;
    const graceEndsAtMs = sinceMs + this.deployment.restoreApi.apiKeyGraceSec * 1000;
    return versions.flatMap(({ version, read }) =>
      read === undefined || !isAsJudged(version, read)
        ? []
        : acceptedKey(read, fields, version.label, version.isInGrace ? graceEndsAtMs : Infinity),
    );
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
    // A token is renewed early, so the previous one is usually still valid: unless the platform refused it.
    const refused = new Set(
      versions.flatMap(({ version }) => version?.token?.refusedTokens?.map(({ sha256 }) => sha256) ?? []),
    );
    return versions.flatMap(({ tokenType, stage, version }) =>
      version?.token === undefined || refused.has(sha256Hex(version.token.accessToken))
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
}

/** Whether a version is the one that the platform accepted, and not another one that got its id. */
function isAsJudged({ versionId, judged }: OpeningVersion, { CreatedDate }: GetSecretValueResponse): boolean {
  return isSameVersion(judged, judgedVersion(versionId, CreatedDate?.getTime() ?? 0));
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
