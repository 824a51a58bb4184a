import { z } from 'zod';

import { ACCOUNT_ID, ACCOUNT_RULE } from '../../core/deployment/account-id';

/** A full ARN of the service. `resource` is a regular expression for the last part. */
export const arn = (service: string, resource: string) =>
  z.string().regex(new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]+:\\d{12}:${resource}$`), {
    error: `the full ARN of a ${service} resource, such as arn:aws:${service}:eu-west-1:111122223333:…`,
  });

/** An AWS account id. */
export const accountId = z.string().regex(ACCOUNT_ID, { error: `${ACCOUNT_RULE}, as a string` });

/** Whether an ARN is of another region than this one, as far as both are known. The schema reports what is no ARN. */
export function isInOtherRegion(arn: string | undefined, region: unknown): boolean {
  return isOther(arn?.split(':')[3], region);
}

/** The same for its account. */
export function isOfOtherAccount(arn: string | undefined, account: unknown): boolean {
  return isOther(arn?.split(':')[4], account);
}

function isOther(found: string | undefined, expected: unknown): boolean {
  return typeof expected === 'string' && found !== undefined && found !== expected;
}
