import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { HostError } from './host-error';

const LOOPBACK_ORIGIN = /https:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?=[/"]|$)/g;

/** What a run itself needs of a configuration; the app checks all of it. */
const schema = z.object({
  deployments: z.array(
    z.object({
      environment: z.string(),
      platformRegion: z.string().default('global'),
      restore: z
        .object({
          available: z.boolean().default(false),
          actingUserIn: z.enum(['body', 'header']).default('body'),
        })
        .prefault({}),
      tenants: z.array(z.object({ tenantId: z.string() })),
    }),
  ),
});

/** A configuration file, read for a local run. */
export interface LocalConfiguration {
  /** What the sandbox starts with: the cells and tenants that are configured. */
  sandboxSeed: object;
  /** Text of the configuration with `origin` in place of every origin on loopback. */
  withOrigin(origin: string): string;
}

/** @throws {HostError} `configuration_unreadable` */
export function readLocalConfiguration(file: string): LocalConfiguration {
  let text: string;
  let parsed: z.output<typeof schema>;
  try {
    text = readFileSync(file, 'utf8');
    parsed = schema.parse(JSON.parse(text));
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : (cause as Error).message;
    throw new HostError('configuration_unreadable', `configuration ${file} cannot be used: ${reason}`, {
      cause,
    });
  }
  const { deployments } = parsed;
  const restores = deployments.map(({ restore }) => restore).filter(({ available }) => available);
  const places = [...new Set(restores.map(({ actingUserIn }) => actingUserIn))];
  if (places.length > 1) {
    throw new HostError(
      'configuration_unreadable',
      `configuration ${file} cannot be used: restore.actingUserIn: found ${places.join(' and ')}; ` +
        'allowed: one of them, since the sandbox is one platform for all deployments',
    );
  }
  return {
    sandboxSeed: {
      cells: deployments.map(({ environment, platformRegion, tenants }) => ({
        environment,
        platformRegion,
        tenants,
      })),
      restoreAvailable: restores.length > 0,
      ...(places[0] !== undefined && { actingUserIn: places[0] }),
    },
    withOrigin: (origin) => text.replace(LOOPBACK_ORIGIN, origin),
  };
}
