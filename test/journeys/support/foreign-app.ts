/**
 * A CDK app of somebody else, as a program: `foreign-app.ts OUTDIR KIND`. Its platform has real addresses, and its stacks name
 * no account or region.
 */
import { App } from 'aws-cdk-lib';

import { addStacks } from '../../../lib/stacks/add-stacks';
import { LatchkeyStage } from '../../../lib/stacks/latchkey-stage';
import { parseConfiguration } from '../../../lib/config/load';

const CONFIGURATION = parseConfiguration(
  {
    endpoints: {
      staging: {
        global: {
          contentBaseUrl: 'https://api.staging.platform.example/rest/v1',
          contentTokenBaseUrl: 'https://auth.staging.platform.example',
          tenantServiceUrl: 'https://tenants.staging.platform.example',
        },
      },
    },
    deployments: [
      {
        environment: 'staging',
        restore: { available: true },
        tenants: [
          {
            tenantId: 'eu-west-2_StagingAb',
            tokens: [
              { interface: 'content', scope: 'api/read' },
              { interface: 'content', scope: 'api/write' },
            ],
          },
        ],
      },
    ],
  },
  'the foreign app',
);

const [outdir, kind] = process.argv.slice(2);
const app = new App({ outdir: outdir!, analyticsReporting: false });
if (kind === 'stages') {
  new LatchkeyStage(app, 'Staging', { configuration: CONFIGURATION });
} else {
  addStacks(app, CONFIGURATION);
}
app.synth();
