import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

import { GUARANTEED_LIFE_SEC, DEFAULT_READER_CACHE_SEC } from '../../core/tokens/lifetimes';
import { DEFAULT_PREFIX, tokenSecretName } from '../../core/secrets/secret-names';
import { type TokenValue } from '../../core/secrets/secret-values';

/** How long the kubelet takes at most by default: a sync every minute, of what it may have cached for another. */
const KUBELET_SEC = 2 * 60;

/**
 * The fields that each resource must have. The API server drops fields that a schema does not have, so a misspelled one
 * must fail here.
 * @see https://github.com/external-secrets/external-secrets/tree/main/config/crds/bases
 * `external-secrets.io_secretstores.yaml` and `external-secrets.io_externalsecrets.yaml`, version v1
 */
const FIELDS = [
  ['metadata.name', 'metadata.annotations.eks.amazonaws.com/role-arn'],
  [
    'metadata.name',
    'spec.provider.aws.service',
    'spec.provider.aws.region',
    'spec.provider.aws.auth.jwt.serviceAccountRef.name',
  ],
  [
    'metadata.name',
    'spec.refreshPolicy',
    'spec.refreshInterval',
    'spec.secretStoreRef.kind',
    'spec.secretStoreRef.name',
    'spec.target.name',
    ...[0, 1].flatMap((index) =>
      ['secretKey', 'remoteRef.key', 'remoteRef.property'].map((field) => `spec.data.${index}.${field}`),
    ),
  ],
];

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}
interface SecretStore extends Resource {
  spec: { provider: { aws: { service: string; auth: object } } };
}
interface ExternalSecret extends Resource {
  spec: {
    refreshPolicy: string;
    refreshInterval: string;
    secretStoreRef: { kind: string; name: string };
    data: { secretKey: string; remoteRef: { key: string; property: string } }[];
  };
}

const text = readFileSync(join(__dirname, '../../docs/recipes/external-secret.yaml'), 'utf8');
const resources = parseAllDocuments(text).map((each) => each.toJS() as Resource);
const [account, store, secret] = resources as [Resource, SecretStore, ExternalSecret];

/** The path of each value in a resource. */
function pathsIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [path.join('.')];
  return Object.entries(value).flatMap(([name, part]) => pathsIn(part, [...path, name]));
}

describe('the manifest for External Secrets Operator', () => {
  it('has the operator’s resources, with fields and values that they have', () => {
    expect(resources.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      'v1 ServiceAccount',
      'external-secrets.io/v1 SecretStore',
      'external-secrets.io/v1 ExternalSecret',
    ]);
    expect(resources.map((each) => pathsIn({ ...each, apiVersion: {}, kind: {} }))).toEqual(FIELDS);
    expect(store.spec.provider.aws.service).toBe('SecretsManager');
  });

  it('refers to its own service account and store', () => {
    expect(store.spec.provider.aws.auth).toEqual({
      jwt: { serviceAccountRef: { name: account.metadata.name } },
    });
    expect(secret.spec.secretStoreRef).toEqual({ kind: 'SecretStore', name: store.metadata.name });
  });

  it('copies fields of the token’s secret under their own names', () => {
    const fields: (keyof TokenValue)[] = ['accessToken', 'expiresAt'];
    const key = tokenSecretName(DEFAULT_PREFIX, {
      environment: 'staging',
      platformRegion: 'global',
      tenantId: 'eu-west-2_AbcdEfghI',
      interface: 'content',
      scope: 'api/read',
    });

    expect(secret.spec.data).toEqual(
      fields.map((property) => ({ secretKey: property, remoteRef: { key, property } })),
    );
  });

  it('is refreshed so often that a pod never sees an expired token, even if one refresh fails', () => {
    // A duration of Go.
    const [, minutes] = /^(\d+)m0s$/.exec(secret.spec.refreshInterval)!;
    const refreshSec = Number(minutes) * 60;

    expect(secret.spec.refreshPolicy).toBe('Periodic');
    // 0 would mean once.
    expect(refreshSec).toBeGreaterThan(0);
    expect(refreshSec + KUBELET_SEC).toBeLessThanOrEqual(DEFAULT_READER_CACHE_SEC);
    expect(refreshSec).toBeLessThanOrEqual(GUARANTEED_LIFE_SEC - DEFAULT_READER_CACHE_SEC);
    expect(2 * refreshSec + KUBELET_SEC).toBeLessThan(GUARANTEED_LIFE_SEC);
  });

  it('is described on the page with its interval', () => {
    const page = readFileSync(join(__dirname, '../../docs/readers.md'), 'utf8');

    expect(page).toContain('(recipes/external-secret.yaml)');
    expect(page).toContain(`every ${Number.parseInt(secret.spec.refreshInterval)} minutes`);
  });
});
