import { z } from 'zod';

/** The full ARN of a resource of this service, whose last part matches `resource`, the source of a regular expression. */
export const arn = (service: string, resource: string) =>
  z.string().regex(new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]+:\\d{12}:${resource}$`), {
    error: `the full ARN of a ${service} resource, as in arn:aws:${service}:eu-west-1:111122223333:…`,
  });

/** An AWS account. */
export const accountId = z
  .string()
  .regex(/^\d{12}$/, { error: 'an AWS account id of 12 digits, as a string' });
