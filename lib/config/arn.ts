import { z } from 'zod';

/** A full ARN of the service. `resource` is a regular expression for the last part. */
export const arn = (service: string, resource: string) =>
  z.string().regex(new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]+:\\d{12}:${resource}$`), {
    error: `the full ARN of a ${service} resource, such as arn:aws:${service}:eu-west-1:111122223333:…`,
  });

/** An AWS account id. */
export const accountId = z
  .string()
  .regex(/^\d{12}$/, { error: 'an AWS account id of 12 digits, as a string' });
