import { type CfnResource, Stack } from 'aws-cdk-lib';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { type IConstruct } from 'constructs';

interface KnownResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** A template, and where its stack will be. */
export interface KnownTemplate {
  /** Of the stack's artifact: stacks of several accounts may have the same name. */
  readonly id: string;
  readonly stackName: string;
  readonly account: string;
  readonly region: string;
  readonly template: {
    readonly Resources: Readonly<Record<string, KnownResource>>;
    readonly Parameters?: Readonly<Record<string, { readonly Default?: string }>>;
  };
}

/** The values that templates will have once they are deployed, with patterns for names that CloudFormation will choose. */
export class TemplateValues {
  private readonly templates: readonly KnownTemplate[];
  /** ARNs of roles that will not be created, by stack and logical id. */
  private readonly roleArns: ReadonlyMap<string, string>;

  /** @param existing roles that stand for those of the templates */
  constructor(templates: readonly KnownTemplate[], existing: ReadonlyMap<IConstruct, string>) {
    this.templates = templates;
    this.roleArns = new Map(
      [...existing].map(([role, arn]) => {
        const { template, id } = this.find(role.node.defaultChild!);
        return [`${template.id} ${id}`, arn];
      }),
    );
  }

  /** A property of a resource. */
  propertyOf(resource: IConstruct, name: string): unknown {
    const { template, id } = this.find(resource);
    return this.resolve(template, template.template.Resources[id]!.Properties?.[name]);
  }

  /** The role's own policy; undefined if it has none. */
  policyOf(role: IConstruct): unknown {
    const policy = role.node.tryFindChild('DefaultPolicy')?.node.defaultChild;
    return policy && this.propertyOf(policy, 'PolicyDocument');
  }

  private find(resource: IConstruct): { template: KnownTemplate; id: string } {
    const stack = Stack.of(resource);
    const template = this.templates.find((each) => each.id === stack.artifactId)!;
    return { template, id: stack.resolve((resource as CfnResource).logicalId) as string };
  }

  private resolve(template: KnownTemplate, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.resolve(template, item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [[name, argument] = ['', undefined]] = entries;
    if (entries.length === 1 && name === 'Ref') return this.reference(template, argument as string);
    if (entries.length === 1 && name === 'Fn::GetAtt') {
      const [id, attribute] = argument as [string, string];
      return this.attribute(template, id, attribute);
    }
    if (entries.length === 1 && name === 'Fn::Join') {
      const [separator, parts] = argument as [string, unknown[]];
      return parts.map((part) => String(this.resolve(template, part))).join(separator);
    }
    return Object.fromEntries(entries.map(([key, item]) => [key, this.resolve(template, item)]));
  }

  private reference(template: KnownTemplate, name: string): unknown {
    const { account, region } = template;
    const { partition = 'aws', domainSuffix = 'amazonaws.com' } = RegionInfo.get(region);
    switch (name) {
      case 'AWS::AccountId':
        return account;
      case 'AWS::Region':
        return region;
      case 'AWS::Partition':
        return partition;
      case 'AWS::URLSuffix':
        return domainSuffix;
    }
    const parameter = template.template.Parameters?.[name];
    if (parameter !== undefined) return this.published(template, parameter.Default!);
    const type = template.template.Resources[name]?.Type;
    if (type === 'AWS::ApiGateway::RestApi') return '*';
    if (type === 'AWS::SNS::Topic')
      return `arn:${partition}:sns:${region}:${account}:${generatedName(template.stackName, name)}`;
    throw new Error(`${template.stackName}: no value for ${name}`);
  }

  /** The value of an SSM parameter of another stack. */
  private published({ account, region }: KnownTemplate, parameterName: string): unknown {
    for (const template of this.templates) {
      if (template.account !== account || template.region !== region) continue;
      const found = Object.values(template.template.Resources).find(
        ({ Type, Properties }) => Type === 'AWS::SSM::Parameter' && Properties?.Name === parameterName,
      );
      if (found !== undefined) return this.resolve(template, found.Properties!.Value);
    }
    throw new Error(`no stack publishes ${parameterName}`);
  }

  private attribute(template: KnownTemplate, id: string, attribute: string): string {
    const { account, region, stackName, id: stackId } = template;
    const { Type, Properties = {} } = template.template.Resources[id]!;
    const { partition = 'aws' } = RegionInfo.get(region);
    const arn = (service: string, resource: string) =>
      `arn:${partition}:${service}:${region}:${account}:${resource}`;
    const name = generatedName(stackName, id);
    switch (`${Type} ${attribute}`) {
      case 'AWS::Lambda::Function Arn':
        return arn('lambda', `function:${name}`);
      case 'AWS::Logs::LogGroup Arn':
        return arn('logs', `log-group:${name}:*`);
      case 'AWS::SQS::Queue Arn':
        return arn('sqs', name);
      case 'AWS::KMS::Key Arn':
        return arn('kms', 'key/*');
      case 'AWS::Scheduler::Schedule Arn':
        return arn('scheduler', `schedule/default/${String(Properties.Name)}`);
      case 'AWS::IAM::Role Arn': {
        const { Path = '/', RoleName = name } = Properties as { Path?: string; RoleName?: string };
        const existing = this.roleArns.get(`${stackId} ${id}`);
        return existing ?? `arn:${partition}:iam::${account}:role${Path}${RoleName}`;
      }
    }
    throw new Error(`${stackName}: no value for ${attribute} of ${id}`);
  }
}

/** Characters of a generated name that are neither of the stack nor of the logical id: two hyphens and the random part. */
const RANDOM_LENGTH = 14;
const MAX_NAME_LENGTH = 64;
/** As much of either name as a generated name has in any case, if both are long. */
const CERTAIN_LENGTH = 20;

/**
 * A pattern of the name that CloudFormation gives a resource: stack, logical id and random characters, with hyphens between
 * them. Names that would be too long are cut, and AWS does not say how: from both, or from the logical id alone.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-name.html
 */
function generatedName(stackName: string, logicalId: string): string {
  const left = MAX_NAME_LENGTH - RANDOM_LENGTH - stackName.length;
  const ofStack = stackName.slice(0, CERTAIN_LENGTH);
  const ofResource = logicalId.slice(0, Math.max(0, Math.min(CERTAIN_LENGTH, left)));
  return `${ofStack}*${ofResource}*`;
}
