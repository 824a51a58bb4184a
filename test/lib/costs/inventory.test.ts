import { inventoryOf } from '../../../lib/costs/inventory';

const STAT = { Metric: { Namespace: 'Latchkey', MetricName: 'TokenFault' }, Period: 300, Stat: 'Sum' };

describe('the inventory of templates', () => {
  it('counts every metric of an alarm with metric math, but not its expression', () => {
    const { alarms, alarmMetrics } = inventoryOf([
      {
        Resources: {
          Plain: { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'TokenLifeLeft' } },
          Math: {
            Type: 'AWS::CloudWatch::Alarm',
            Properties: {
              Metrics: [
                { Id: 'sum', Expression: 'a + b' },
                { Id: 'a', MetricStat: STAT, ReturnData: false },
                { Id: 'b', MetricStat: STAT, ReturnData: false },
              ],
            },
          },
        },
      },
    ]);

    expect({ alarms, alarmMetrics }).toEqual({ alarms: 2, alarmMetrics: 3 });
  });

  it('is zero for an empty template', () => {
    expect(Object.values(inventoryOf([{}])).every((number) => number === 0)).toBe(true);
  });
});
