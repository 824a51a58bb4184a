import { issueLine } from '../../options/configuration-issue';
import { ConfigurationError } from '../../options/load';

type Test = (value: unknown) => boolean;

const memberOf = (value: unknown, name: string): unknown => (value as Record<string, unknown> | null)?.[name];
const having =
  (name: string): Test =>
  (value) =>
    memberOf(value, name) !== undefined;
const isBoolean: Test = (value) => typeof value === 'boolean';
const isObject: Test = (value) => typeof value === 'object' && value !== null;

/** What properties are that a configuration file does not have, or has otherwise. */
const TYPES: readonly [property: string, isAllowed: Test, allowed: string][] = [
  ['apiKeyGrace', having('toHours'), 'a Duration'],
  ['maxCredentialAge', having('toDays'), 'a Duration'],
  ['maxReaderCache', having('toSeconds'), 'a Duration'],
  ['encryptionKey', having('keyArn'), 'a kms.IKey'],
  [
    'formerEncryptionKeys',
    (value) => Array.isArray(value) && value.every(having('keyArn')),
    'a list of kms.IKey',
  ],
  ['logsEncryptionKey', having('keyArn'), 'a kms.IKey'],
  ['alarmTopicKey', having('keyArn'), 'a kms.IKey'],
  ['logSubscription', isObject, 'an object with destinationArn'],
  ['codeSigning', isObject, 'an object with configArn and signed'],
  ['tracing', isObject, 'an object'],
  ['tracing.xray', isBoolean, 'true, false'],
  ['tracing.openTelemetry', isObject, 'an object with layerArn'],
  [
    'replicaRegions',
    (value) => Array.isArray(value) && value.every(having('region')),
    'a list of objects with region and encryptionKey',
  ],
  ['createTenants', isBoolean, 'true, false'],
  ['reserveConcurrency', isBoolean, 'true, false'],
  ['apiGatewayLogging', isBoolean, 'true, false'],
  ['alarmTopic', having('topicArn'), 'an sns.ITopic'],
  ['alarmEmails', Array.isArray, 'a list of e-mail addresses'],
  [
    'requiredTags',
    (value) => Array.isArray(value) && value.every(having('key')),
    'a list of objects with key',
  ],
  ['secretReaders', isObject, 'an object with breakGlassRole'],
  ['secretReaders.breakGlassRole', having('roleArn'), 'an iam.IRole'],
  ['secretReaders.credentials', Array.isArray, 'a list of ARNs'],
  ['secretReaders.tokens', Array.isArray, 'a list of ARNs'],
  ['events', isObject, 'an object'],
  ['events.eventBus', having('eventBusArn'), 'an events.IEventBus'],
  ['roles', isObject, 'an object'],
  ['restoreApiOptions', isObject, 'an object'],
  ['restoreApiOptions.certificate', having('certificateArn'), 'an acm.ICertificate'],
  ['restoreApiOptions.hostedZone', having('hostedZoneId'), 'a route53.IHostedZone'],
  ['vpc', having('vpcId'), 'an ec2.IVpc'],
  ['securityGroups', (value) => Array.isArray(value) && value.length > 0, 'at least one security group'],
];

/**
 * Checks types, for callers without TypeScript: CDK would take a text in place of a key for no key.
 * @param place the construct, for error messages
 * @throws {ConfigurationError} lists every fault
 */
export function checkTypes(place: string, props: object): void {
  if (!isObject(props))
    throw new ConfigurationError(place, [issueLine({ path: ['props'], found: props, allowed: 'an object' })]);
  const faults = TYPES.flatMap(([property, isAllowed, allowed]) => {
    const path = property.split('.');
    const found = path.reduce<unknown>(memberOf, props);
    const isRequired =
      property === 'secretReaders.breakGlassRole' && isObject(memberOf(props, 'secretReaders'));
    return (found === undefined && !isRequired) || isAllowed(found) ? [] : [{ path, found, allowed }];
  });
  if (memberOf(props, 'vpc') === undefined) {
    for (const property of ['vpcSubnets', 'securityGroups']) {
      const found = memberOf(props, property);
      if (found !== undefined) faults.push({ path: [property], found, allowed: 'nothing without vpc' });
    }
  }
  if (faults.length > 0) throw new ConfigurationError(place, faults.map(issueLine));
}
