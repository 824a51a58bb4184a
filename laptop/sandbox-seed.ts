import { z } from 'zod';
import { type DeploymentFile } from '../core/deployment/deployment-file';
import { isOwnIssuer } from '../core/deployment/local-run';
import { LEARNING_PLATFORM } from '../core/issuers/learning-platform';
import { refused } from './refused-input';

const DEFAULT_HEADERS = { authorRef: 'X-Author-Ref', collaborationId: 'X-Collaboration-Id' };

/** The fields that a run needs. Anything invalid is ignored here, because the app reports it better. */
const deploymentSchema = z.object({
  issuer: z.string().default(LEARNING_PLATFORM.name),
  environment: z.string(),
  platformRegion: z.string().default('global'),
  restore: z
    .object({
      available: z.boolean().catch(false),
      actingUserIn: z.enum(['body', 'header']).catch('body'),
      actingUserHeaders: z
        .object({ authorRef: z.string(), collaborationId: z.string() })
        .partial()
        .transform((given) => ({ ...DEFAULT_HEADERS, ...given }))
        .catch(DEFAULT_HEADERS),
    })
    .catch({ available: false, actingUserIn: 'body', actingUserHeaders: DEFAULT_HEADERS }),
  tenants: z.array(z.object({ tenantId: z.string() })).catch([]),
});

/** What the sandbox starts with, by the deployments that it serves. */
export interface SandboxSeed {
  deployments: { environment: string; platformRegion: string; tenants: { tenantId: string }[] }[];
  issuers?: IssuerSeed[];
  restoreAvailable: boolean;
  actingUserIn?: string;
  actingUserHeaders?: object;
}

/**
 * The deployments of the learning platform and their tenants to start the sandbox with.
 * @param source where the deployments come from, for messages
 * @throws {HostError} `configuration_unreadable`, if they disagree on what the platform is
 */
export function sandboxSeed(source: string, given: unknown): SandboxSeed {
  const deployments = (z.array(deploymentSchema.nullable().catch(null)).safeParse(given).data ?? []).flatMap(
    (each) => (each?.issuer === LEARNING_PLATFORM.name ? [each] : []),
  );
  const restores = deployments.map(({ restore }) => restore).filter(({ available }) => available);
  requireOne(source, 'restore.actingUserIn', restores, ({ actingUserIn }) => actingUserIn);
  requireOne(source, 'restore.actingUserHeaders', restores, ({ actingUserHeaders }) =>
    Object.values(actingUserHeaders).join(', '),
  );
  // Deployments with different prefixes can serve the same part of the platform, and the same tenants.
  const served = new Map<string, SandboxSeed['deployments'][number]>();
  for (const { environment, platformRegion, tenants } of deployments) {
    const key = `${environment}/${platformRegion}`;
    const others = (served.get(key)?.tenants ?? []).filter(
      ({ tenantId }) => !tenants.some((tenant) => tenant.tenantId === tenantId),
    );
    served.set(key, { environment, platformRegion, tenants: [...others, ...tenants] });
  }
  return {
    deployments: [...served.values()],
    restoreAvailable: restores.length > 0,
    ...(restores[0] !== undefined && {
      actingUserIn: restores[0].actingUserIn,
      actingUserHeaders: restores[0].actingUserHeaders,
    }),
  };
}

/** Another issuer, as the sandbox takes it. */
interface IssuerSeed {
  name: string;
  profile: object;
  tenants: { tenantId: string }[];
}

/** The other issuers of deployments, each once, without those of the user's own. */
export function issuerSeeds(given: readonly DeploymentFile[]): IssuerSeed[] {
  const deployments = given.filter((each) => !isOwnIssuer(each));
  const names = new Set(deployments.flatMap(({ issuer }) => issuer ?? []));
  return [...names].map((name): IssuerSeed => {
    const ofIssuer = deployments.filter(({ issuer }) => issuer === name);
    const tenants = ofIssuer.flatMap((each) => each.tenants);
    const parameters = tenants.flatMap((tenant) =>
      [tenant, ...tenant.tokens].flatMap((each) => Object.keys(each.parameters ?? {})),
    );
    return {
      name,
      profile: {
        ...ofIssuer[0]!.profile,
        name,
        title: name,
        parameters: Object.fromEntries(parameters.map((each) => [each, { description: each }])),
      },
      tenants: [...new Set(tenants.map(({ tenantId }) => tenantId))].map((tenantId) => ({ tenantId })),
    };
  });
}

/** Whether a configuration file has deployments of other issuers. */
export function hasOtherIssuers(given: unknown): boolean {
  const deployments = z
    .array(z.object({ issuer: z.unknown() }).catch({ issuer: undefined }))
    .safeParse(given);
  return (deployments.data ?? []).some(
    ({ issuer }) => issuer !== undefined && issuer !== LEARNING_PLATFORM.name,
  );
}

/** @throws {HostError} `configuration_unreadable` unless the setting is the same in all deployments with restore */
function requireOne<Restore>(
  file: string,
  field: string,
  restores: readonly Restore[],
  settingOf: (restore: Restore) => string,
): void {
  const found = [...new Set(restores.map(settingOf))];
  const allowed = 'one of them, because the sandbox is one platform for all deployments';
  if (found.length > 1) throw refused(file, field, found.join(' and '), allowed);
}
