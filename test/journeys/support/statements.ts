import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Policy {
  Roles?: { Ref: string }[];
  Policies?: unknown;
  PolicyDocument: { Statement: { Action: string | string[]; Resource: unknown; Condition?: unknown }[] };
}

interface Template {
  Resources: Record<string, { Type: string; Properties: Policy }>;
}

/** A statement in a role's or a managed policy. */
export interface Statement {
  /** What it allows, such as `TokensTokenRefresh: Decrypt, GenerateDataKey on token/*`. */
  label: string;
  /** The role or policy, as its logical id begins. */
  holder: string;
  actions: string[];
  subject: string;
  logicalId: string;
  index: number;
}

const readTemplate = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Template;

/** All statements of a template's roles and managed policies. */
export function statementsOf(file: string): Statement[] {
  return Object.entries(readTemplate(file).Resources).flatMap(([logicalId, { Type, Properties }]) => {
    if (Type === 'AWS::IAM::Role' && Properties.Policies !== undefined)
      throw new Error(`${logicalId} has policies inside`);
    if (Type !== 'AWS::IAM::Policy' && Type !== 'AWS::IAM::ManagedPolicy') return [];
    const holder = (Properties.Roles?.[0]?.Ref ?? logicalId).slice(0, -8).replace(/Role$/, '');
    return Properties.PolicyDocument.Statement.map(({ Action, Resource, Condition }, index) => {
      const actions = [Action].flat();
      const subject = Resource === '*' ? 'everything' : subjectIn(JSON.stringify([Resource, Condition]));
      const verbs = actions.map((action) => action.split(':')[1]).join(', ');
      const label = `${holder}: ${verbs} on ${subject}`;
      return { label, holder, actions, subject, logicalId, index };
    });
  });
}

/** The secrets that a statement covers, or the kind of its resource. */
function subjectIn(text: string): string {
  const secrets = [...text.matchAll(/\*\/((?:client-credentials|api-key|token\/[a-z*/-]+?))-\?{6}/g)];
  if (secrets.length > 0) return [...new Set(secrets.map(([, path]) => path))].join(' and ');
  if (/Logs[0-9A-F]{8}/.test(text)) return 'the log group';
  if (/DeadLetters/.test(text)) return 'the dead-letter queue';
  if (/:parameter\//.test(text)) return 'the parameters';
  if (/"iam:PassedToService"/.test(text)) return 'the roles of the schedules';
  if (/(Tokens|Watch)Schedule[0-9A-F]{8}/.test(text)) return 'the schedules';
  const [name, ...others] = [...text.matchAll(/(\w+?)Function[0-9A-F]{8}/g)].map(([, each]) => each);
  return others.length > 0 ? 'the functions' : (name ?? text);
}

/** What a denial says that comes of the missing statement. */
export function denialWithout({ holder, actions, subject }: Statement): RegExp {
  const denied = `(${actions.join('|')}) on (resource: )?`;
  // These are in the output, which has the denials of all roles. Their names are cut.
  if (holder !== 'OperatorPolicy' && /log group|dead-letter/.test(subject))
    return new RegExp(`-${holder.slice(0, 20)}\\S* is not authorized to perform: ${denied}`);
  // Without this permission, IAM denies what the secret is read for.
  if (subject === 'everything' && actions.includes('secretsmanager:DescribeSecret'))
    return /secretsmanager:(Describe|Get)Secret\w* on latchkey\//;
  if (subject === 'everything') return new RegExp(denied);
  const isNamed = !subject.startsWith('the ') && !denied.includes('kms:');
  // Names of functions are cut.
  const names = isNamed ? subject.split(' and ').map((name) => name.slice(0, 20).replace('*', '')) : [];
  return new RegExp(`${denied}arn:aws:\\S*(${names.join('|')})`);
}

/** Copies an assembly without some statements, by template. All other files are shared with the original. */
export function copyWithout(app: string, copy: string, removed: Map<string, Statement[]>): void {
  mkdirSync(copy);
  for (const file of readdirSync(app)) {
    const statements = removed.get(file);
    if (statements === undefined) {
      symlinkSync(join(app, file), join(copy, file));
      continue;
    }
    const template = readTemplate(join(app, file));
    // Backward, since removing a statement moves those after it.
    for (const { logicalId, index } of statements.sort((a, b) => b.index - a.index))
      template.Resources[logicalId]!.Properties.PolicyDocument.Statement.splice(index, 1);
    writeFileSync(join(copy, file), JSON.stringify(template));
  }
}
