import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as events from 'aws-cdk-lib/aws-events';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { z } from 'zod';

import { isJsonObject } from '../../core/json/json-object';
import { alarms } from '../options/alarm-settings';
import { lateKeyArn } from '../options/arn';
import { type Replacement } from '../options/checked-options';
import { type ConfigurationIssue } from '../options/configuration-issue';
import { eventSettings } from '../options/event-settings';
import { checkShape, firstPerPath } from '../options/check-shape';
import { wellFormed } from '../options/well-formed';

/**
 * What JSON cannot hold: keys, a topic, a bus and a network of your app, in place of options with their ARNs and ids. Latchkey
 * extends the policy of a key of your app; for an imported key, the synthesis says what its owner must add.
 */
export interface LatchkeyResources {
  /** The key of the secrets, in place of `kmsKeyArn`. Its policy must let IAM policies of the account decide. */
  readonly encryptionKey?: kms.IKey;
  /** The key of the log groups and the dead-letter queue, in place of `logsKmsKeyArn`. */
  readonly logsEncryptionKey?: kms.IKey;
  /** Notified by the alarms, in place of `alarms.topicArn`. If it is encrypted, its key policy must allow CloudWatch. */
  readonly alarmTopic?: sns.ITopic;
  /** The key of the new topic, in place of `alarms.topicKmsKeyArn`. */
  readonly alarmTopicKey?: kms.IKey;
  /** Gets the deployment's events, in place of `events`. In its AWS region. */
  readonly eventBus?: events.IEventBus;
  /** Where the functions run, in place of `vpc`. The platform and AWS must be reachable from there over HTTPS. */
  readonly vpc?: ec2.IVpc;
  /** @default the private subnets of `vpc` */
  readonly vpcSubnets?: ec2.SubnetSelection;
  /** They must allow outbound HTTPS. @default a new security group in `vpc` */
  readonly securityGroups?: readonly ec2.ISecurityGroup[];
}

/** A construct with these members, of which the first is its ARN. @param form of the ARN */
const resource = <T extends object>(
  error: string,
  [arn, ...others]: (keyof T & string)[],
  form?: z.ZodType,
) =>
  z
    .custom<T>((value) => Construct.isConstruct(value) && [arn!, ...others].every((name) => name in value), {
      error,
    })
    .superRefine((value, context) => {
      const issues = form === undefined ? [] : checkShape(form, value[arn!]).issues;
      for (const { allowed } of issues) context.addIssue({ code: 'custom', path: [arn!], message: allowed });
    })
    .optional();
const key = () => resource<kms.IKey>('a kms.IKey', ['keyArn', 'addToResourcePolicy'], lateKeyArn());

const shape = {
  encryptionKey: key(),
  logsEncryptionKey: key(),
  alarmTopic: resource<sns.ITopic>(
    'an sns.ITopic',
    ['topicArn', 'addToResourcePolicy'],
    alarms.shape.topicArn,
  ),
  alarmTopicKey: key(),
  eventBus: resource<events.IEventBus>(
    'an events.IEventBus',
    ['eventBusArn'],
    eventSettings.options[1].shape.eventBusArn,
  ),
  vpc: resource<ec2.IVpc>('an ec2.IVpc', ['vpcId', 'selectSubnets']),
  vpcSubnets: z.custom<ec2.SubnetSelection>(isJsonObject, { error: 'an ec2.SubnetSelection' }).optional(),
  securityGroups: z
    .array(resource<ec2.ISecurityGroup>('an ec2.ISecurityGroup', ['securityGroupId']).unwrap(), {
      error: 'a list of security groups',
    })
    .min(1, { error: 'at least one security group' })
    .optional(),
} satisfies { [Name in keyof LatchkeyResources]-?: z.ZodType<LatchkeyResources[Name]> };
const resourcesSchema = z
  .strictObject(shape, {
    error: ({ code }) =>
      code === 'invalid_type' ? `an object with ${Object.keys(shape).join(', ')}` : undefined,
  })
  .default({});

/** The option that each resource replaces, and the value that this option would have for it. */
const REPLACED: [keyof LatchkeyResources, option: string[], value: (of: LatchkeyResources) => unknown][] = [
  ['encryptionKey', ['kmsKeyArn'], ({ encryptionKey }) => encryptionKey?.keyArn],
  ['logsEncryptionKey', ['logsKmsKeyArn'], ({ logsEncryptionKey }) => logsEncryptionKey?.keyArn],
  ['alarmTopic', ['alarms', 'topicArn'], ({ alarmTopic }) => alarmTopic?.topicArn],
  ['alarmTopicKey', ['alarms', 'topicKmsKeyArn'], ({ alarmTopicKey }) => alarmTopicKey?.keyArn],
  ['eventBus', ['events'], ({ eventBus }) => ({ eventBusArn: eventBus?.eventBusArn })],
  ['vpc', ['vpc'], () => undefined],
];

/** The path of the option that sets a resource, for messages: `resources.encryptionKey`, or the option that it replaces. */
export function settingOf(resources: LatchkeyResources, name: keyof LatchkeyResources): string {
  if (resources[name] !== undefined) return `resources.${name}`;
  return REPLACED.find(([replacing]) => replacing === name)![1].join('.');
}

/** The resources of a construct's options, what they replace, and what is wrong with them. */
export function checkResources(options: Record<string, unknown>): {
  resources: LatchkeyResources;
  replacements: Replacement[];
  issues: ConfigurationIssue[];
} {
  const { issues } = checkShape(resourcesSchema, options.resources);
  const resources = (wellFormed(resourcesSchema, options.resources) ?? {}) as LatchkeyResources;
  const given = isJsonObject(options.resources) ? options.resources : {};
  const conflicts = REPLACED.filter(([name]) => given[name] !== undefined).flatMap(([name, option]) => {
    const found = option.reduce<unknown>(
      (value, part) => (isJsonObject(value) ? value[part] : undefined),
      options,
    );
    const allowed = `nothing together with resources.${name}`;
    return found === undefined ? [] : [{ path: option, found, allowed }];
  });
  const networkIssues = ['vpcSubnets', 'securityGroups']
    .filter((name) => given[name] !== undefined && given.vpc === undefined)
    .map((name) => ({
      path: ['resources', name],
      found: given[name],
      allowed: 'nothing without resources.vpc',
    }));
  const resourceIssues = issues.map((issue) => ({ ...issue, path: ['resources', ...issue.path] }));
  return {
    resources,
    replacements: REPLACED.filter(([name]) => resources[name] !== undefined).map(
      ([name, option, valueOf]) => ({
        resource: name,
        option,
        value: valueOf(resources),
      }),
    ),
    issues: firstPerPath(resourceIssues, conflicts, networkIssues),
  };
}
