import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Statement {
  Action: string | string[];
  Resource: unknown;
  Condition?: unknown;
}

interface Template {
  Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>;
}

/** The position of a statement in a role or managed policy, and what it allows. */
export interface StatementPlace {
  /** Readable, such as `TokensTokenSweep: GetSecretValue on token/*`. */
  label: string;
  /** The role or policy, as its logical id begins. */
  holder: string;
  actions: string[];
  subject: string;
  logicalId: string;
  index: number;
}

/** All statements of a template's roles and managed policies. */
export function statementsOf(template: Template): StatementPlace[] {
  return Object.entries(template.Resources).flatMap(([logicalId, { Type, Properties }]) => {
    if (Type === 'AWS::IAM::Role' && Properties.Policies !== undefined)
      throw new Error(`${logicalId} has policies inside`);
    if (Type !== 'AWS::IAM::Policy' && Type !== 'AWS::IAM::ManagedPolicy') return [];
    const holder = ((Properties.Roles as { Ref: string }[] | undefined)?.[0]?.Ref ?? logicalId).slice(0, -8);
    return statementList(Properties).map((statement, index) => {
      const actions = [statement.Action].flat();
      const subject = subjectOf(statement);
      const what = actions.map((action) => action.split(':')[1]).join(', ');
      return {
        label: `${holder.replace(/Role$/, '')}: ${what} on ${subject}`,
        holder,
        actions,
        subject,
        logicalId,
        index,
      };
    });
  });
}

/** What a denial says that comes of the missing statement. */
export function denialWithout({ holder, actions, subject }: StatementPlace): RegExp {
  const denied = `(${actions.join('|')}) on (resource: )?`;
  const isSeenInOutput = holder !== 'OperatorPolicy' && /log group|dead-letter/.test(subject);
  // The output has the denials of all roles. Their names are cut.
  if (isSeenInOutput)
    return new RegExp(`-${holder.slice(0, 20)}\\S* is not authorized to perform: ${denied}`);
  // Without this permission, IAM denies what the secret is read for.
  if (subject === 'everything' && actions.includes('secretsmanager:DescribeSecret'))
    return /secretsmanager:(Describe|Get)Secret\w* on latchkey\//;
  if (subject === 'everything') return new RegExp(denied);
  const isNamed = !subject.startsWith('the ') && !denied.includes('kms:');
  // Names of functions may be cut.
  const names = isNamed ? subject.replaceAll('*', '').replaceAll(/s\b/g, '').split(' and ').join('|') : '';
  return new RegExp(`${denied}arn:aws:\\S*(${names})`);
}

function statementList(properties: Record<string, unknown>): Statement[] {
  return (properties.PolicyDocument as { Statement: Statement[] }).Statement;
}

/** The secrets that a statement covers, or the kind of its resource. */
function subjectOf({ Resource, Condition }: Statement): string {
  const text = JSON.stringify([Resource, Condition]);
  const secrets = [...text.matchAll(/\*\/((?:client-credentials|api-key|token\/[a-z*/-]+?))-\?{6}/g)];
  if (secrets.length > 0) return [...new Set(secrets.map(([, path]) => path))].join(' and ');
  if (/Logs[0-9A-F]{8}/.test(text)) return 'the log group';
  if (/DeadLetters/.test(text)) return 'the dead-letter queue';
  if (/:parameter\//.test(text)) return 'the parameters';
  if (/"iam:PassedToService"/.test(text)) return 'the roles of the schedules';
  if (/(Tokens|Watch)Schedule[0-9A-F]{8}/.test(text)) return 'the schedules';
  if (Resource === '*') return 'everything';
  const functions = [
    ...text.matchAll(/(TokenRefresh|TokenSweep|CredentialWatch|RotateCredentials|Restore)Function/g),
  ].map(([, name]) => name);
  return functions.join(' and ') || text;
}

/** Copies a cloud assembly without the given statements. Assets are shared with the original. */
export function copyAssembly(
  from: string,
  to: string,
  without: { stack: string; place: StatementPlace }[],
): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from)) {
    const template = without.filter(({ stack }) => entry === `${stack}.template.json`);
    if (template.length > 0) {
      const text = readFileSync(join(from, entry), 'utf8');
      writeFileSync(
        join(to, entry),
        template.reduce((all, { place }) => withoutStatement(all, place), text),
      );
    } else if (entry.startsWith('asset.')) {
      symlinkSync(join(from, entry), join(to, entry));
    } else if (entry.endsWith('.json')) {
      cpSync(join(from, entry), join(to, entry));
    }
  }
}

function withoutStatement(text: string, { logicalId, index }: StatementPlace): string {
  const template = JSON.parse(text) as Template;
  statementList(template.Resources[logicalId]!.Properties).splice(index, 1);
  return JSON.stringify(template);
}
