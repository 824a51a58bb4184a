import { type FilterLogEventsCommandInput } from '@aws-sdk/client-cloudwatch-logs';

import { readFilterPattern } from 'cdk-on-loopback/testing';

/** CloudWatch Logs with the lines of one log group. Returns two matches per page, with an empty page before each. */
export class InMemoryLogs {
  readonly events: { timestamp: number; message: string }[] = [];
  readonly requests: FilterLogEventsCommandInput[] = [];

  send = async ({ input }: { input: FilterLogEventsCommandInput }): Promise<object> => {
    this.requests.push(input);
    const { filterPattern = '', startTime = 0, nextToken = '0' } = input;
    const isMatch = readFilterPattern(filterPattern);
    const found = this.events
      .filter(({ timestamp, message }) => timestamp >= startTime && isMatch(message))
      .sort((a, b) => a.timestamp - b.timestamp);
    // API_FilterLogEvents: "A returned page might only be partially full, or even empty."
    const page = Number(nextToken);
    const from = page - (page % 2);
    const isMore = page % 2 === 0 || from + 2 < found.length;
    return {
      events: page % 2 === 0 ? [] : found.slice(from, from + 2),
      ...(isMore && { nextToken: String(page + 1) }),
    };
  };
}
