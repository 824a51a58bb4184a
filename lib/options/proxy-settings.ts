import { z } from 'zod';

import { arn } from './arn';

/** The form of `proxy.url`. Checked in ./proxy-rules.ts, which hides the password that a wrong URL may contain. */
export const PROXY_URL_RULE =
  'an http or https URL with host and port alone, such as http://proxy.example.org:3128; its user and password belong in credentialsSecretArn';

const NO_PROXY = 'a host, a suffix such as .example.org, an address or a CIDR range, with an optional port';
const AWS_CALLS = 'direct, proxy';

export const proxy = z.strictObject({
  url: z
    .string({ error: PROXY_URL_RULE })
    .describe(
      'The proxy, as http://HOST:PORT or https://HOST:PORT, without credentials. The functions open tunnels through it (CONNECT).',
    ),
  credentialsSecretArn: arn('secretsmanager', 'secret:[A-Za-z0-9/_+=.@-]+-[A-Za-z0-9]{6}')
    .optional()
    .describe(
      'Full ARN of a secret with {"username", "password"} for the proxy, in the deployment’s region. Functions that call the platform may read it. Default: none.',
    ),
  credentialsKmsKeyArn: arn('kms', 'key/[A-Za-z0-9-]+')
    .optional()
    .describe('The KMS key of credentialsSecretArn. Default: the AWS managed key.'),
  noProxy: z
    .array(z.string({ error: NO_PROXY }).regex(/^[\w.*:[\]/-]{1,255}$/, { error: NO_PROXY }))
    .default([])
    .describe('Hosts that the functions call without the proxy, in the form of NO_PROXY.'),
  awsCalls: z
    .enum(['direct', 'proxy'], { error: AWS_CALLS })
    .default('direct')
    .describe(
      'Whether calls to AWS go through the proxy too. direct: through VPC endpoints, or outside any VPC. proxy: not allowed with credentialsSecretArn.',
    ),
});
