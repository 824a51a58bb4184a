/** Values of condition keys for one request; a list for a key that can have several values. */
export type RequestContext = Readonly<Record<string, string | readonly string[]>>;

/**
 * Every condition key whose value, or whose absence, the local account knows.
 * A key outside this list might be present on AWS, so a statement that asks for it can't be decided here.
 */
const KNOWN_KEYS = [
  'aws:securetransport',
  'aws:principalarn',
  'aws:principalaccount',
  'aws:principaltype',
  'aws:principalisawsservice',
  'aws:principalservicename',
  'aws:sourcearn',
  'aws:sourceaccount',
  'aws:resourceaccount',
  'aws:requestedregion',
  'aws:viaawsservice',
  'aws:tagkeys',
  'iam:passedtoservice',
  'kms:viaservice',
  'kms:calleraccount',
  'kms:encryptioncontextkeys',
  'secretsmanager:secretid',
  'secretsmanager:versionid',
  'secretsmanager:versionstage',
  'secretsmanager:blockpublicpolicy',
  'secretsmanager:recoverywindowindays',
  'secretsmanager:forcedeletewithoutrecovery',
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

/** Whether the local account can tell the value of a condition key. Key names ignore case, as in IAM. */
export function isKnownContextKey(key: string): boolean {
  const name = key.toLowerCase();
  return KNOWN_KEYS.includes(name) || KNOWN_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** The values of a key in a context; undefined when the key is absent. Key names ignore case. */
export function contextValues(context: RequestContext, key: string): readonly string[] | undefined {
  const name = key.toLowerCase();
  const entry = Object.entries(context).find(([candidate]) => candidate.toLowerCase() === name);
  if (entry === undefined) return undefined;
  return typeof entry[1] === 'string' ? [entry[1]] : entry[1];
}
