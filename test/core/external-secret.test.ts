import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import { parseAllDocuments } from 'yaml';

import { GUARANTEED_LIFE_SEC, DEFAULT_READER_CACHE_SEC } from '../../core/tokens/lifetimes';
import { DEFAULT_PREFIX, tokenSecretName } from '../../core/secrets/secret-names';
import { type TokenValue } from '../../core/secrets/secret-values';

/** How long the kubelet takes at most by default: a sync every minute, of what it may have cached for another. */
const KUBELET_SEC = 2 * 60;
const API = 'external-secrets.io/v1';

const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const name = {
  type: 'string',
  minLength: 1,
  maxLength: 253,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
};
const resource = (apiVersion: string, kind: string, more: object) =>
  object({ apiVersion: { const: apiVersion }, kind: { const: kind }, ...more });

/**
 * The fields of the operator's schemas that the manifest uses. The API server drops fields that a schema does not have,
 * so a misspelled one must fail here.
 * @see https://github.com/external-secrets/external-secrets/tree/main/config/crds/bases
 * `external-secrets.io_secretstores.yaml` and `external-secrets.io_externalsecrets.yaml`, version v1
 */
const SCHEMAS = [
  resource('v1', 'ServiceAccount', {
    metadata: object({ name, annotations: object({ 'eks.amazonaws.com/role-arn': { type: 'string' } }) }),
  }),
  resource(API, 'SecretStore', {
    metadata: object({ name }),
    spec: object({
      provider: object({
        aws: object({
          service: { enum: ['SecretsManager', 'ParameterStore', 'CertificateManager'] },
          region: { type: 'string' },
          auth: object({ jwt: object({ serviceAccountRef: object({ name }) }) }),
        }),
      }),
    }),
  }),
  resource(API, 'ExternalSecret', {
    metadata: object({ name }),
    spec: object({
      refreshPolicy: { enum: ['CreatedOnce', 'Periodic', 'OnChange'] },
      // A duration of Go. The schema itself allows any text.
      refreshInterval: { type: 'string', pattern: '^(\\d+h)?(\\d+m)?(\\d+s)?$', minLength: 2 },
      secretStoreRef: object({ kind: { enum: ['SecretStore', 'ClusterSecretStore'] }, name }),
      target: object({ name }),
      data: {
        type: 'array',
        items: object({
          secretKey: { type: 'string', minLength: 1, maxLength: 253, pattern: '^[-._a-zA-Z0-9]+$' },
          remoteRef: object({ key: { type: 'string' }, property: { type: 'string' } }),
        }),
      },
    }),
  }),
];

interface ExternalSecret {
  metadata: { name: string };
  spec: {
    refreshPolicy: string;
    refreshInterval: string;
    secretStoreRef: { kind: string; name: string };
    data: { secretKey: string; remoteRef: { key: string; property: string } }[];
  };
}

const text = readFileSync(join(__dirname, '../../docs/recipes/external-secret.yaml'), 'utf8');
const documents = (manifest: string) => parseAllDocuments(manifest).map((each) => each.toJS() as unknown);
const isValid = (manifest: string) =>
  documents(manifest).map((each, index) => new Ajv().validate(SCHEMAS[index] ?? false, each));
const [account, store, secret] = documents(text) as [
  { metadata: { name: string } },
  { metadata: { name: string }; spec: { provider: { aws: { auth: object } } } },
  ExternalSecret,
];

describe('the manifest for External Secrets Operator', () => {
  it('has the operator’s resources, with fields that they have', () => {
    expect(isValid(text)).toEqual([true, true, true]);
  });

  it.each([
    ['refreshInterval: 2m0s', 'refreshInterval: 2 minutes'],
    ['refreshPolicy: Periodic', 'refreshPolicy: Always'],
    ['property: accessToken', 'propertyName: accessToken'],
    ['service: SecretsManager', 'service: Secrets Manager'],
    [API, 'external-secrets.io/v1beta1'],
  ])('would fail with another spelling of %s', (right, wrong) => {
    expect(text).toContain(right);
    expect(isValid(text.replace(right, wrong))).toContain(false);
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
    const [, hours = 0, minutes = 0, seconds = 0] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/
      .exec(secret.spec.refreshInterval)!
      .map((part) => Number(part ?? 0));
    const refreshSec = (hours * 60 + minutes) * 60 + seconds;

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
