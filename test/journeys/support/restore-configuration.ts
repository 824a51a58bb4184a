import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { PROJECT_ROOT } from './local-process';

interface Configuration {
  endpoints: Record<string, Record<string, { contentBaseUrl: string }>>;
  deployments: { environment: string; platformRegion: string; restore: object; restoreApi?: object }[];
}

/** What the tenant of staging mea may restore in a day. */
export const DAILY_QUOTA = 12;

/** `config/local.json`, with another way to restore in each deployment, among them a platform behind a closed port. */
export async function restoreConfiguration(): Promise<object> {
  const text = readFileSync(join(PROJECT_ROOT, 'config/local.json'), 'utf8');
  const whole = JSON.parse(text) as Configuration;
  const change = (environment: string, platformRegion: string, changes: object) =>
    Object.assign(
      whole.deployments.find(
        (each) => each.environment === environment && each.platformRegion === platformRegion,
      )!,
      changes,
    );
  // The platform takes the acting user in one place, so every deployment that restores says the same.
  const restore = { available: true, actingUserIn: 'header' };
  change('staging', 'global', { restore, restoreApi: { auth: 'iam' } });
  change('staging', 'mea', {
    restore,
    restoreApi: { usagePlan: { quota: { limit: DAILY_QUOTA, period: 'day' } } },
  });
  change('production', 'global', { restore });
  change('production', 'mea', {
    restore: { available: false },
    restoreApi: { rateLimit: 1, burstLimit: 1 },
  });
  // 127.1 is 127.0.0.1, in a form that the run does not replace by the address of its sandbox.
  whole.endpoints.production!.global!.contentBaseUrl = `https://127.1:${await closedPort()}/rest/v1`;
  return whole;
}

function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
