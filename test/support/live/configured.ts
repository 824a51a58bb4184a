import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { optionsOf } from '../../../lib/options/checked-options';
import { deploymentFileOf } from '../../../lib/options/compose-deployment-file';
import { parseConfiguration } from '../../../lib/options/load';
import { type CloudAssembly, readAssembly } from 'cdk-on-loopback/testing';
import { type WrittenConfiguration, written, type WrittenDeployment } from '../lib/configuration';
import { synthesizeOnce } from '../lib/synthesis';

/** The address that the deployment's alarms notify. */
export const ALARM_EMAIL = 'on-call@example.com';

/** The platform's addresses: each deployment has its own, with the paths of the tests' platform. */
function addressesAt(port: number, tenantServicePort: number) {
  const origin = `https://127.0.0.1:${port}`;
  return {
    contentBaseUrl: `${origin}/api`,
    contentTokenBaseUrl: `${origin}/content`,
    webhooksBaseUrl: `${origin}/webhooks-api`,
    webhooksTokenBaseUrl: `${origin}/webhooks`,
    tenantServiceUrl: `https://127.0.0.1:${tenantServicePort}`,
  };
}

export interface Configured extends CloudAssembly {
  deployments: DeploymentFile[];
}

/** Synthesizes a configuration as a user writes it, with the addresses of the tests' platform. */
export function synthesized(configuration: WrittenConfiguration): Configured {
  const endpoints = {
    staging: { global: addressesAt(8001, 8005), mea: addressesAt(8002, 8005) },
    production: { global: addressesAt(8003, 8006), mea: addressesAt(8004, 8006) },
  };
  const parsed = parseConfiguration({ ...configuration, endpoints }, 'configuration of a life cycle');
  const deployments = parsed.deployments.map((deployment) => deploymentFileOf(optionsOf(parsed, deployment)));
  return { ...readAssembly(synthesizeOnce(parsed).assembly.directory), deployments };
}

/** Synthesizes one deployment, by default with restore and two tenants of two tokens each. */
export function configured(
  deployment: Partial<WrittenDeployment> = {},
  more: Partial<WrittenConfiguration> = {},
): Configured {
  return synthesized({
    ...written({
      account: undefined,
      region: undefined,
      restore: { available: true },
      alarms: { emails: [ALARM_EMAIL] },
      tenants: TENANTS,
      ...deployment,
    }),
    local: true,
    ...more,
  });
}

const TOKENS = (['api/read', 'api/write'] as const).map(
  (scope) => ({ interface: 'content', scope }) as const,
);
export const TENANT_IDS = ['tenant-1', 'tenant-2'];
export const TENANTS = TENANT_IDS.map((tenantId) => ({ tenantId, tokens: TOKENS }));
