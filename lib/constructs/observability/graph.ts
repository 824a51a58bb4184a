import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

export interface GraphProps {
  readonly title: string;
  readonly metrics: cloudwatch.IMetric[];
  /** Unit of the values, such as `ms`. */
  readonly unit: string;
  /** A red line at an alarm's threshold. @default none */
  readonly limit?: { readonly value: number; readonly label: string };
}

export interface LoggedGraphProps {
  readonly title: string;
  readonly logGroupNames: readonly string[];
  /** Commands of CloudWatch Logs Insights. */
  readonly query: string[];
}

/** A graph of values that are in the log but no metrics, as wide as {@link graph}. */
export function loggedGraph({ title, logGroupNames, query }: LoggedGraphProps): cloudwatch.LogQueryWidget {
  return new cloudwatch.LogQueryWidget({
    title,
    logGroupNames: [...logGroupNames],
    queryLines: query,
    view: cloudwatch.LogQueryVisualizationType.LINE,
    width: 8,
    height: 6,
  });
}

/** A graph a third of a row wide, with its axis starting at zero. */
export function graph({ title, metrics, unit, limit }: GraphProps): cloudwatch.GraphWidget {
  return new cloudwatch.GraphWidget({
    title,
    left: metrics,
    leftYAxis: { min: 0, label: unit, showUnits: false },
    leftAnnotations: limit === undefined ? [] : [{ ...limit, color: cloudwatch.Color.RED }],
    width: 8,
    height: 6,
  });
}
