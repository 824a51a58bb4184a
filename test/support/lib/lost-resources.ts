import { type Resource, type Template } from './synthesis';

/**
 * What an update must neither replace nor remove, and the properties whose update replaces it. The names are in the
 * "Update requires: Replacement" of each type's page, for example of `AWS::SecretsManager::Secret`:
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-secretsmanager-secret.html
 */
const KEPT: Record<string, string[]> = {
  'AWS::SecretsManager::Secret': ['Name'],
  'AWS::SecretsManager::RotationSchedule': ['SecretId'],
  'AWS::SecretsManager::ResourcePolicy': ['SecretId'],
  'AWS::KMS::Key': [],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::SQS::Queue': ['FifoQueue', 'QueueName'],
  'AWS::SNS::Topic': ['FifoTopic', 'TopicName'],
  'AWS::SNS::Subscription': ['Endpoint', 'Protocol', 'TopicArn'],
  'AWS::ApiGateway::RestApi': [],
  'AWS::ApiGateway::Stage': ['RestApiId', 'StageName'],
  'AWS::ApiGateway::Account': [],
  'AWS::ApiGateway::UsagePlan': [],
  'AWS::ApiGateway::ApiKey': ['GenerateDistinctId', 'Name', 'Value'],
  'AWS::ApiGateway::DomainName': ['DomainName'],
  'AWS::SSM::Parameter': ['Name'],
  'AWS::Lambda::Function': ['FunctionName', 'PackageType', 'TenancyConfig'],
  'AWS::IAM::ManagedPolicy': ['Description', 'ManagedPolicyName', 'Path'],
  'AWS::Scheduler::Schedule': ['Name'],
};

/** The properties that name resources which may go, but whose name must not move to another logical id. */
const NAMES = ['Name', 'AlarmName', 'DashboardName'];

const RETAINED = ['Retain', 'RetainExceptOnCreate'];

type Stacks = Record<string, Template>;

/**
 * Says what an update from one release's stacks to another's would replace, remove or fail to create, one line each. Each
 * line names the stack, the logical id and the property.
 */
export function lostResources(before: Stacks, after: Stacks): string[] {
  return Object.entries(before).flatMap(([stack, { Resources }]) => {
    const today = after[stack]?.Resources;
    if (today === undefined) return [`${stack}: the stack is no longer synthesized under this name`];
    const ignored = changesProperties(Resources, today) ? [] : newlyRetained(Resources, today);
    return Object.entries(Resources).flatMap(([id, resource]) =>
      [
        ...lossesOf(id, resource, today),
        ...(ignored.includes(id) ? ['would still be deleted with its stack: only policies change'] : []),
      ].map((loss) => `${stack}: ${id} (${resource.Type}) ${loss}`),
    );
  });
}

/**
 * Whether an update changes more than policies: CloudFormation has ignored an update that changes only them.
 * @see https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1543
 */
function changesProperties(was: Template['Resources'], today: Template['Resources']): boolean {
  return Object.keys({ ...was, ...today }).some(
    (id) => JSON.stringify(was[id]?.Properties) !== JSON.stringify(today[id]?.Properties),
  );
}

function newlyRetained(was: Template['Resources'], today: Template['Resources']): string[] {
  return Object.keys(was).filter((id) => !isRetained(was[id]) && isRetained(today[id]));
}

function isRetained({ DeletionPolicy = 'Delete' }: Partial<Resource> = {}): boolean {
  return RETAINED.includes(DeletionPolicy);
}

function lossesOf(id: string, was: Resource, today: Template['Resources']): string[] {
  const takenBy = Object.keys(today).find(
    (other) => other !== id && today[other]!.Type === was.Type && hasSameName(was, today[other]!),
  );
  if (takenBy !== undefined) return [`would not update: ${takenBy} has its name now, which is taken`];
  const properties = KEPT[was.Type];
  if (properties === undefined) return [];
  const is = today[id];
  if (is === undefined) return ['would be removed: there is no such logical id'];
  if (is.Type !== was.Type) return [`would be replaced: its type is ${is.Type}`];
  return [
    ...properties
      .filter((name) => shown(was, name) !== shown(is, name))
      .map((name) => `would be replaced: ${name} ${shown(was, name)} became ${shown(is, name)}`),
    ...(isRetained(was) && !isRetained(is)
      ? [`would no longer outlive its stack: DeletionPolicy became ${is.DeletionPolicy ?? 'Delete'}`]
      : []),
  ];
}

function hasSameName(one: Resource, other: Resource): boolean {
  // An API's or an authorizer's name is no identifier.
  if (one.Type.startsWith('AWS::ApiGateway::')) return false;
  return NAMES.some(
    (name) => one.Properties?.[name] !== undefined && shown(one, name) === shown(other, name),
  );
}

function shown({ Properties = {} }: Partial<Resource>, name: string): string {
  return JSON.stringify(Properties[name]) ?? 'none';
}
