import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

export interface GraphProps {
  readonly title: string;
  readonly metrics: cloudwatch.IMetric[];
  /** Unit of the values, such as `ms`. */
  readonly unit: string;
  /** A red line at an alarm's threshold. @default none */
  readonly limit?: { readonly value: number; readonly label: string };
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
