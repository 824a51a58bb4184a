/** What CloudWatch does where AWS's pages disagree, or are silent. Tests run under each reading. */
export interface Readings {
  /**
   * How far an alarm looks back for datapoints if some are missing: two periods beyond its evaluation periods, as in
   * the tables for three periods, or not beyond. AWS publishes no other number.
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation-window.html
   * @see https://github.com/awsdocs/amazon-cloudwatch-user-guide/issues/102
   */
  evaluationRange: 'extended' | 'window';
  /**
   * Whether `FILL` fills a metric without any value in the evaluation range, or only one with gaps.
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
   */
  filledMetrics: 'all' | 'with-gaps';
}

export const defaultReadings = (): Readings => ({ evaluationRange: 'extended', filledMetrics: 'all' });
