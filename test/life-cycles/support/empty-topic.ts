import { type Topic } from '../../../packages/cdk-on-loopback/src/account';

/** A topic of another team, with SNS's default policy. */
export function emptyTopic(name: string): Topic {
  return { arn: `arn:aws:sns:eu-west-1:111111111111:${name}`, name, subscriptions: [], messages: [] };
}
