import { createServer } from 'node:net';

import { type LocalConfiguration } from './synthesized-app';

/** Configures restore differently in each deployment; one platform is behind a closed port. */
export async function restoreConfiguration(): Promise<(configuration: LocalConfiguration) => void> {
  const port = await closedPort();
  return ({ endpoints, deployments }) => {
    // The platform expects the acting user in one place, so all deployments with restore share the setting.
    const actingUserHeaders = { authorRef: 'Acting-Author' };
    const restore = { available: true, actingUserIn: 'header', actingUserHeaders };
    const changes: Record<string, object> = {
      'staging global': { restore, restoreApi: { auth: 'iam' } },
      'staging mea': { restore },
      'production global': { restore },
      'production mea': {
        restore: { available: false },
        restoreApi: { rateLimit: 1, burstLimit: 1 },
      },
    };
    for (const each of deployments) {
      Object.assign(each, changes[`${each.environment} ${each.platformRegion}`]);
    }
    // 127.1 is 127.0.0.1 in a form that the host does not replace with the sandbox's address.
    endpoints.production!.global!.contentBaseUrl = `https://127.1:${port}/rest/v1`;
  };
}

function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
