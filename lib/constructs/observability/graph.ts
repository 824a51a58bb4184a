import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

export interface GraphProps {
  readonly title: string;
  readonly metrics: cloudwatch.IMetric[];
  /** What the numbers are, such as `ms`. */
  readonly unit: string;
  /** A line where an alarm rings. @default none */
  readonly limit?: { readonly value: number; readonly label: string };
}

/** A third of a row, from zero up. */
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
