import { isJsonObject } from '../json-object';
import { conditionOperator } from './condition-operators';

/** What a policy belongs to, which decides its elements and how its service refuses it. */
export type PolicyOwner =
  'role' | 'managed' | 'trust' | 'session' | 'secret' | 'key' | 'queue' | 'topic' | 'api';

/** What is wrong with a policy document, and where: keys and indexes that lead to it. */
export interface Malformation {
  path: (string | number)[];
  message: string;
}

interface Rules {
  /** The service's error code, and its message where it does not depend on what is wrong. */
  refusal: string;
  principal: 'required' | 'prohibited';
  /** A key policy's statement without actions is accepted and has no effect. */
  action: 'required' | 'optional';
  resource: 'required' | 'optional' | 'prohibited';
  needsNewestVersion?: true;
}

const IDENTITY = {
  refusal: 'MalformedPolicyDocument',
  principal: 'prohibited',
  action: 'required',
  resource: 'required',
} as const;
const ON_RESOURCE = { principal: 'required', action: 'required', resource: 'optional' } as const;

const OWNERS: Readonly<Record<PolicyOwner, Rules>> = {
  role: IDENTITY,
  session: IDENTITY,
  managed: { ...IDENTITY, needsNewestVersion: true },
  trust: { ...ON_RESOURCE, refusal: 'MalformedPolicyDocument', resource: 'prohibited' },
  secret: { ...ON_RESOURCE, refusal: 'MalformedPolicyDocumentException' },
  // https://docs.aws.amazon.com/kms/latest/APIReference/API_CreateKey.html (Policy)
  key: { ...ON_RESOURCE, refusal: 'MalformedPolicyDocumentException', action: 'optional' },
  // https://github.com/aws/aws-cdk/issues/15602
  queue: { ...ON_RESOURCE, refusal: 'InvalidAttributeValue: Invalid value for the parameter Policy.' },
  // https://github.com/serverless/serverless/issues/5519
  topic: { ...ON_RESOURCE, refusal: 'InvalidParameter: Invalid parameter: Policy Error: null' },
  // https://github.com/aws/chalice/issues/2065
  api: { ...ON_RESOURCE, refusal: 'BadRequestException: Invalid policy document.' },
};

/** The elements that a statement may have. */
export const STATEMENT_ELEMENTS =
  'Sid Effect Principal NotPrincipal Action NotAction Resource NotResource Condition'.split(' ');
const PRINCIPAL_TYPES = ['AWS', 'CanonicalUser', 'Federated', 'Service'];

/** The error with which the owner's service refuses a malformed policy. */
export function refusalOf(owner: PolicyOwner): string {
  return OWNERS[owner].refusal;
}

/**
 * The first thing for which AWS refuses a policy document, undefined if it accepts the document.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 * @see https://github.com/getmoto/moto/blob/master/tests/test_iam/test_iam_policies.py (recorded messages)
 */
export function malformationOf(document: unknown, owner: PolicyOwner): Malformation | undefined {
  return inDocument(document, OWNERS[owner]).next().value ?? undefined;
}

type Malformations = Generator<Malformation, void, undefined>;

function* inDocument(document: unknown, rules: Rules): Malformations {
  if (!isJsonObject(document)) return yield fault([], document, 'allowed: an object');
  yield* unknownKeys([], document, ['Version', 'Id', 'Statement']);
  const { Version, Id, Statement } = document;
  if (Version !== undefined && Version !== '2008-10-17' && Version !== '2012-10-17')
    yield fault(['Version'], Version, 'allowed: "2012-10-17", "2008-10-17"');
  if (rules.needsNewestVersion && Version !== '2012-10-17')
    yield fault(['Version'], Version, 'Policy document must be version 2012-10-17 or greater.');
  if (Id !== undefined && typeof Id !== 'string') yield fault(['Id'], Id, 'allowed: text');
  if (Array.isArray(Statement) && Statement.length === 0)
    yield fault(['Statement'], Statement, 'allowed: at least one statement');

  const sids = new Set<unknown>();
  for (const [n, statement] of [Statement].flat().entries()) {
    const path = Array.isArray(Statement) ? ['Statement', n] : ['Statement'];
    yield* inStatement(path, statement, rules);
    const { Sid } = statement as { Sid?: unknown };
    if (Sid && sids.has(Sid))
      yield fault([...path, 'Sid'], Sid, 'Statement IDs (SID) in a single policy must be unique.');
    sids.add(Sid);
  }
}

function* inStatement(path: Malformation['path'], statement: unknown, rules: Rules): Malformations {
  if (!isJsonObject(statement)) return yield fault(path, statement, 'allowed: an object');
  yield* unknownKeys(path, statement, STATEMENT_ELEMENTS);
  const { Sid, Effect } = statement;
  if (Sid !== undefined && typeof Sid !== 'string') yield fault([...path, 'Sid'], Sid, 'allowed: text');
  else if (rules.principal === 'prohibited' && Sid && !/^[0-9A-Za-z]+$/.test(Sid))
    yield fault([...path, 'Sid'], Sid, 'Statement IDs (SID) must be alpha-numeric.');
  if (Effect !== 'Allow' && Effect !== 'Deny')
    yield fault([...path, 'Effect'], Effect, 'allowed: "Allow", "Deny"');
  yield* inPrincipals(path, statement, rules);
  yield* inActions(path, statement, rules);
  yield* inResources(path, statement, rules);
  yield* inCondition([...path, 'Condition'], statement.Condition);
}

function* inPrincipals(path: Malformation['path'], statement: Given, rules: Rules): Malformations {
  const name = statement.NotPrincipal !== undefined ? 'NotPrincipal' : 'Principal';
  const principals = statement[name];
  if (rules.principal === 'prohibited') {
    if (principals !== undefined)
      yield fault([...path, name], principals, 'Policy document should not specify a principal.');
    return;
  }
  yield* notBoth(path, statement, 'Principal', 'NotPrincipal');
  if (principals === '*') return;
  if (!isJsonObject(principals) || Object.keys(principals).length === 0)
    return yield fault(
      [...path, name],
      principals,
      `allowed: "*", or an object with ${PRINCIPAL_TYPES.join(', ')}`,
    );
  yield* unknownKeys([...path, name], principals, PRINCIPAL_TYPES);
  for (const [type, names] of Object.entries(principals)) {
    yield* inTexts([...path, name, type], names, 'Policy statement must contain principals.');
    for (const each of [names].flat() as string[])
      if (!isPrincipal(type, each)) yield fault([...path, name, type], each, 'Invalid principal in policy.');
  }
}

/** Wildcards stand for everybody only, not for a part of a name. */
function isPrincipal(type: string, name: string): boolean {
  if (type === 'AWS' && name === '*') return true;
  if (type === 'AWS') return /^(\d{12}|A[0-9A-Z]{15,}|arn:aws[a-z-]*:(iam|sts)::\d{12}:[^*?]+)$/.test(name);
  return name !== '' && !/[*?\s]/.test(name);
}

function* inActions(statementPath: Malformation['path'], statement: Given, rules: Rules): Malformations {
  yield* notBoth(statementPath, statement, 'Action', 'NotAction');
  const name = statement.NotAction !== undefined ? 'NotAction' : 'Action';
  const path = [...statementPath, name];
  if (statement[name] === undefined && rules.action === 'optional') return;
  yield* inTexts(path, statement[name], 'Policy statement must contain actions.');
  for (const action of [statement[name]].flat() as string[]) {
    const [vendor = '', ...rest] = action.split(':');
    if (action === '*') continue;
    if (rest.length === 0)
      yield fault(path, action, 'Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.');
    if (rest.length > 1) yield fault(path, action, 'Actions/Condition can contain only one colon.');
    if (!/^(\*|[\w.-]+)$/.test(vendor)) yield fault(path, action, `Vendor ${vendor} is not valid`);
    if (rules.resource === 'prohibited' && vendor.toLowerCase() !== 'sts')
      yield fault(path, action, 'AssumeRole policy may only specify STS AssumeRole actions.');
  }
}

function* inResources(statementPath: Malformation['path'], statement: Given, rules: Rules): Malformations {
  yield* notBoth(statementPath, statement, 'Resource', 'NotResource');
  const name = statement.NotResource !== undefined ? 'NotResource' : 'Resource';
  const path = [...statementPath, name];
  const resources = statement[name];
  if (rules.resource === 'prohibited') {
    if (resources !== undefined) yield fault(path, resources, `Has prohibited field ${name}`);
    return;
  }
  if (resources === undefined && rules.resource === 'optional') return;
  yield* inTexts(path, resources, 'Policy statement must contain resources.');
  if (rules.resource === 'optional') return;
  for (const resource of [resources].flat() as string[]) {
    const [start, partition = '', service = '', ...rest] = resource.split(':');
    if (resource === '*') continue;
    if (start !== 'arn') yield fault(path, resource, 'Resource must be in ARN format or "*".');
    if (!/^aws(-[a-z]+)*$/.test(partition))
      yield fault(path, resource, `Partition "${partition}" is not valid.`);
    if (service === '' || /[*?]/.test(service))
      yield fault(path, resource, 'Resource vendor must be fully qualified and cannot contain regexes.');
    if (rest.length < 3 && rest.includes('')) yield fault(path, resource, 'The policy failed legacy parsing');
  }
}

function* inCondition(path: Malformation['path'], condition: unknown): Malformations {
  if (condition === undefined) return;
  if (!isJsonObject(condition)) return yield fault(path, condition, 'allowed: an object');
  for (const [operator, keys] of Object.entries(condition)) {
    const operatorPath = [...path, operator];
    if (!isJsonObject(keys)) return yield fault(operatorPath, keys, 'allowed: an object');
    if (
      !conditionOperator(operator) &&
      !/^(For(Any|All)Values?:)?Null$/.test(operator) &&
      Object.keys(keys).length > 0
    )
      yield fault(path, operator, 'allowed: the condition operators of IAM');
    for (const [key, values] of Object.entries(keys)) {
      const wrong = [values].flat().find((value) => !['string', 'number', 'boolean'].includes(typeof value));
      if (wrong !== undefined)
        yield fault([...operatorPath, key], wrong, 'allowed: text, numbers, true, false');
    }
  }
}

type Given = Readonly<Record<string, unknown>>;

function* notBoth(
  path: Malformation['path'],
  statement: Given,
  name: string,
  negated: string,
): Malformations {
  if (statement[name] !== undefined && statement[negated] !== undefined)
    yield fault([...path, negated], statement[negated], `allowed: either ${name} or ${negated}`);
}

function* inTexts(path: Malformation['path'], given: unknown, ifNone: string): Malformations {
  const texts = [given].flat();
  if (given === undefined || texts.length === 0) yield fault(path, given, ifNone);
  const wrong = texts.filter((text) => typeof text !== 'string');
  if (wrong.length > 0) yield fault(path, wrong[0], 'allowed: text, or a list of texts');
}

function* unknownKeys(path: Malformation['path'], given: Given, known: readonly string[]): Malformations {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown !== undefined) yield fault(path, unknown, `allowed: ${known.join(', ')}`);
}

function fault(path: Malformation['path'], value: unknown, rule: string): Malformation {
  const shown = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
  return { path, message: `found ${shown}; ${rule}` };
}
