import { z } from 'zod';

const PATH = 'a path of at most 512 letters, digits and _+=,.@/-, that starts and ends with /';
const NAME_PREFIX = '1–28 letters, digits and _+=,.@-';

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
});
export type RolesConfiguration = z.output<typeof roles>;
