/** A schedule that has a function put a message into a queue every five minutes. */
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';

const stack = new Stack(new App(), 'scheduled-queue');
const queue = new Queue(stack, 'Reminders');
const remind = new Function(stack, 'Remind', {
  runtime: Runtime.NODEJS_22_X,
  handler: 'index.handler',
  environment: { QUEUE_URL: queue.queueUrl },
  code: Code.fromInline(`
const { SQS } = require('@aws-sdk/client-sqs');
const sqs = new SQS();
exports.handler = () => sqs.sendMessage({ QueueUrl: process.env.QUEUE_URL, MessageBody: new Date().toISOString() });
`),
});
queue.grantSendMessages(remind);
new Schedule(stack, 'EveryFiveMinutes', {
  schedule: ScheduleExpression.rate(Duration.minutes(5)),
  target: new LambdaInvoke(remind),
});
new CfnOutput(stack, 'QueueUrl', { value: queue.queueUrl });
