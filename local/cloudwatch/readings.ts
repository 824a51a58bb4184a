import { type Chosen, chooseReadings, defaultsOf } from '../aws/choose-readings';
import { type Input } from '../aws/input';

/** Each behavior of CloudWatch on which AWS's pages disagree, or are silent; the default first. */
const READINGS = {
  /**
   * How far an alarm looks back for datapoints if some are missing: two periods beyond its evaluation periods, as in
   * the tables for three periods, or not beyond. AWS publishes no other number.
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation-window.html
   * @see https://github.com/awsdocs/amazon-cloudwatch-user-guide/issues/102
   */
  evaluationRange: ['extended', 'window'],
  /**
   * Whether `FILL` fills a metric without any value in the evaluation range, or only one with gaps.
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
   */
  filledMetrics: ['all', 'with-gaps'],
} as const;

/** What CloudWatch does where its documentation can be read in two ways. */
export type Readings = Chosen<typeof READINGS>;

export const defaultReadings = (): Readings => defaultsOf(READINGS);

/** Changes the readings that the input names. @throws {AwsError} ValidationException for an unknown reading or value */
export const changeReadings = (readings: Readings, input: Input): Readings =>
  chooseReadings(READINGS, readings, input);
