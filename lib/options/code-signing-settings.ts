import { z } from 'zod';

import { lateArn, awsName } from './arn';

const BUCKET = 'the name of a bucket: 3–63 lower-case letters, digits, . and -';
const PREFIX = 'at most 200 letters, digits and /_.=- that does not start with /';

/**
 * The `codeSigning` object of a deployment's configuration.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-codesigning.html
 */
export const codeSigning = z.strictObject({
  configArn: lateArn('lambda', 'code-signing-config:', '[A-Za-z0-9-]+').describe(
    'The code signing configuration of every function, in the deployment’s account and region.',
  ),
  signed: z
    .strictObject({
      bucket: awsName(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, BUCKET).describe(
        'A bucket in the deployment’s region, with the signed bundles.',
      ),
      prefix: z
        .string({ error: PREFIX })
        .regex(/^(?!\/)[\w/.=-]{0,200}$/, { error: PREFIX })
        .default('')
        .describe(
          'What the keys of the signed bundles begin with, before the names that the synthesis gives them.',
        ),
    })
    .describe('Where the signed bundles are. A synthesis writes the bundles to sign.'),
});
