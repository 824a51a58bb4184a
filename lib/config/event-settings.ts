import { z } from 'zod';

import { type ConfigurationIssue } from './configuration-issue';
import { type Outline } from './outline';

const BUS = 'the full ARN of an event bus, such as arn:aws:events:eu-west-1:111122223333:event-bus/default';
const CHOICES = 'true, for the account’s default event bus; or an object with eventBusArn';

/** The `events` of a deployment's configuration. */
export const eventSettings = z.union(
  [
    z.literal(true),
    z.strictObject({
      eventBusArn: z
        .string({ error: BUS })
        .regex(/^arn:aws[a-z-]*:events:[a-z0-9-]+:\d{12}:event-bus\/[\w./-]{1,256}$/, { error: BUS })
        .describe(
          'Another event bus, also of another account, whose policy must then allow this one to send. In the deployment’s AWS region.',
        ),
    }),
  ],
  { error: CHOICES },
);

/**
 * A function sends to buses of its own AWS region only. A rule there can forward events to another region.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-cross-region.html
 */
export function eventBusIssues(deployments: Outline['deployments']): ConfigurationIssue[] {
  return deployments.flatMap((deployment, index) => {
    const region = deployment?.region;
    const found = deployment?.events?.eventBusArn;
    if (typeof region !== 'string' || found === undefined || found.split(':')[3] === region) return [];
    return [
      {
        path: ['deployments', index, 'events', 'eventBusArn'],
        found,
        allowed: `an event bus in ${region}, the deployment’s AWS region, where a rule can forward events to others`,
      },
    ];
  });
}
