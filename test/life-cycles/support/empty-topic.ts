import { type Topic } from 'cdk-on-loopback/testing';

/** A topic of another team, with SNS's default policy. */
export function emptyTopic(name: string): Topic {
  return { arn: `arn:aws:sns:eu-west-1:111111111111:${name}`, name, subscriptions: [], messages: [] };
}
