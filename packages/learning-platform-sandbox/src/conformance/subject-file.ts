import { z } from 'zod';
import { faultLine, faultsOf, parseNamingFields, pathText } from '../input-faults';

/** A base address that paths are appended to. */
const addressSchema = z
  .url({ protocol: /^https$/, error: 'an https URL' })
  .refine((url) => !/\/$|[?#@]/.test(url), {
    error: 'a URL without user, query, fragment and trailing slash',
  });

/** The addresses of one deployment. The tenant service is that of the environment. */
const addressesSchema = z.strictObject({
  contentBaseUrl: addressSchema,
  contentTokenBaseUrl: addressSchema,
  webhooksBaseUrl: addressSchema,
  webhooksTokenBaseUrl: addressSchema,
  tenantServiceUrl: addressSchema,
});

/** In lower case, as checks write header names. @see RFC 9110, section 5.6.2 (token) */
const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]{1,128}$/, 'a header name')
  .toLowerCase();

const subjectSchema = z.strictObject({
  tenantId: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, '1 to 128 letters, digits, _ and -'),
  addresses: addressesSchema,
  authorRef: z.string().min(1).optional(),
  collaborationId: z.string().min(1).optional(),
  actingUserHeaders: z.strictObject({ authorRef: headerName, collaborationId: headerName }).optional(),
  archivedContentIds: z.array(z.string().min(1)).default([]),
});

/** A tenant of a platform, as the `--target` file describes it. Holds no secrets. */
export type Subject = z.output<typeof subjectSchema>;

/** A target file with all fields. */
export const SUBJECT_EXAMPLE: Subject = {
  tenantId: 'eu-west-2_Example',
  addresses: {
    contentBaseUrl: 'https://platform.example/rest/v1',
    contentTokenBaseUrl: 'https://auth.platform.example',
    webhooksBaseUrl: 'https://webhooks.platform.example/v1',
    webhooksTokenBaseUrl: 'https://webhooks-auth.platform.example',
    tenantServiceUrl: 'https://tenants.platform.example',
  },
  authorRef: 'author-reference',
  collaborationId: 'collaboration-id',
  archivedContentIds: ['0123456789abcdef01234567'],
};

const secretsSchema = z.strictObject({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  apiKey: z.string().min(1).optional(),
  session: z.strictObject({ authorization: z.string().min(1), correlationId: z.string().min(1) }).optional(),
});

/** The tenant's credentials, from standard input. */
export type SubjectSecrets = z.output<typeof secretsSchema>;
/** A client credential, as support issues it. */
export type ClientCredential = Pick<SubjectSecrets, 'clientId' | 'clientSecret'>;
/** The headers of a logged-in user's browser. Authorization includes `Bearer `. */
export type Session = NonNullable<SubjectSecrets['session']>;

/** Invalid input. Messages name the fields and what is allowed, but quote no values. */
export class InvalidSubjectError extends Error {
  readonly code = 'invalid_subject';
  readonly issues: readonly string[];

  constructor(issues: readonly string[]) {
    super(issues.join('\n'));
    this.name = 'InvalidSubjectError';
    this.issues = issues;
  }
}

/** Parses a target file. @throws {InvalidSubjectError} with all faults, each by its path */
export function parseSubject(text: string): Subject {
  return parse('target file', subjectSchema, text);
}

/** Parses the credentials. @throws {InvalidSubjectError} with all faults, each by its path */
export function parseSecrets(text: string): SubjectSecrets {
  return parse('standard input', secretsSchema, text);
}

function parse<Schema extends z.ZodType>(source: string, schema: Schema, text: string): z.output<Schema> {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    throw new InvalidSubjectError([faultLine(source, 'no JSON', 'well-formed JSON')]);
  }
  const result = parseNamingFields(schema, input);
  if (result.success) return result.data;
  throw new InvalidSubjectError(
    faultsOf(result.error.issues).map(({ path, message, isUnknownField }) => {
      const found = isUnknownField === true ? 'a field of this name' : whatIsAt(path, input);
      return faultLine(`${source}: ${pathText(path)}`, found, message);
    }),
  );
}

/** Whether there is a value, without quoting it. */
function whatIsAt(path: readonly PropertyKey[], input: unknown): string {
  const value = path.reduce<unknown>(
    (at, part) => (at as Record<PropertyKey, unknown> | undefined)?.[part],
    input,
  );
  return value === undefined ? 'nothing' : 'something else';
}
