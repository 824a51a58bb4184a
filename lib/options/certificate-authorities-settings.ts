import { z } from 'zod';

const NAME = 'the name of an SSM parameter, such as /corporate/certificate-authorities';
const FILE = 'the path of a PEM file, relative to the working directory';

export const certificateAuthorities = z.union(
  [
    z.strictObject({
      parameterName: z
        .string({ error: NAME })
        .regex(/^\/?[\w.-]+(\/[\w.-]+)*$/, { error: NAME })
        .describe(
          'Name of an SSM parameter of type String with certificates in PEM, in the deployment’s account and region. Functions read it at their cold start.',
        ),
    }),
    z.strictObject({
      file: z
        .string({ error: FILE })
        .min(1, { error: FILE })
        .describe('A PEM file, relative to the working directory, which is deployed with the functions.'),
    }),
  ],
  { error: 'an object with either parameterName or file' },
);
