import { type Account } from '../account';
import { type InvocationResult } from '../interfaces';
import { type MetricDatum } from './metric-store';

/** An invocation that ended or was refused. */
export interface EndedInvocation {
  functionName: string;
  startedAtMs: number;
  result: InvocationResult;
  /** Absent if the function did not run. */
  durationMs?: number;
}

/** A request that a stage has answered. */
export interface AnsweredRequest {
  apiName: string;
  stageName: string;
  receivedAtMs: number;
  statusCode: number;
  latencyMs: number;
}

/** @see AWS Lambda Developer Guide, "Types of metrics for Lambda functions" */
export function invocationMetrics(ended: EndedInvocation): MetricDatum[] {
  const { functionName, startedAtMs, result, durationMs } = ended;
  const metric = metricsOf('AWS/Lambda', { FunctionName: functionName }, startedAtMs);
  // A throttled request does not count as an invocation.
  if (result.kind === 'throttled') return [metric('Throttles', 1, 'Count')];
  return [
    metric('Invocations', 1, 'Count'),
    metric('Errors', result.kind === 'function-error' ? 1 : 0, 'Count'),
    metric('Throttles', 0, 'Count'),
    ...(durationMs === undefined ? [] : [metric('Duration', durationMs, 'Milliseconds')]),
  ];
}

/** @see API Gateway Developer Guide, "API Gateway dimensions and metrics" */
export function requestMetrics(answered: AnsweredRequest): MetricDatum[] {
  const { apiName, stageName, receivedAtMs, statusCode, latencyMs } = answered;
  const isBetween = (low: number, high: number): boolean => statusCode >= low && statusCode < high;
  const dimensionSets: Record<string, string>[] = [
    { ApiName: apiName },
    { ApiName: apiName, Stage: stageName },
  ];
  return dimensionSets.flatMap((dimensions) => {
    const metric = metricsOf('AWS/ApiGateway', dimensions, receivedAtMs);
    return [
      metric('Count', 1, 'Count'),
      metric('4XXError', Number(isBetween(400, 500)), 'Count'),
      metric('5XXError', Number(isBetween(500, 600)), 'Count'),
      metric('Latency', latencyMs, 'Milliseconds'),
    ];
  });
}

/** Metrics for the number of messages in queues, from each queue's first message on. */
export class QueueMetrics {
  private readonly usedArns = new Set<string>();

  /** @see Amazon SQS Developer Guide, "Available CloudWatch metrics for Amazon SQS" */
  depths({ queues }: Account, nowMs: number): MetricDatum[] {
    return [...queues.values()].flatMap(({ arn, name, messages }) => {
      if (messages.length > 0) this.usedArns.add(arn);
      if (!this.usedArns.has(arn)) return [];
      const visible = messages.filter(({ visibleAtMs }) => visibleAtMs <= nowMs).length;
      const metric = metricsOf('AWS/SQS', { QueueName: name }, nowMs);
      return [metric('ApproximateNumberOfMessagesVisible', visible, 'Count')];
    });
  }
}

function metricsOf(namespace: string, dimensions: Record<string, string>, timestampMs: number) {
  return (metricName: string, value: number, unit: string): MetricDatum => ({
    namespace,
    metricName,
    dimensions,
    unit,
    value,
    timestampMs,
  });
}
