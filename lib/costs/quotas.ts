import { type DeploymentConfiguration } from '../config/schema';
import { type CountedTemplate, inventoryOf } from './inventory';
import {
  adoptedSecrets,
  MOST_WRITES_PER_DAY,
  mostReadsPerSec,
  mostWritesPerSec,
  RENEWALS_PER_DAY,
  sizeOf,
} from './usage';

/** How much of an AWS quota a deployment uses. */
export interface QuotaUse {
  what: string;
  used: number;
  /** Maximum, if it is higher than normal use. */
  atMost?: number;
  /** Default quota, per account and AWS region unless `what` names one secret or stack. */
  of: number;
}

/**
 * The AWS quotas that a deployment comes closest to.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html (versions, secrets, rates)
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html (concurrency)
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html (resources)
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html (alarms)
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/scheduler-quotas.html (schedules)
 */
export function quotaUse(
  deployment: DeploymentConfiguration,
  templates: readonly CountedTemplate[],
): QuotaUse[] {
  const inventory = inventoryOf(templates);
  const size = sizeOf(deployment);
  return [
    {
      what: 'versions per token secret in 24 h',
      used: RENEWALS_PER_DAY,
      atMost: MOST_WRITES_PER_DAY,
      of: 100,
    },
    { what: 'secret writes per second', used: Math.ceil(mostWritesPerSec(size)), of: 50 },
    { what: 'secret reads per second', used: Math.ceil(mostReadsPerSec(size)), of: 10_000 },
    { what: 'secrets', used: inventory.secrets + adoptedSecrets(deployment), of: 500_000 },
    { what: 'alarms', used: inventory.alarms + inventory.compositeAlarms, of: 5_000 },
    { what: 'reserved concurrency', used: inventory.reservedConcurrency, of: 1_000 },
    { what: 'resources in the largest stack', used: inventory.resourcesOfLargestStack, of: 500 },
    { what: 'schedules', used: inventory.schedules, of: 10_000_000 },
  ];
}
