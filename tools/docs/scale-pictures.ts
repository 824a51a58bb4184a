import { FIRST_MINUTES, MINUTES_BEFORE_OUTAGE, type ScaleRecord, type ScaleResults } from './scale-results';

const WIDTH = 860;
const PLOT = { left: 64, top: 40, width: 780, height: 190 };
const GAP = 70;
const STYLES = `
  svg { color-scheme: light dark }
  text { font: 12px system-ui, sans-serif; fill: #1f2328 } .title { font-weight: 600; font-size: 13px }
  line { stroke: #d0d7de } polyline { fill: none; stroke-width: 1.5 }
  .before { stroke: #cf222e } .after { stroke: #0969da } .label-before { fill: #cf222e } .label-after { fill: #0969da }
  .span { fill: #d0d7de; opacity: 0.4 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } line { stroke: #30363d } .span { fill: #6e7681 }
    .before { stroke: #f85149 } .after { stroke: #58a6ff } .label-before { fill: #f85149 } .label-after { fill: #58a6ff }
  }`;

/** A curve by minute, of the code before the rate or after it. */
interface Curve {
  className: 'before' | 'after';
  values: readonly (number | null)[];
}

interface Plot {
  title: string;
  curves: readonly Curve[];
  /** Minutes that are shaded. */
  shaded?: readonly [number, number];
  /** Minute of the first value. */
  fromMinute: number;
}

/** Token requests a minute after a first load, before and after. */
export function loadPicture({ before, after }: ScaleResults, tenants: readonly number[]): string {
  return picture(
    'Token requests a minute from the start, when no token is loaded',
    tenants.map((count) => ({
      title: `${count.toLocaleString('en-US')} tenants: token requests a minute`,
      fromMinute: 0,
      curves: curvesOf(before, after, count, ({ firstRequests }) => firstRequests.slice(0, FIRST_MINUTES)),
    })),
  );
}

/** Token requests a minute, and tokens that are expired, around an outage of 50 minutes. */
export function outagePicture({ before, after }: ScaleResults, tenants: number): string {
  const plot = (title: string, valuesOf: (record: ScaleRecord) => (number | null)[]): Plot => ({
    title: `${tenants.toLocaleString('en-US')} tenants: ${title}`,
    fromMinute: -MINUTES_BEFORE_OUTAGE,
    shaded: [0, 50],
    curves: curvesOf(before, after, tenants, valuesOf),
  });
  return picture('An outage of 50 minutes', [
    plot('token requests a minute (the outage is shaded)', ({ outageRequests }) => outageRequests),
    plot('tokens that are expired', ({ outageExpired }) => outageExpired),
  ]);
}

function curvesOf(
  before: readonly ScaleRecord[],
  after: readonly ScaleRecord[],
  tenants: number,
  valuesOf: (record: ScaleRecord) => (number | null)[],
): Curve[] {
  const curveOf = (className: Curve['className'], records: readonly ScaleRecord[]) =>
    records
      .filter((record) => record.tenants === tenants)
      .map((record) => ({ className, values: valuesOf(record) }));
  return [...curveOf('before', before), ...curveOf('after', after)];
}

function picture(title: string, plots: readonly Plot[]): string {
  const height = plots.length * (PLOT.height + GAP) + 20;
  const parts = plots.map((plot, index) => drawn(plot, PLOT.top + index * (PLOT.height + GAP)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">`,
    `<style>${STYLES}\n</style>`,
    ...parts.flat(),
    '</svg>',
    '',
  ].join('\n');
}

function drawn({ title, curves, shaded, fromMinute }: Plot, top: number): string[] {
  const { left, width, height } = PLOT;
  const minutes = Math.max(...curves.map(({ values }) => values.length));
  const most = ceiling(Math.max(1, ...curves.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const x = (minute: number) => rounded(left + ((minute - fromMinute) / minutes) * width);
  const y = (value: number) => rounded(top + height - (value / most) * height);
  const ticks = Array.from({ length: Math.floor((minutes + fromMinute) / 30) + 1 }, (_, index) => index * 30);
  return [
    `<text class="title" x="${left}" y="${top - 12}">${title}</text>`,
    ...(shaded === undefined
      ? []
      : [
          `<rect class="span" x="${x(shaded[0])}" y="${top}" width="${rounded(x(shaded[1]) - x(shaded[0]))}" height="${height}"/>`,
        ]),
    ...[0, 0.5, 1].flatMap((share) => [
      `<line x1="${left}" y1="${y(share * most)}" x2="${left + width}" y2="${y(share * most)}"/>`,
      `<text x="${left - 8}" y="${rounded(y(share * most) + 4)}" text-anchor="end">${(share * most).toLocaleString('en-US')}</text>`,
    ]),
    ...ticks.map(
      (minute) => `<text x="${x(minute)}" y="${top + height + 18}" text-anchor="middle">${minute} min</text>`,
    ),
    ...curves.map(
      ({ className, values }) =>
        `<polyline class="${className}" points="${values.flatMap((value, index) => (value === null ? [] : [`${x(index + fromMinute)},${y(value)}`])).join(' ')}"/>`,
    ),
    ...curves.map(
      ({ className }, index) =>
        `<text class="label-${className}" x="${left + width - 120 + index * 70}" y="${top - 12}">${className}</text>`,
    ),
  ];
}

/** The next of 1, 2, 5, 10, 20, … times a power of ten. */
function ceiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= value)!;
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}
