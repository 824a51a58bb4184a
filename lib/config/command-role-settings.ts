import { z } from 'zod';

const ROLE = 'the ARN of a role, such as arn:aws:iam::111122223333:role/latchkey-operators';
const MFA_DEVICE =
  'the ARN or serial number of an MFA device, such as arn:aws:iam::111122223333:mfa/your-name';
const EXTERNAL_ID = '2–1,224 letters, digits and +=,.@:/-_';

/**
 * The fields of a deployment that say in which role the command works.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html (RoleArn, SerialNumber, ExternalId)
 */
export const commandRole = {
  roleArn: z
    .string({ error: ROLE })
    .regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/, { error: ROLE })
    .optional()
    .describe(
      'A role of the deployment’s account, which the command assumes with your AWS credentials. Default: these credentials. Deploying is not affected.',
    ),
  mfaSerial: z
    .string({ error: MFA_DEVICE })
    .regex(/^(arn:aws[a-z-]*:iam::\d{12}:(mfa|sms-mfa)\/[\w+=,.@/-]+|\w{9,256})$/, { error: MFA_DEVICE })
    .optional()
    .describe('The MFA device for roleArn. The command asks for a code of it, as the AWS CLI does.'),
  externalId: z
    .string({ error: EXTERNAL_ID })
    .regex(/^[\w+=,.@:/-]{2,1224}$/, { error: EXTERNAL_ID })
    .optional()
    .describe('The external id that the trust policy of roleArn requires.'),
};
