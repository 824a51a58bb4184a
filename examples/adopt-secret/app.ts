import { App, Stack } from 'aws-cdk-lib';
import { Latchkey } from 'latchkey/constructs';

const stack = new Stack(new App(), 'learning', { env: { account: '111122223333', region: 'eu-west-1' } });

new Latchkey(stack, 'Latchkey', {
  environment: 'production',
  endpoints: {
    contentBaseUrl: 'https://api.platform.example/rest/v1',
    contentTokenBaseUrl: 'https://auth.platform.example',
  },
  tenants: [
    {
      tenantId: 'eu-west-2_Productio',
      tokens: [{ interface: 'content', scope: 'api/read' }],
      adopt: {
        clientCredentials: {
          arn: 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:legacy/platform/creds-AbCdEf',
          fields: { clientId: 'id', clientSecret: 'secret' },
          kmsKeyArn: 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
        },
        // Its fields have Latchkey's names, and its key is the AWS managed one.
        apiKey: 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:legacy/platform/key-GhIjKl',
      },
    },
  ],
});
