import {
  type AlarmStateValue,
  type MetricAlarm,
  type MissingDataTreatment,
} from '../../../src/cloudwatch/alarm-definition';

/** `retained`: the alarm keeps its state. */
type Result = AlarmStateValue | 'retained';

/** Datapoints, the latest last: `0` does not breach, `X` breaches, `-` is missing. */
type Row = readonly [datapoints: string, results: Readonly<Record<MissingDataTreatment, Result>>];

/** What an alarm's state becomes. */
interface MissingDataCases {
  readonly source: string;
  readonly alarm: Pick<MetricAlarm, 'evaluationPeriods' | 'datapointsToAlarm'>;
  readonly rows: readonly Row[];
}

const USER_GUIDE = 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring';
const PAGE = `${USER_GUIDE}/alarms-and-missing-data.html`;
/** An earlier version of the page, with other last rows. */
const EARLIER_PAGE =
  'https://github.com/awsdocs/amazon-cloudwatch-user-guide/blob/05fd32f6/doc_source/AlarmThatSendsEmail.md';

const THREE_OF_THREE = { evaluationPeriods: 3, datapointsToAlarm: 3 };
const TWO_OF_THREE = { evaluationPeriods: 3, datapointsToAlarm: 2 };
const ONE_OF_ONE = { evaluationPeriods: 1, datapointsToAlarm: 1 };

const results = (missing: Result, ignore: Result, breaching: Result, notBreaching: Result): Row[1] => ({
  missing,
  ignore,
  breaching,
  notBreaching,
});
const always = (result: Result): Row[1] => results(result, result, result, result);
const asTreated = results('INSUFFICIENT_DATA', 'retained', 'ALARM', 'OK');
/** Only breaching data, too old to wait for more. */
const premature = results('ALARM', 'retained', 'ALARM', 'OK');
const unlessBreaching = results('OK', 'OK', 'ALARM', 'OK');

/** The evaluation range of three periods is five, as in both tables of the page. */
export const IN_EXTENDED_RANGE: readonly MissingDataCases[] = [
  {
    source: PAGE,
    alarm: THREE_OF_THREE,
    rows: [
      ['0 - X - X', always('OK')],
      ['0 - - - -', always('OK')],
      ['- - - - -', asTreated],
      ['0 X X - X', always('ALARM')],
      ['- - X - -', premature],
    ],
  },
  {
    source: PAGE,
    alarm: TWO_OF_THREE,
    rows: [
      ['0 - X - X', always('ALARM')],
      ['0 0 X 0 X', always('ALARM')],
      ['0 - X - -', unlessBreaching],
      ['- - - - 0', unlessBreaching],
      ['- - - X -', premature],
    ],
  },
  {
    // "Avoiding premature transitions": not at once into alarm, since the next datapoint may not breach.
    source: `${PAGE}#CloudWatch-alarms-avoiding-premature-transition`,
    alarm: THREE_OF_THREE,
    rows: [
      ['- - - - X', asTreated],
      ['- - - X -', asTreated],
      ['- - - X 0', always('OK')],
      ['- - X - 0', always('OK')],
    ],
  },
  { source: EARLIER_PAGE, alarm: THREE_OF_THREE, rows: [['X - - - -', premature]] },
  { source: EARLIER_PAGE, alarm: TWO_OF_THREE, rows: [['- - - - X', asTreated]] },
  {
    // 1 of 1 is in alarm after the third or fourth missing period.
    source: 'https://stackoverflow.com/a/72093282',
    alarm: ONE_OF_ONE,
    rows: [
      ['0 - -', always('OK')],
      ['X - -', always('ALARM')],
      ['0 - - -', asTreated],
    ],
  },
];

/** A window is Period multiplied by Evaluation Periods. Older datapoints do not count. */
export const IN_WINDOW: readonly MissingDataCases[] = [
  {
    source: `${USER_GUIDE}/alarm-evaluation-window.html`,
    alarm: THREE_OF_THREE,
    rows: [
      ['0 - X - X', premature],
      ['0 - - - -', asTreated],
      ['- - - - -', asTreated],
      ['0 X X - X', premature],
      ['- - X - -', premature],
    ],
  },
  {
    source: `${USER_GUIDE}/alarm-evaluation-window.html`,
    alarm: ONE_OF_ONE,
    rows: [
      ['0 -', asTreated],
      ['X -', asTreated],
      ['- X', always('ALARM')],
    ],
  },
];

/** Without missing data, treatments make no difference. Which datapoints breach need not be consecutive. */
export const M_OF_N: readonly MissingDataCases[] = [
  {
    source: `${USER_GUIDE}/alarm-evaluation.html`,
    alarm: THREE_OF_THREE,
    rows: [
      ['0 0 X X X', always('ALARM')],
      ['X X X X 0', always('OK')],
      ['X X 0 0 X', always('OK')],
    ],
  },
  {
    source: `${USER_GUIDE}/alarm-evaluation.html`,
    alarm: { evaluationPeriods: 5, datapointsToAlarm: 4 },
    rows: [
      ['X X 0 X X', always('ALARM')],
      ['X 0 0 X X', always('OK')],
      ['X X X 0 X X 0', always('OK')],
    ],
  },
];
