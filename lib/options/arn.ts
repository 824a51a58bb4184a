import { z } from 'zod';

import { ACCOUNT_ID, ACCOUNT_RULE } from '../../core/deployment/account-id';

/** A text of CDK that stands for a value which only the deployment knows; and its id of a hosted zone before a look-up. */
const LATE = /[$#]\{Token\[[^\]]*\]\}|^DUMMY$/;

/** Whether only the deployment knows a value, as the ARN of a key of the same app. */
export function isLate(value: unknown): boolean {
  return typeof value === 'string' && LATE.test(value);
}

const lateNames = z.registry<{ readonly isLate: true }>();

/** Whether a field may have such a value. */
export function mayBeLate(schema: z.core.$ZodType): boolean {
  return lateNames.get(schema) !== undefined;
}

/** A name or ARN of something in AWS, which an app may know only at deployment. @param error its form, for messages */
export const awsName = (form: RegExp, error: string) =>
  z
    .string({ error })
    .refine((name) => isLate(name) || form.test(name), { error })
    .meta({ pattern: form.source })
    .register(lateNames, { isLate: true });

/** A full ARN of the service, known at synthesis. `resource` is a regular expression for the last part. */
export function arn(service: string, resource: string): z.ZodString {
  const { form, error } = arnRule(service, resource);
  return z.string({ error }).regex(form, { error });
}

/** The same, which an app may know only at deployment. */
export const lateArn = (service: string, resource: string) => {
  const { form, error } = arnRule(service, resource);
  return awsName(form, error);
};

function arnRule(service: string, resource: string): { form: RegExp; error: string } {
  return {
    form: new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]+:\\d{12}:${resource}$`),
    error: `the full ARN of a ${service} resource, such as arn:aws:${service}:eu-west-1:111122223333:…`,
  };
}

const ACCOUNT = `${ACCOUNT_RULE}, as a string`;
/** An AWS account id. */
export const accountId = z.string({ error: ACCOUNT }).regex(ACCOUNT_ID, { error: ACCOUNT });

/** A part of an ARN, such as 3 for its region; undefined if it is not known. */
export function partOf(arn: string | undefined, index: 1 | 2 | 3 | 4): string | undefined {
  const part = arn?.split(':')[index];
  return isLate(part) ? undefined : part;
}

/** Whether an ARN is of another region than this one, as far as both are known. The schema reports what is no ARN. */
export function isInOtherRegion(arn: string | undefined, region: string | undefined): boolean {
  return isOther(partOf(arn, 3), region);
}

/** The same for its account. */
export function isOfOtherAccount(arn: string | undefined, account: string | undefined): boolean {
  return isOther(partOf(arn, 4), account);
}

function isOther(found: string | undefined, expected: string | undefined): boolean {
  return expected !== undefined && found !== undefined && found !== expected;
}
