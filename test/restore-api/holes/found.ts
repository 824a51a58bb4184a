import { type Secret } from '../../../local/account';
import { type ClauseHole } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { recordAsProven } from '../../support/restore-api/restore-api-under-test';
import { trustAuthority } from '../../support/lambdas/trusted-authority';

const IN_AN_HOUR_MS = 60 * 60 * 1000;

/** Holes in what functions read: secrets, configuration, time and certificate authorities. */
export const FOUND_HOLES = {
  tokensNeverExpire: held('an expired token is accepted', ({ secretString }) => {
    return secretString?.replace(/"expiresAt":"[^"]*"/, `"expiresAt":"${inAnHour()}"`);
  }),
  apiKeysNeverExpire: held('an expired API key is accepted', ({ secretString }) => {
    return secretString?.replace(/"validUntil":"[^"]*"/, `"validUntil":"${inAnHour()}"`);
  }),
  apiKeysExpireEarly: held('an API key is refused in its last hours', ({ secretString }) => {
    return secretString?.replace(/"validUntil":"[^"]*"/, '"validUntil":"2020-01-01T00:00:00.000Z"');
  }),
  entriesAreNotCompared: held(
    'a token has the scope of its secret, whatever the stored entry says',
    ({ secretString }, { name }) => {
      const [, of, scope] = /token\/(\w+)\/api-(\w+)$/.exec(name) ?? [];
      if (of === undefined) return secretString;
      const entry = JSON.parse(secretString!) as object;
      return JSON.stringify({ ...entry, environment: 'staging', interface: of, scope: `api/${scope}` });
    },
  ),
  previousVersionsDoNotCount: held('previous versions are not accepted', ({ stages, secretString }) =>
    stages.has('AWSCURRENT') ? secretString : undefined,
  ),
  previousKeyCountsAlone: held(
    'the previous API key is accepted without a current one',
    ({ stages, secretString }, { versions }) => {
      if (versions.size === 1) stages.add('AWSCURRENT');
      return secretString;
    },
  ),
  newVersionsAreSeenLate: held(
    'an API key is accepted only some time after it was stored',
    ({ createdAtMs, secretString }) => (createdAtMs > Date.now() - 1000 ? undefined : secretString),
  ),
  graceNeverEnds: held('the previous API key is accepted until it expires', (version) => {
    version.createdAtMs = Date.now();
    return version.secretString;
  }),
  graceBeginsBeforePromotion: held(
    'the grace of the previous API key begins when the new one is staged',
    ({ secretString }, { rotation }) => {
      if (rotation) rotation.lastRotatedAtMs = undefined;
      return secretString;
    },
  ),
  secretsOfTenantsAreMixed: {
    wrong: 'the secrets of one tenant authenticate for another tenant too',
    before: (world) => {
      const { tenant, neighbor } = world;
      for (const path of ['api-key', 'token/content/api-write']) {
        const [own, foreign] = [world.secret(path, tenant), world.secret(path, neighbor)];
        const [ownValue, foreignValue] = [currentOf(own), currentOf(foreign)];
        addPrevious(own, { ...foreignValue, tenantId: tenant.tenantId });
        addPrevious(foreign, { ...ownValue, tenantId: neighbor.tenantId });
      }
      world.startNew('RestoreAuthorizer');
    },
  },
  tokensOfWebhooksCount: {
    wrong: 'tokens of the webhooks interface authenticate',
    before: (world) => {
      for (const [from, to] of [
        ['token/webhooks/api-webhooks', 'token/content/api-all'],
        ['token/webhooks/api-all', 'token/content/api-write'],
      ] as const) {
        const { accessToken } = currentOf(world.secret(from));
        addPrevious(world.secret(to), { ...currentOf(world.secret(to)), accessToken });
      }
      world.startNew('RestoreAuthorizer');
    },
  },
  configurationIsIgnored: {
    wrong: 'the restore function ignores a changed configuration',
    before: (world) => world.configure({}),
  },
  everyAuthorityIsTrusted: {
    wrong: 'the platform’s certificate is not verified',
    before: ({ api }) => {
      trustAuthority(`${api.sandbox.caCertificate}\n${api.ca}`);
      return () => trustAuthority(api.sandbox.caCertificate);
    },
  },
  timeLeftIsNotWatched: {
    wrong: 'a request is sent although it may be cut off',
    before: ({ api }) => {
      api.functions.remainingMs = 28_000;
    },
  },
} satisfies Record<string, ClauseHole>;

type Version = Secret['versions'] extends Map<string, infer Each> ? Each : never;

/**
 * Changes the value of every version of the tenant's secrets.
 * @param valueOf returns undefined to remove the version
 */
function held(wrong: string, valueOf: (version: Version, secret: Secret) => string | undefined): ClauseHole {
  const before = (world: ClauseWorld): void => {
    for (const secret of world.api.account.secrets.values()) {
      if (!secret.name.includes(`/${world.tenant.tenantId}/`)) continue;
      for (const version of [...secret.versions.values()]) {
        version.secretString = valueOf(version, secret);
        if (version.secretString === undefined) secret.versions.delete(version.versionId);
      }
      if (secret.name.endsWith('/api-key')) recordAsProven(secret);
    }
    world.startNew('RestoreAuthorizer');
  };
  return { wrong, before };
}

function inAnHour(): string {
  return new Date(Date.now() + IN_AN_HOUR_MS).toISOString();
}

function currentOf({ versions }: Secret): Record<string, unknown> {
  const current = [...versions.values()].find(({ stages }) => stages.has('AWSCURRENT'))!;
  return JSON.parse(current.secretString!) as Record<string, unknown>;
}

function addPrevious(secret: Secret, value: object): void {
  const versionId = 'previous-by-the-hole-0000000000000';
  const stages = new Set(['AWSPREVIOUS']);
  secret.versions.set(versionId, {
    versionId,
    stages,
    secretString: JSON.stringify(value),
    createdAtMs: Date.now(),
  });
  if (secret.name.endsWith('/api-key')) recordAsProven(secret);
}
