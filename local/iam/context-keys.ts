/** The condition keys of one request. A key with several values has a list. */
export type RequestContext = Readonly<Record<string, string | readonly string[]>>;

/**
 * The condition keys that the local account supports: it knows their value, or that they are absent.
 * AWS might set other keys, so a statement that uses one cannot be decided here.
 */
const KNOWN_KEYS = [
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
  'aws:tagkeys',
  'events:detail-type',
  'events:source',
  'aws:multifactorauthpresent',
  'iam:passedtoservice',
  'kms:viaservice',
  'kms:calleraccount',
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
];
const KNOWN_PREFIXES = [
  'aws:resourcetag/',
  'aws:requesttag/',
  'kms:encryptioncontext:',
  'secretsmanager:resourcetag/',
];

/** Whether the local account supports a condition key. Names are not case-sensitive, as in IAM. */
export function isKnownContextKey(key: string): boolean {
  const name = key.toLowerCase();
  return KNOWN_KEYS.includes(name) || KNOWN_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** The values of a condition key; undefined if absent. Names are not case-sensitive. */
export function contextValues(context: RequestContext, key: string): readonly string[] | undefined {
  const name = key.toLowerCase();
  const entry = Object.entries(context).find(([candidate]) => candidate.toLowerCase() === name);
  if (entry === undefined) return undefined;
  return typeof entry[1] === 'string' ? [entry[1]] : entry[1];
}
