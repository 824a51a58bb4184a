import { Stack } from 'aws-cdk-lib';

import { TokenRefresher } from '../../../../lib/constructs/tokens/token-refresher';
import { deploymentFileOf } from '../../../../lib/config/compose-deployment-file';
import { configuration } from '../../../support/lib/configuration';
import { Synthesis, temporaryApp } from '../../../support/lib/synthesis';

it('gives two deployments in one stack their own deployment files', () => {
  const app = temporaryApp();
  const stack = new Stack(app, 'both');
  const written = configuration({});
  for (const environment of ['staging', 'production'] as const) {
    const file = { ...deploymentFileOf(written, written.deployments[0]!), environment };
    new TokenRefresher(stack, environment, {
      deployment: file,
      encryptionKeyArn: 'arn:aws:kms:eu-west-1:111122223333:key/k',
    });
  }

  const files = new Synthesis(app).deploymentFiles();

  expect([...new Set(files.map((file) => file.environment))].sort()).toEqual(['production', 'staging']);
});
