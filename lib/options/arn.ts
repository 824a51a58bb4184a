import { z } from 'zod';

import { ACCOUNT_ID, ACCOUNT_RULE } from '../../core/deployment/account-id';

/**
 * What CDK writes for a text that only the deployment knows, such as the ARN of a new bucket: here, such a value is late. It may
 * stand within a longer text, and contain colons.
 */
const TOKEN = /\$\{Token\[[^\]]*\]\}/g;
/** Stands for a {@link TOKEN} in regular expressions. */
const LATE = '\0';
/** What CDK writes for a list that only the deployment knows. */
const LATE_LIST = /^#\{Token\[[^\]]*\]\}$/;

/** Whether only the deployment knows a value, such as the name of a bucket in the same app. */
export function isLate(value: unknown): boolean {
  // CDK encodes such numbers in this range.
  if (typeof value === 'number') return value > -1.95e289 && value < -1.88e289;
  return typeof value === 'string' && (masked(value).includes(LATE) || LATE_LIST.test(value));
}

function masked(text: string): string {
  return text.replaceAll(LATE, ' ').replaceAll(TOKEN, LATE);
}

interface NameRule {
  /** Form of a name that is known at synthesis. */
  readonly form: RegExp;
  readonly error: string;
}
const lateNames = z.registry<NameRule>();

/** The rule of a field whose value an app may know only at deployment. */
export function lateNameRule(schema: z.core.$ZodType): NameRule | undefined {
  return lateNames.get(schema) as NameRule | undefined;
}

/** Any text with a late part. */
const SOMETHING_LATE = new RegExp(LATE);
/** Also a whole list that only the deployment knows: for lists that the stacks only pass on. */
export const LATE_OR_LIST = new RegExp(`${LATE}|${LATE_LIST.source}`);
/** Also the id that CDK gives a hosted zone until it has looked it up, after the first synthesis. */
export const LATE_OR_DUMMY = new RegExp(`${LATE}|^DUMMY$`);

/**
 * A name or ARN of something in AWS, which an app may know only at deployment.
 * @param error its form, for messages
 * @param late the form of a name with parts that only the deployment knows
 */
export const awsName = (form: RegExp, error: string, late = SOMETHING_LATE) =>
  z
    .string({ error })
    .refine((name) => form.test(name) || late.test(masked(name)), { error })
    .meta({ pattern: form.source })
    .register(lateNames, { form, error });

/** A full ARN of the service, known at synthesis. `resource` is a regular expression for the last part. */
export function arn(service: string, resource: string): z.ZodString {
  const { form, error } = arnRule(service, '', resource);
  return z.string({ error }).regex(form, { error });
}

/**
 * A full ARN of the service, of which an app may know parts only at deployment. The parts that it knows must be right.
 * @param type text before the `resource`, such as `key/`
 */
export const lateArn = (service: string, type: string, resource: string, message?: string) => {
  const { form, error, late } = arnRule(service, type, resource);
  return awsName(form, message ?? error, late);
};

export const KEY_ARN = arnRule('kms', 'key/', '[A-Za-z0-9-]+');
/** The ARN of a key, which an app may know only at deployment. */
export const lateKeyArn = () => awsName(KEY_ARN.form, KEY_ARN.error, KEY_ARN.late);

function arnRule(service: string, type: string, resource: string): NameRule & { late: RegExp } {
  const parts = ['aws[a-z-]*', service, service === 'iam' ? '' : '[a-z0-9-]+', String.raw`\d{12}`];
  const late = parts.map((part) => `(${part}|[^:]*${LATE}[^:]*)`);
  const lateResource = `(${type}${resource}|${type}.*${LATE}.*|${LATE}.*)`;
  return {
    form: new RegExp(`^arn:${parts.join(':')}:${type}${resource}$`),
    late: new RegExp(`^([^:]*${LATE}.*|arn:${late.join(':')}:${lateResource})$`),
    error: `the full ARN of a ${service} resource, such as arn:aws:${service}:eu-west-1:111122223333:…`,
  };
}

const ACCOUNT = `${ACCOUNT_RULE}, as a string`;
export const accountId = z.string({ error: ACCOUNT }).regex(ACCOUNT_ID, { error: ACCOUNT });

const ARN_PARTS = ['arn', 'partition', 'service', 'region', 'account'] as const;

/** A part of an ARN; undefined if it is not known. */
export function partOf(arn: string | undefined, name: (typeof ARN_PARTS)[number]): string | undefined {
  if (arn?.startsWith('arn:') !== true) return undefined;
  const part = masked(arn).split(':')[ARN_PARTS.indexOf(name)];
  return part?.includes(LATE) === true ? undefined : part;
}

/** Whether an ARN is of another region than this one, as far as both are known. The schema reports what is no ARN. */
export function isInOtherRegion(arn: string | undefined, region: string | undefined): boolean {
  return isOther(partOf(arn, 'region'), region);
}

/** The same for its account. */
export function isOfOtherAccount(arn: string | undefined, account: string | undefined): boolean {
  return isOther(partOf(arn, 'account'), account);
}

function isOther(found: string | undefined, expected: string | undefined): boolean {
  return expected !== undefined && found !== undefined && found !== expected;
}
