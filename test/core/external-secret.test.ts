import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

import { GUARANTEED_LIFE_SEC, DEFAULT_READER_CACHE_SEC } from '../../core/tokens/lifetimes';
import { DEFAULT_PREFIX, tokenSecretName } from '../../core/secrets/secret-names';
import { type TokenValue } from '../../core/secrets/secret-values';

/** How long the kubelet takes at most by default: a sync every minute, of what it may have cached for another. */
const KUBELET_SEC = 2 * 60;
const REFRESH_MINUTES = 2;

const docs = (name: string) => readFileSync(join(__dirname, '../../docs', name), 'utf8');

describe('the manifest for External Secrets Operator', () => {
  /**
   * The API server drops fields that a schema does not have, so a misspelled one must fail here.
   * @see https://github.com/external-secrets/external-secrets/tree/main/config/crds/bases
   * `external-secrets.io_secretstores.yaml` and `external-secrets.io_externalsecrets.yaml`, version v1
   */
  it('copies fields of the token’s secret under their own names, by a store with its own account', () => {
    const key = tokenSecretName(DEFAULT_PREFIX, {
      environment: 'staging',
      platformRegion: 'global',
      tenantId: 'eu-west-2_AbcdEfghI',
      interface: 'content',
      scope: 'api/read',
    });
    const fields: (keyof TokenValue)[] = ['accessToken', 'expiresAt'];
    const account = { name: 'latchkey-tokens' };
    const role = expect.stringMatching(/^arn:aws:iam::\d{12}:role\//) as string;

    expect(
      parseAllDocuments(docs('recipes/external-secret.yaml')).map((each) => each.toJS() as object),
    ).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { ...account, annotations: { 'eks.amazonaws.com/role-arn': role } },
      },
      {
        apiVersion: 'external-secrets.io/v1',
        kind: 'SecretStore',
        metadata: { name: 'latchkey-tokens' },
        spec: {
          provider: {
            aws: {
              service: 'SecretsManager',
              region: expect.any(String) as string,
              auth: { jwt: { serviceAccountRef: account } },
            },
          },
        },
      },
      {
        apiVersion: 'external-secrets.io/v1',
        kind: 'ExternalSecret',
        metadata: { name: 'content-token' },
        spec: {
          refreshPolicy: 'Periodic',
          refreshInterval: `${REFRESH_MINUTES}m0s`,
          secretStoreRef: { kind: 'SecretStore', name: 'latchkey-tokens' },
          target: { name: 'content-token' },
          data: fields.map((property) => ({ secretKey: property, remoteRef: { key, property } })),
        },
      },
    ]);
  });

  it('is refreshed so often that a pod never sees an expired token, even if one refresh fails', () => {
    const refreshSec = REFRESH_MINUTES * 60;

    expect(refreshSec + KUBELET_SEC).toBeLessThanOrEqual(DEFAULT_READER_CACHE_SEC);
    expect(refreshSec).toBeLessThanOrEqual(GUARANTEED_LIFE_SEC - DEFAULT_READER_CACHE_SEC);
    expect(2 * refreshSec + KUBELET_SEC).toBeLessThan(GUARANTEED_LIFE_SEC);
  });

  it('is described on the page with its interval', () => {
    expect(docs('readers.md')).toContain('(recipes/external-secret.yaml)');
    expect(docs('readers.md')).toContain(`every ${REFRESH_MINUTES} minutes`);
  });
});
