import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type LambdaFunction, type PolicyStatement } from '../../account';
import { sha256Hex } from '../../sha256';
import {
  alreadyExists,
  arnOf,
  description,
  invalidTemplate,
  irrelevant,
  notFound,
  notSupported,
  only,
  physicalName,
  type ResourceContext,
  resourceType,
  stateOf,
  tags,
  wholeNumber,
} from '../resource-type';

/** Lambda's limit for a function's environment variables, names and values, as JSON. */
const MAX_ENVIRONMENT_BYTES = 4096;
/** CloudFormation's limit for code in a template, in characters. @see AWS CloudFormation Template Reference, AWS::Lambda::Function Code */
const MAX_INLINE_CODE_LENGTH = 4 * 1024 * 1024;
/** How much of the account's concurrency functions cannot reserve. A smaller account can reserve none. */
const MIN_UNRESERVED_CONCURRENCY = 100;
/** Lambda's defaults for asynchronous invocation: two retries, six hours. */
const ASYNC_DEFAULTS = { maximumRetryAttempts: 2, maximumEventAgeSec: 21_600 };

const functionProperties = z.strictObject({
  FunctionName: z.string().max(64).optional(),
  Code: z.union([
    z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
    z.strictObject({ ZipFile: z.string().min(1).max(MAX_INLINE_CODE_LENGTH) }),
  ]),
  Handler: z.string(),
  Role: z.string(),
  Runtime: z.string().regex(/^nodejs\d+\.x$/, 'only Node.js functions run here'),
  Timeout: wholeNumber.default(3),
  MemorySize: wholeNumber.default(128),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.string()).default({}) }).optional(),
  ReservedConcurrentExecutions: wholeNumber.optional(),
  LoggingConfig: z
    .strictObject({
      LogGroup: z.string().optional(),
      LogFormat: only('Text'),
    })
    .optional(),
  PackageType: only('Zip'),
  Description: description,
  Tags: tags,
  Architectures: irrelevant("functions run on this machine's processor"),
  EphemeralStorage: irrelevant("functions write to this machine's temporary folder"),
  CodeSigningConfigArn: irrelevant('the code comes from this machine'),
  KmsKeyArn: irrelevant('environment variables stay in memory'),
  RecursiveLoop: irrelevant('nothing here leads a message back to a function'),
  Layers: z.array(z.string()).default([]),
  TracingConfig: irrelevant('there is no X-Ray here'),
  VpcConfig: irrelevant("functions share this machine's network"),
});

export const lambdaFunction = resourceType(
  functionProperties,
  (properties, context) => {
    const { functions } = context.account;
    const name = properties.FunctionName ?? physicalName(context);
    const arn = arnOf(context, 'lambda', `function:${name}`);
    if (functions.has(arn)) throw alreadyExists(context, `function ${name} already exists`);
    functions.set(arn, {
      arn,
      name,
      resourcePolicy: { Version: '2012-10-17', Statement: [] },
      asyncInvoke: { ...ASYNC_DEFAULTS },
      ...configurationOf(name, properties, context),
    });
    return { ref: name, attributes: { Arn: arn } };
  },
  {
    replacedBy: ['FunctionName', 'PackageType'],
    // Warm environments belong to the previous object, so the next events start new ones.
    update: (properties, context, { attributes }) => {
      const { functions } = context.account;
      const { arn, name, resourcePolicy, asyncInvoke } = stateOf(functions, attributes.Arn, context);
      const configuration = configurationOf(name, properties, context);
      functions.set(arn, { arn, name, resourcePolicy, asyncInvoke, ...configuration });
    },
    delete: ({ attributes }, { account }) => void account.functions.delete(attributes.Arn!),
  },
);

function configurationOf(
  name: string,
  properties: z.output<typeof functionProperties>,
  context: ResourceContext,
): Omit<LambdaFunction, 'arn' | 'name' | 'resourcePolicy' | 'asyncInvoke'> {
  const { account } = context;
  if (!account.roles.has(properties.Role))
    throw notFound(context, `the account has no role ${properties.Role}`);
  requireConcurrency(name, properties.ReservedConcurrentExecutions ?? 0, context);
  const environment = properties.Environment?.Variables ?? {};
  if (Buffer.byteLength(JSON.stringify(environment)) > MAX_ENVIRONMENT_BYTES) {
    throw invalidTemplate(context, 'environment variables exceed the 4 KB that Lambda accepts');
  }
  // A layer with a wrapper script is left out, with its script. Other layers have code that functions need.
  if (properties.Layers.length > 0 && environment.AWS_LAMBDA_EXEC_WRAPPER === undefined)
    throw notSupported(context, '"Layers" without AWS_LAMBDA_EXEC_WRAPPER');
  return {
    roleArn: properties.Role,
    codeDir:
      'ZipFile' in properties.Code
        ? inlineCode(properties.Code.ZipFile, context)
        : codeDir(properties.Code.S3Key, context),
    handler: properties.Handler,
    timeoutSec: properties.Timeout,
    memoryMb: properties.MemorySize,
    environment,
    reservedConcurrency: properties.ReservedConcurrentExecutions,
    logGroupName: properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${name}`,
  };
}

/**
 * @throws {TemplateError} with Lambda's words if the account cannot reserve so much
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionConcurrency.html (at least 100 stay unreserved)
 * @see https://github.com/awslabs/fhir-works-on-aws-deployment/issues/691 (an account with a quota of 10)
 */
function requireConcurrency(name: string, reserved: number, context: ResourceContext): void {
  const { account } = context;
  const before =
    account.functions.get(arnOf(context, 'lambda', `function:${name}`))?.reservedConcurrency ?? 0;
  const minimum = Math.min(MIN_UNRESERVED_CONCURRENCY, account.concurrentExecutions);
  if (reserved <= before || account.unreservedConcurrency() + before - reserved >= minimum) return;
  throw invalidTemplate(
    context,
    `Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [${minimum}].`,
  );
}

/** Text that CloudFormation compares with a pattern before it calls Lambda. */
function matching(pattern: RegExp): z.ZodString {
  return z.string().superRefine((text, issues) => {
    if (pattern.test(text)) return;
    const message = `string [${text}] does not match pattern ${pattern.source}`;
    issues.addIssue({ code: 'custom', message, params: { refusal: 'Properties validation failed' } });
  });
}

/**
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_AddPermission.html (patterns)
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-permission.html
 */
export const lambdaPermission = resourceType(
  z.strictObject({
    Action: matching(/^(lambda:[*]|lambda:[a-zA-Z]+|[*])$/),
    FunctionName: z.string(),
    Principal: matching(/^[^\s]+$/),
    SourceAccount: matching(/^\d{12}$/).optional(),
    SourceArn: matching(
      /^arn:(aws[a-zA-Z0-9-]*):([a-zA-Z0-9-])+:((eusc-)?[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1})?:(\d{12})?:(.*)$/,
    ).optional(),
    PrincipalOrgID: matching(/^o-[a-z0-9]{10,32}$/).optional(),
  }),
  ({ Action, FunctionName, Principal, SourceAccount, SourceArn, PrincipalOrgID }, context) => {
    const fn = requireFunction(FunctionName, context);
    const sid = physicalName(context);
    const statement: PolicyStatement = {
      Sid: sid,
      Effect: 'Allow',
      Principal: principalNamed(Principal),
      Action,
      Resource: fn.arn,
      Condition: {
        StringEquals: {
          ...(SourceAccount !== undefined && { 'aws:SourceAccount': SourceAccount }),
          ...(PrincipalOrgID !== undefined && { 'aws:PrincipalOrgID': PrincipalOrgID }),
        },
        ArnLike: { ...(SourceArn !== undefined && { 'aws:SourceArn': SourceArn }) },
      },
    };
    fn.resourcePolicy.Statement = [fn.resourcePolicy.Statement, statement].flat();
    return { ref: sid, attributes: { Id: sid } };
  },
  {
    replacedBy: ['Action', 'FunctionName', 'Principal', 'PrincipalOrgID', 'SourceAccount', 'SourceArn'],
    delete: ({ ref, properties: { FunctionName } }, context) => {
      const policy = findFunction(FunctionName, context)?.resourcePolicy;
      if (policy) policy.Statement = [policy.Statement].flat().filter(({ Sid }) => Sid !== ref);
    },
  },
);

function principalNamed(name: string): PolicyStatement['Principal'] {
  if (name === '*') return name;
  return name.endsWith('.amazonaws.com') ? { Service: name } : { AWS: name };
}

export const lambdaEventInvokeConfig = resourceType(
  z.strictObject({
    FunctionName: z.string(),
    Qualifier: z.literal('$LATEST'),
    MaximumEventAgeInSeconds: wholeNumber.optional(),
    MaximumRetryAttempts: wholeNumber.optional(),
    DestinationConfig: z
      .strictObject({
        OnFailure: z
          .strictObject({ Destination: z.string().regex(/^arn:aws:sqs:/, 'only a queue') })
          .optional(),
      })
      .optional(),
  }),
  ({ FunctionName, MaximumEventAgeInSeconds, MaximumRetryAttempts, DestinationConfig }, context) => {
    const { asyncInvoke } = requireFunction(FunctionName, context);
    asyncInvoke.maximumEventAgeSec = MaximumEventAgeInSeconds ?? asyncInvoke.maximumEventAgeSec;
    asyncInvoke.maximumRetryAttempts = MaximumRetryAttempts ?? asyncInvoke.maximumRetryAttempts;
    const onFailureArn = DestinationConfig?.OnFailure?.Destination;
    if (onFailureArn !== undefined) asyncInvoke.onFailureArn = onFailureArn;
    return { ref: physicalName(context), attributes: {} };
  },
  {
    replacedBy: ['FunctionName', 'Qualifier'],
    delete: ({ properties: { FunctionName } }, context) => {
      const fn = findFunction(FunctionName, context);
      if (fn) fn.asyncInvoke = { ...ASYNC_DEFAULTS };
    },
  },
);

/** Writes the code as CloudFormation does: into a file named `index`, with no package around it. */
function inlineCode(code: string, context: ResourceContext): string {
  const { inlineCodeDir } = context;
  if (inlineCodeDir === undefined) throw notSupported(context, 'code in the template');
  const dir = join(inlineCodeDir, sha256Hex(code).slice(0, 16));
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'index.js'), code);
  // Otherwise Node would use the package.json of the project around it, which may make every file an ES module.
  writeFileSync(join(dir, 'package.json'), '{}');
  return dir;
}

function codeDir(objectKey: string, context: ResourceContext): string {
  const dir = context.assetDirs.get(objectKey);
  if (dir === undefined) throw notFound(context, `the assembly has no asset ${objectKey}`);
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) {
    throw notFound(context, `the code ${dir} is not a folder; only folder assets are supported`);
  }
  return dir;
}

function findFunction(nameOrArn: string, context: ResourceContext): LambdaFunction | undefined {
  const { functions } = context.account;
  return functions.get(nameOrArn) ?? functions.get(arnOf(context, 'lambda', `function:${nameOrArn}`));
}

function requireFunction(nameOrArn: string, context: ResourceContext): LambdaFunction {
  const fn = findFunction(nameOrArn, context);
  if (!fn) throw notFound(context, `the account has no function ${nameOrArn}`);
  return fn;
}
