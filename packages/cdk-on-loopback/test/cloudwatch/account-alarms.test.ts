import { type MetricAlarm } from '../../src/cloudwatch/alarm-definition';
import { Alarms } from '../../src/cloudwatch/account-alarms';
import { type AlarmTransition } from '../../src/cloudwatch/alarm-state';
import { parseMetricMath } from '../../src/cloudwatch/parse-metric-math';
import { MetricStore } from '../../src/cloudwatch/metric-store';
import { type Readings } from '../../src/cloudwatch/readings';
import { NOW_MS } from '../../src/testing/stacks';
import { compositeAlarm, FAULTS, metricAlarm, TOPIC_ARN } from './alarm-definitions';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const setUp = (...definitions: Parameters<Alarms['add']>[0][]) => {
  const store = new MetricStore();
  const transitions: AlarmTransition[] = [];
  const alarms = new Alarms(store);
  alarms.onTransition((transition) => transitions.push(transition));
  for (const definition of definitions) alarms.add(definition, NOW_MS);
  return {
    store,
    alarms,
    transitions,
    fault: (minute: number, value = 1) =>
      store.put({ ...FAULTS, value, timestampMs: NOW_MS + minute * MINUTE_MS }),
    evaluate: (minute: number) => alarms.evaluate(NOW_MS + minute * MINUTE_MS),
    stateOf: (name: string) => alarms.states().find((alarm) => alarm.name === name)?.state,
  };
};

describe('a metric alarm', () => {
  test('has insufficient data until it is evaluated', () => {
    const { stateOf, alarms } = setUp(metricAlarm('a'));

    expect(stateOf('a')).toBe('INSUFFICIENT_DATA');
    expect(alarms.states()[0]).toMatchObject({ stateUpdatedMs: NOW_MS, notifies: false });
  });

  test.each<[Readings['evaluationRange'], number]>([
    ['extended', 7 + 3 * 5],
    ['window', 7 + 5],
  ])('with the evaluation range %s counts a fault without later data until minute %i', (range, last) => {
    const { alarms, fault, evaluate, stateOf } = setUp(metricAlarm('a'));
    alarms.readings.evaluationRange = range;
    fault(7);

    const states = [7, 8, last, last + 1].map((minute) => {
      evaluate(minute);
      return stateOf('a');
    });

    expect(states).toEqual(['OK', 'ALARM', 'ALARM', 'OK']);
  });

  test('does not count missing data while it warms up, unless data arrived and stopped', () => {
    const silence = metricAlarm('a', {
      missingData: 'breaching',
      comparison: 'LessThanThreshold',
      warmUpSec: 20 * 60,
    });
    const [quiet, begun] = [setUp(silence), setUp(silence)];
    begun.fault(1);

    const seen = [5, 6, 17, 18, 20].map((minute) => {
      [quiet, begun].forEach(({ evaluate }) => evaluate(minute));
      return [quiet.stateOf('a'), begun.stateOf('a')];
    });

    expect(seen).toEqual([
      ['INSUFFICIENT_DATA', 'OK'],
      ['INSUFFICIENT_DATA', 'OK'],
      ['INSUFFICIENT_DATA', 'ALARM'],
      ['INSUFFICIENT_DATA', 'ALARM'],
      ['ALARM', 'ALARM'],
    ]);
  });

  test('reports each change once, with its reason and time', () => {
    const { fault, evaluate, transitions, alarms } = setUp(metricAlarm('a'));
    fault(1, 3);

    for (const minute of [1, 2, 3]) evaluate(minute);

    expect(transitions.map(({ previousState, alarm }) => [previousState, alarm.state])).toEqual([
      ['INSUFFICIENT_DATA', 'OK'],
      ['OK', 'ALARM'],
    ]);
    expect(alarms.states()[0]).toMatchObject({
      stateUpdatedMs: NOW_MS + 2 * MINUTE_MS,
      reason:
        '1 of the last 1 datapoints [3] (latest first, missing: notBreaching) were greater than or equal to the threshold (1); 1 trigger the alarm',
    });
  });

  test.each<[MetricAlarm['comparison'], boolean[]]>([
    ['GreaterThanOrEqualToThreshold', [false, true, true]],
    ['GreaterThanThreshold', [false, false, true]],
    ['LessThanOrEqualToThreshold', [true, true, false]],
    ['LessThanThreshold', [true, false, false]],
  ])('compares by %s', (comparison, expected) => {
    const found = [1, 2, 3].map((value) => {
      const { fault, evaluate, stateOf } = setUp(metricAlarm('a', { comparison, threshold: 2 }));
      fault(0, value);
      evaluate(1);
      return stateOf('a') === 'ALARM';
    });

    expect(found).toEqual(expected);
  });

  test('computes an expression of each period', () => {
    const requests = { namespace: 'N', metricName: 'Requests', dimensions: {} };
    const { store, fault, evaluate, stateOf } = setUp(
      metricAlarm('rate', {
        parts: new Map([
          ['rate', { expression: parseMetricMath('IF(all > 0, 100 * FILL(f, 0) / all, 0)'), text: '…' }],
          ['f', { query: { ...FAULTS, statistic: 'Sum' as const } }],
          ['all', { query: { ...requests, statistic: 'Sum' as const } }],
        ]),
        result: 'rate',
        threshold: 25,
        evaluationPeriods: 2,
        datapointsToAlarm: 2,
      }),
    );
    for (const minute of [1, 6]) {
      store.put({ ...requests, value: 4, timestampMs: NOW_MS + minute * MINUTE_MS });
      fault(minute);
    }

    evaluate(10);
    const atFirst = stateOf('rate');
    store.put({ ...requests, value: 4, timestampMs: NOW_MS + 11 * MINUTE_MS });
    evaluate(12);

    expect([atFirst, stateOf('rate')]).toEqual(['ALARM', 'OK']);
  });

  test('with a period of an hour or longer is evaluated every hour, or with evaluateAll', () => {
    const { fault, evaluate, stateOf, alarms } = setUp(metricAlarm('slow', { periodSec: 21_600 }));
    evaluate(0);
    fault(1);

    evaluate(59);
    const before = stateOf('slow');
    evaluate(60);
    const after = stateOf('slow');
    alarms.evaluateAll(NOW_MS + 18 * HOUR_MS + 2 * MINUTE_MS);

    expect([before, after, stateOf('slow')]).toEqual(['OK', 'ALARM', 'OK']);
  });
});

describe('a composite alarm', () => {
  const children = [metricAlarm('a'), metricAlarm('b', { threshold: 5 })] as const;

  test('follows its children, and notifies once for all of them', () => {
    const { fault, evaluate, transitions } = setUp(
      ...children,
      compositeAlarm('both', 'ALARM("a") OR ALARM("b")'),
    );
    evaluate(0);
    fault(0);
    fault(1, 5);

    for (const minute of [1, 2, 20]) evaluate(minute);

    const told = transitions.filter(({ alarm }) => alarm.name === 'both');
    expect(told.map(({ alarm, topicArns }) => [alarm.state, topicArns])).toEqual([
      ['OK', []],
      ['ALARM', [TOPIC_ARN]],
      ['OK', []],
    ]);
  });

  test('may contain composites, by name or ARN and in any order', () => {
    const top = compositeAlarm('top', 'ALARM("arn:aws:cloudwatch:eu-west-1:111111111111:alarm:middle")');
    const { alarms, fault, evaluate, stateOf } = setUp(
      top,
      compositeAlarm('middle', 'ALARM(a)'),
      ...children,
    );
    fault(0);

    evaluate(1);

    expect(stateOf('top')).toBe('ALARM');
    expect(alarms.states()[0]?.reason).toBe('its alarms in ALARM: middle');
  });

  test('that refers to itself does not loop', () => {
    const { evaluate, stateOf } = setUp(compositeAlarm('odd', 'NOT ALARM("odd")'));

    evaluate(0);

    expect(stateOf('odd')).toBe('ALARM');
  });

  test('does not notify while its actions are disabled', () => {
    const { evaluate, transitions } = setUp({ ...compositeAlarm('quiet', 'TRUE'), actionsEnabled: false });

    evaluate(0);

    expect(transitions[0]).toMatchObject({ topicArns: [], alarm: { state: 'ALARM', notifies: false } });
  });
});

describe('Alarms', () => {
  // API_PutMetricAlarm.
  test('follow changed definitions: an alarm keeps its state, new ones are added, others removed', () => {
    const [a, gone, added] = [metricAlarm('a'), metricAlarm('gone'), metricAlarm('added')];
    const { alarms, fault, evaluate, stateOf, transitions } = setUp(a, gone);
    fault(0);
    evaluate(1);
    const changed = { ...a, threshold: 5, actionsEnabled: true, actions: { ...a.actions, OK: [TOPIC_ARN] } };

    alarms.follow(new Map([changed, added].map((each) => [each.arn, each])), NOW_MS + MINUTE_MS);

    expect(alarms.states().map(({ name, state }) => [name, state])).toEqual([
      ['a', 'ALARM'],
      ['added', 'INSUFFICIENT_DATA'],
    ]);
    evaluate(2);
    expect(stateOf('a')).toBe('OK');
    expect(transitions.at(-2)).toMatchObject({ alarm: { name: 'a' }, topicArns: [TOPIC_ARN] });
  });

  test('keep a history, and report changes until the listener is removed', () => {
    const { alarms, fault, evaluate } = setUp(metricAlarm('a'));
    const heard: string[] = [];
    const stop = alarms.onTransition(({ alarm }) => heard.push(alarm.state));
    fault(0);

    evaluate(1);
    stop();
    evaluate(20);

    expect(heard).toEqual(['ALARM']);
    expect(alarms.history.items()).toEqual([
      {
        alarmName: 'a',
        alarmType: 'MetricAlarm',
        atMs: NOW_MS + MINUTE_MS,
        type: 'StateUpdate',
        summary: 'Alarm updated from INSUFFICIENT_DATA to ALARM',
      },
      expect.objectContaining({ summary: 'Alarm updated from ALARM to OK' }),
    ]);
  });
});
