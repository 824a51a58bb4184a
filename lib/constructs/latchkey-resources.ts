import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as events from 'aws-cdk-lib/aws-events';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as sns from 'aws-cdk-lib/aws-sns';

import { type ConfigurationIssue, unknownField } from '../options/configuration-issue';
import { type LatchkeyOptions } from '../options/latchkey-options';

/**
 * What JSON cannot hold: keys, a topic, a bus and a network of your app, in place of options with their ARNs and ids. The policy of a key
 * of your app gets what its use takes; for an imported key, the synthesis says what its owner must add.
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

type Test = (value: unknown) => boolean;

const memberOf = (value: unknown, name: string) =>
  (value as Record<string, unknown> | null | undefined)?.[name];
const having =
  (name: string): Test =>
  (value) =>
    memberOf(value, name) !== undefined;

/** What each is, and the option that it stands for. */
const RESOURCES: Record<keyof LatchkeyResources, { test: Test; allowed: string; inPlaceOf?: string[] }> = {
  encryptionKey: { test: having('keyArn'), allowed: 'a kms.IKey', inPlaceOf: ['kmsKeyArn'] },
  logsEncryptionKey: { test: having('keyArn'), allowed: 'a kms.IKey', inPlaceOf: ['logsKmsKeyArn'] },
  alarmTopic: { test: having('topicArn'), allowed: 'an sns.ITopic', inPlaceOf: ['alarms', 'topicArn'] },
  alarmTopicKey: { test: having('keyArn'), allowed: 'a kms.IKey', inPlaceOf: ['alarms', 'topicKmsKeyArn'] },
  eventBus: { test: having('eventBusArn'), allowed: 'an events.IEventBus', inPlaceOf: ['events'] },
  vpc: { test: having('vpcId'), allowed: 'an ec2.IVpc', inPlaceOf: ['vpc'] },
  vpcSubnets: { test: (value) => typeof value === 'object', allowed: 'an ec2.SubnetSelection' },
  securityGroups: {
    test: (value) => Array.isArray(value) && value.length > 0,
    allowed: 'at least one security group',
  },
};

/** What is wrong with resources: CDK would take a text in place of a key for no key. */
export function resourceIssues(options: object): ConfigurationIssue[] {
  const resources = memberOf(options, 'resources');
  if (resources === undefined) return [];
  const names = Object.keys(RESOURCES);
  if (typeof resources !== 'object' || resources === null)
    return [{ path: ['resources'], found: resources, allowed: `an object with ${names.join(', ')}` }];
  return Object.entries(resources).flatMap(([name, found]): ConfigurationIssue[] => {
    if (!(name in RESOURCES)) return [unknownField(['resources'], name, names)];
    if (found === undefined) return [];
    const { test, allowed, inPlaceOf } = RESOURCES[name as keyof LatchkeyResources];
    const path = ['resources', name];
    if (!test(found)) return [{ path, found, allowed }];
    if (inPlaceOf === undefined)
      return memberOf(resources, 'vpc') === undefined
        ? [{ path, found, allowed: 'nothing without resources.vpc' }]
        : [];
    const option = inPlaceOf.reduce<unknown>(memberOf, options);
    return option === undefined
      ? []
      : [{ path: inPlaceOf, found: option, allowed: `nothing together with resources.${name}` }];
  });
}

/** The options with the ARNs of resources, for the rules: two keys or topics for one purpose exclude each other. */
export function withArns<Options extends LatchkeyOptions>({
  resources,
  ...options
}: Options & { readonly resources?: LatchkeyResources }): LatchkeyOptions {
  const { encryptionKey, logsEncryptionKey, alarmTopic, alarmTopicKey, eventBus } = resources ?? {};
  return {
    ...options,
    ...(encryptionKey && { kmsKeyArn: encryptionKey.keyArn }),
    ...(logsEncryptionKey && { logsKmsKeyArn: logsEncryptionKey.keyArn }),
    ...(eventBus && { events: { eventBusArn: eventBus.eventBusArn } }),
    ...((alarmTopic ?? alarmTopicKey) && {
      alarms: {
        ...options.alarms,
        ...(alarmTopic && { topicArn: alarmTopic.topicArn }),
        ...(alarmTopicKey && { topicKmsKeyArn: alarmTopicKey.keyArn }),
      },
    }),
  };
}
