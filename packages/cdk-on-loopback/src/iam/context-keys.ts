/** The condition keys of one request. A key with several values has a list; an absent one may be undefined. */
export type RequestContext = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The condition keys that the local account supports: it knows their value, or that they are absent.
 * AWS might set other keys, so a statement that uses one cannot be decided here.
 */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'aws:securetransport',
  'aws:principalarn',
  'aws:principalaccount',
  'aws:principalorgid',
  'aws:principaltype',
  'aws:principalisawsservice',
  'aws:principalservicename',
  'aws:sourcearn',
  'aws:sourceaccount',
  'aws:resourceaccount',
  'aws:requestedregion',
  'aws:viaawsservice',
  'aws:calledvia',
  'aws:tagkeys',
  'events:detail-type',
  'events:source',
  'aws:multifactorauthpresent',
  'iam:passedtoservice',
  'lambda:functionarn',
  'kms:viaservice',
  'kms:calleraccount',
  'kms:resourcealiases',
  'kms:encryptioncontextkeys',
  'kms:schedulekeydeletionpendingwindowindays',
  'secretsmanager:secretid',
  'secretsmanager:versionid',
  'secretsmanager:versionstage',
  'secretsmanager:name',
  'secretsmanager:description',
  'secretsmanager:kmskeyid',
  'secretsmanager:kmskeyarn',
  'secretsmanager:addreplicaregions',
  'secretsmanager:blockpublicpolicy',
  'secretsmanager:recoverywindowindays',
  'secretsmanager:forcedeletewithoutrecovery',
  'secretsmanager:forceoverwritereplicasecret',
  'secretsmanager:resource/allowrotationlambdaarn',
  'secretsmanager:rotationlambdaarn',
  'secretsmanager:modifyrotationrules',
  'secretsmanager:rotateimmediately',
  'sts:externalid',
  'sts:rolesessionname',
]);
const KNOWN_PREFIXES = [
  'aws:resourcetag/',
  'aws:requesttag/',
  'kms:encryptioncontext:',
  'secretsmanager:resourcetag/',
];

/** Whether the local account supports a condition key. Names are not case-sensitive, as in IAM. */
export function isKnownContextKey(key: string): boolean {
  const name = key.toLowerCase();
  return KNOWN_KEYS.has(name) || KNOWN_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** The values of a condition key; undefined if absent. Names are not case-sensitive. */
export function contextValues(context: RequestContext, key: string): readonly string[] | undefined {
  const value = byLowerName(context).get(key.toLowerCase());
  return typeof value === 'string' ? [value] : value;
}

type ContextValues = ReadonlyMap<string, RequestContext[string]>;

const lowerNames = new WeakMap<RequestContext, ContextValues>();

/** The values by lower-case names. The statements of a request's policies share one context. */
function byLowerName(context: RequestContext): ContextValues {
  const cached = lowerNames.get(context);
  if (cached) return cached;
  const values = new Map<string, RequestContext[string]>();
  for (const [key, value] of Object.entries(context)) {
    const name = key.toLowerCase();
    if (!values.has(name)) values.set(name, value);
  }
  lowerNames.set(context, values);
  return values;
}
