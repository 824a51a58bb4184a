import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { HostError } from './host-error';

const LOOPBACK_ORIGIN = /https:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?=[/"]|$)/gi;

const USUAL_HEADERS = { authorRef: 'X-Author-Ref', collaborationId: 'X-Collaboration-Id' };

/** The fields that a run needs. Anything invalid is ignored here, because the app reports it better. */
const deployment = z.object({
  environment: z.string(),
  platformRegion: z.string().default('global'),
  restore: z
    .object({
      available: z.boolean().catch(false),
      actingUserIn: z.enum(['body', 'header']).catch('body'),
      actingUserHeaders: z
        .object({ authorRef: z.string(), collaborationId: z.string() })
        .partial()
        .transform((given) => ({ ...USUAL_HEADERS, ...given }))
        .catch(USUAL_HEADERS),
    })
    .catch({ available: false, actingUserIn: 'body', actingUserHeaders: USUAL_HEADERS }),
  tenants: z.array(z.object({ tenantId: z.string() })).catch([]),
});
const schema = z.object({
  local: z.unknown().optional(),
  deployments: z.array(deployment.nullable().catch(null)).catch([]),
});

/** A configuration file for a local run. */
interface LocalConfiguration {
  /** The deployments and tenants to start the sandbox with. */
  sandboxSeed: object;
  /** The configuration's text with every loopback origin replaced by `origin`. */
  withOrigin(origin: string): string;
}

/** @throws {HostError} `configuration_unreadable` */
export function readLocalConfiguration(file: string): LocalConfiguration {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw unusable(file, `the file cannot be read (${(cause as NodeJS.ErrnoException).code})`);
  }
  const value = parse(text);
  const { local, deployments: read } = schema.safeParse(value).data ?? { local: true, deployments: [] };
  if (value !== undefined && local !== true) {
    // Otherwise functions would send sandbox credentials to whatever addresses the configuration names.
    const found = local === undefined ? 'nothing' : JSON.stringify(local);
    throw refused(file, 'local', found, 'true, because only such a configuration stays on this machine');
  }
  const deployments = read.filter((each) => each !== null);
  const restores = deployments.map(({ restore }) => restore).filter(({ available }) => available);
  requireOne(file, 'restore.actingUserIn', restores, ({ actingUserIn }) => actingUserIn);
  requireOne(file, 'restore.actingUserHeaders', restores, ({ actingUserHeaders }) =>
    Object.values(actingUserHeaders).join(', '),
  );
  return {
    sandboxSeed: {
      cells: deployments.map(({ environment, platformRegion, tenants }) => ({
        environment,
        platformRegion,
        tenants,
      })),
      restoreAvailable: restores.length > 0,
      ...(restores[0] !== undefined && {
        actingUserIn: restores[0].actingUserIn,
        actingUserHeaders: restores[0].actingUserHeaders,
      }),
    },
    withOrigin: (origin) => text.replace(LOOPBACK_ORIGIN, origin),
  };
}

/** @returns undefined if the text is not JSON; the app's message names the line */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

function refused(file: string, field: string, found: string, allowed: string): HostError {
  return unusable(file, `${field}: found ${found}; allowed: ${allowed}`);
}

function unusable(file: string, reason: string): HostError {
  return new HostError('configuration_unreadable', `${file} cannot be used:\n  ${reason}`);
}
