import { Stack } from 'aws-cdk-lib';
import * as kms from 'aws-cdk-lib/aws-kms';

import { TokenRefresher } from '../../../../lib/constructs/tokens/token-refresher';
import { DeploymentSettings } from '../../../../lib/constructs/deployment-settings';
import { addressesOf } from '../../../support/lib/configuration';
import { Synthesis, temporaryApp } from '../../../support/lib/synthesis';

it('gives two deployments in one stack their own deployment files', () => {
  const app = temporaryApp();
  const stack = new Stack(app, 'both');
  const encryptionKey = new kms.Key(stack, 'Key');
  for (const environment of ['staging', 'production'] as const) {
    const endpoints = addressesOf(`${environment}-global`);
    const resources = { encryptionKey };
    const deployment = new DeploymentSettings(stack, { environment, endpoints, resources });
    new TokenRefresher(stack, environment, { deployment });
  }

  const files = new Synthesis(app).deploymentFiles();

  expect([...new Set(files.map((file) => file.environment))].sort()).toEqual(['production', 'staging']);
});
