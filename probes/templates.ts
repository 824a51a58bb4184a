import { type System } from './system';

/** Parts of templates that several probes deploy. */
type Resource = Readonly<Record<string, unknown>>;

/** The tags of a probe's resource: its value tells whose it is. */
export const tagsOf = ({ prefix }: Pick<System, 'prefix'>) => [{ Key: 'latchkey:prove', Value: prefix }];

/** The account's own principal, in any partition. */
const ROOT = { AWS: { 'Fn::Sub': 'arn:${AWS::Partition}:iam::${AWS::AccountId}:root' } };

/** One statement that allows actions. */
export const allow = (Action: readonly string[], Resource: unknown, Condition?: object) => ({
  ...{ Effect: 'Allow', Action, Resource },
  ...(Condition !== undefined && { Condition }),
});

/**
 * A role with one policy.
 * @param trusted the service that assumes it; undefined for everybody in the account whose own policy allows that
 */
export const role = (
  system: System,
  trusted: string | undefined,
  statements: readonly object[],
): Resource => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: policy([
      {
        ...{ Effect: 'Allow', Action: 'sts:AssumeRole' },
        Principal: trusted === undefined ? ROOT : { Service: trusted },
      },
    ]),
    Policies: [{ PolicyName: 'probe', PolicyDocument: policy(statements) }],
    Tags: tagsOf(system),
  },
});

export const policy = (Statement: readonly object[]) => ({ Version: '2012-10-17', Statement });

/** A secret without a value. @param more further properties */
export const secretShell = (system: System, name: string, more: object = {}): Resource => ({
  Type: 'AWS::SecretsManager::Secret',
  Properties: { Name: `${system.prefix}/${name}`, Tags: tagsOf(system), ...more },
});

/** A customer managed key that the account's policies decide about. */
export const key = (system: System): Resource => ({
  Type: 'AWS::KMS::Key',
  Properties: {
    Description: 'of a probe of Latchkey',
    PendingWindowInDays: 7,
    KeyPolicy: policy([{ Effect: 'Allow', Principal: ROOT, Action: 'kms:*', Resource: '*' }]),
    Tags: tagsOf(system),
  },
});

/** Deploys a stack, looks, and deletes it. @throws {DeploymentFailed} */
export async function withStack<Result>(
  system: System,
  template: object,
  look: (outputs: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  const name = system.prefix;
  try {
    const outputs = await system.stacks.deploy({ name, template });
    return await look(outputs[name]!);
  } finally {
    await system.stacks.delete(name);
  }
}

/** Outputs of a template, by their names. */
export const outputs = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).map(([name, Value]) => [name, { Value }]));

export const arnOf = (logicalId: string) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });
