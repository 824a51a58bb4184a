import { z } from 'zod';

import { lateArn } from './arn';

const ROLE = 'the ARN of a role, such as arn:aws:iam::111122223333:role/break-glass';
const PRINCIPAL =
  'the ARN of a role or user, such as arn:aws:iam::111122223333:role/operators, with * and ? as wildcards in the name';

const principal = lateArn('iam', '(role|user)/', String.raw`[\w+=,.@/-][\w+=,.@*?/-]*`, PRINCIPAL);
const principals = z.array(principal, { error: 'a list of ARNs of roles and users' });

export const secretReaders = z.strictObject({
  breakGlassRoleArn: lateArn('iam', 'role/', String.raw`[\w+=,.@/-]+`, ROLE).describe(
    'A role for emergencies, which may read every secret if its own policies allow it.',
  ),
  credentials: principals
    .default([])
    .describe(
      'Roles and users that may read client credentials and API keys, besides Latchkey’s functions. All others are denied, whatever their policies allow.',
    ),
  tokens: principals
    .optional()
    .describe(
      'Roles and users that may read tokens, besides Latchkey’s functions: your services, and operators. All others are denied, except readerAccounts and readerOrganizations. Default: nobody is denied.',
    ),
});
