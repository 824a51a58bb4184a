/** A configuration with one deployment, one tenant and one token. */
export const CONFIGURATION = {
  endpoints: {
    staging: {
      global: {
        contentBaseUrl: 'https://api.platform.example/rest/v1',
        contentTokenBaseUrl: 'https://auth.platform.example',
      },
    },
  },
  deployments: [
    {
      environment: 'staging',
      tenants: [{ tenantId: 'one', tokens: [{ interface: 'content', scope: 'api/read' }] }],
    },
  ],
};

/** The same for an AWS account and region. */
export function configurationFor(account: string, region: string) {
  const deployments = CONFIGURATION.deployments.map((deployment) => ({ ...deployment, account, region }));
  return { ...CONFIGURATION, deployments };
}
