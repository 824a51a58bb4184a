import { type DeploymentFile } from '../../../../core/deployment/deployment-file';
import { type TokenType } from '../../../../core/deployment/platform';
import { optionsOf } from '../../../../lib/options/checked-options';
import { deploymentFileOf } from '../../../../lib/options/compose-deployment-file';
import { parseConfiguration } from '../../../../lib/options/load';
import { type CloudAssembly, readAssembly } from 'cdk-on-loopback/testing';
import { written, type WrittenDeployment } from '../../../support/lib/configuration';
import { synthesize } from '../../../support/lib/synthesis';

/** The address that the deployment's alarms notify. */
export const ALARM_EMAIL = 'on-call@example.com';

const PLATFORM = 'https://platform.example';
const CONTENT: TokenType[] = [
  { interface: 'content', scope: 'api/read' },
  { interface: 'content', scope: 'api/write' },
];
const WEBHOOKS: TokenType = { interface: 'webhooks', scope: 'api/webhooks' };

/** The synthesized app of one deployment, which can be provisioned repeatedly. */
export interface ReplayedTemplates extends CloudAssembly {
  /** The deployment file of its functions. */
  deployment: DeploymentFile;
}

/** Synthesizes a deployment with restore and this many tenants, named `tenant-1` and so on. */
export function replayedTemplates(
  tenantCount: number,
  change: Partial<WrittenDeployment> = {},
): ReplayedTemplates {
  const configuration = parseConfiguration(
    {
      ...written({
        platformRegion: 'mea',
        restore: { available: true },
        alarms: { emails: [ALARM_EMAIL] },
        tenants: Array.from({ length: tenantCount }, (_, index) => ({
          tenantId: `tenant-${index + 1}`,
          tokens: index % 2 === 0 ? CONTENT : [...CONTENT, WEBHOOKS],
        })),
        ...change,
      }),
      endpoints: {
        staging: {
          mea: {
            contentBaseUrl: `${PLATFORM}/api`,
            contentTokenBaseUrl: `${PLATFORM}/content`,
            webhooksBaseUrl: `${PLATFORM}/webhooks-api`,
            webhooksTokenBaseUrl: `${PLATFORM}/webhooks`,
            tenantServiceUrl: PLATFORM,
          },
        },
      },
    },
    'replayed configuration',
  );
  const { assembly } = synthesize(configuration);
  const deployment = deploymentFileOf(optionsOf(configuration, configuration.deployments[0]!));
  return { ...readAssembly(assembly.directory), deployment };
}
