import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';

import { describeAwsFailure } from '../../../client/aws-failure';
import { parseJsonObject } from '../../../core/json/json-object';
import { AVAILABILITIES, type ProbeAnswer, type ProbeEvent } from '../../../core/restore/restore-operation';
import { type RestoreProbe } from '../ports';

/** Invokes the restore function. If that fails, the answer is `undetermined`: its failures have alarms of their own. */
export class LambdaRestoreProbe implements RestoreProbe {
  private readonly client: Pick<LambdaClient, 'send'>;
  private readonly functionArn: string;

  constructor(client: Pick<LambdaClient, 'send'>, functionArn: string) {
    this.client = client;
    this.functionArn = functionArn;
  }

  async ask(timeoutMs: number): Promise<ProbeAnswer> {
    const event: ProbeEvent = { action: 'probe' };
    const command = new InvokeCommand({
      FunctionName: this.functionArn,
      Payload: Buffer.from(JSON.stringify(event)),
    });
    try {
      const { Payload } = await this.client.send(command, { abortSignal: AbortSignal.timeout(timeoutMs) });
      const answer = parseAnswer(Buffer.from(Payload ?? []).toString('utf8'));
      return answer ?? notAsked('the restore function failed');
    } catch (error) {
      return notAsked(describeAwsFailure(error, 'lambda:InvokeFunction', this.functionArn).reason);
    }
  }
}

function notAsked(reason: string): ProbeAnswer {
  return { availability: 'undetermined', reason: `it was not asked: ${reason}` };
}

function parseAnswer(text: string): ProbeAnswer | undefined {
  const answer: Partial<ProbeAnswer> = parseJsonObject(text) ?? {};
  const availability = AVAILABILITIES.find((each) => each === answer.availability);
  if (availability === undefined || typeof answer.reason !== 'string') return undefined;
  return { availability, reason: answer.reason };
}
