import { z } from 'zod';

import { awsName } from './arn';

const ROLE = 'the ARN of a role, such as arn:aws:iam::111122223333:role/team/token-refresh';
const POLICY = 'the ARN of a managed policy, such as arn:aws:iam::111122223333:policy/team/operators';
const PATH = 'a path of at most 512 letters, digits and _+=,.@/-, that starts and ends with /';
const NAME_PREFIX = '1–28 letters, digits and _+=,.@-';

const arnOf = (resource: string, error: string) =>
  awsName(new RegExp(`^arn:aws[a-z-]*:iam::\\d{12}:${resource}/[\\w+=,.@/-]+$`), error).optional();
const role = (of: string) => arnOf('role', ROLE).describe(`Role of ${of}.`);

const existing = z.strictObject({
  tokenRefresh: role('the function token-refresh'),
  tokenSweep: role('the function token-sweep'),
  credentialWatch: role('the function credential-watch'),
  rotateCredentials: role('the function rotate-credentials'),
  restore: role('the function restore, if restoreApi.enabled'),
  authorizer: role('the function authorizer, if restoreApi.auth is platform'),
  tokenSweepSchedule: role('the schedule that starts token-sweep'),
  credentialWatchSchedule: role('the schedule that starts credential-watch'),
  credentialProofSchedule: role(
    'the schedule that starts rotate-credentials, if restoreApi.auth is platform',
  ),
  secretAudit: role('the rules that notify of access to secrets, if auditSecrets'),
  apiGatewayLogging: role('API Gateway for its logs, if apiGatewayAccount is managed'),
  operatorPolicy: arnOf('policy', POLICY).describe('The managed policy of your operators.'),
});

/** What of IAM a deployment needs, by its names in the configuration. */
export type RoleName = Exclude<keyof z.output<typeof existing>, 'operatorPolicy'>;

/** The `roles` object of a deployment's configuration. */
export const roles = z.strictObject({
  path: z
    .string({ error: PATH })
    .regex(/^\/([\w+=,.@-]+\/)*$/, { error: PATH })
    .max(512, { error: PATH })
    .optional()
    .describe('Path of every role and managed policy. A change replaces them. Default: /.'),
  namePrefix: z
    .string({ error: NAME_PREFIX })
    .regex(/^[\w+=,.@-]{1,28}$/, { error: NAME_PREFIX })
    .optional()
    .describe(
      'Start of the name of every role and managed policy. A change replaces them. Default: CloudFormation names them after the stack.',
    ),
  existing: existing
    .optional()
    .describe(
      'Roles and a policy that exist already, instead of new ones; not together with the others. No template has an IAM resource then. latchkey roles prints what each needs.',
    ),
});
export type RolesConfiguration = z.output<typeof roles>;
