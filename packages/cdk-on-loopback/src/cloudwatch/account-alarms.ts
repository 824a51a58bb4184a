import { type AlarmDefinition, type AlarmStateValue } from './alarm-definition';
import { AlarmHistory } from './alarm-history';
import { alarmsOf, ruleHolds } from './alarm-rule';
import { type AlarmState, type AlarmTransition } from './alarm-state';
import { evaluateMetricAlarm } from './evaluate-metric-alarm';
import { type MetricStore } from './metric-store';
import { defaultReadings, type Readings } from './readings';

type TransitionListener = (transition: AlarmTransition) => void;

/** Alarms with at least this period are evaluated once per hour. */
const HOURLY_MS = 60 * 60 * 1000;

/** The part of an alarm's ARN before its name. Rules use ARNs and names. */
const ALARM_ARN = /^arn:[^:]+:cloudwatch:[^:]*:\d*:alarm:/;

interface Entry {
  state: AlarmState;
  /** Until this time, missing data does not count. It ends early once a whole window has data. */
  warmUpEndsMs: number;
  evaluatedAtMs?: number;
}

/**
 * Evaluates an account's alarms over its metrics. It has no clock: the caller decides when to evaluate.
 * @see Amazon CloudWatch User Guide, "Alarm evaluation"
 */
export class Alarms {
  readonly history = new AlarmHistory();
  readonly readings: Readings = defaultReadings();
  private readonly store: MetricStore;
  private readonly entries = new Map<string, Entry>();
  private readonly listeners = new Set<TransitionListener>();

  constructor(store: MetricStore) {
    this.store = store;
  }

  /**
   * Keeps exactly these alarms. An alarm whose definition has changed keeps its state.
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
   */
  follow(definitions: ReadonlyMap<string, AlarmDefinition>, nowMs: number): void {
    for (const [name, { state }] of this.entries) if (!definitions.has(state.arn)) this.entries.delete(name);
    for (const definition of definitions.values()) {
      const entry = this.entries.get(definition.name);
      if (!entry) this.add(definition, nowMs);
      else if (entry.state.definition !== definition)
        entry.state = { ...entry.state, ...declaredFields(definition), configuredMs: nowMs };
    }
  }

  /** Adds an alarm in state INSUFFICIENT_DATA. Replaces one with the same name. */
  add(definition: AlarmDefinition, nowMs: number): void {
    const state: AlarmState = {
      ...declaredFields(definition),
      state: 'INSUFFICIENT_DATA',
      reason: 'Unchecked: Initial alarm creation',
      stateUpdatedMs: nowMs,
      configuredMs: nowMs,
    };
    const warmUpSec = definition.kind === 'metric' ? definition.warmUpSec : 0;
    this.entries.set(definition.name, { state, warmUpEndsMs: nowMs + warmUpSec * 1000 });
  }

  /** All alarms, in the order they were added. */
  states(): AlarmState[] {
    return [...this.entries.values()].map(({ state }) => state);
  }

  /** Calls `listener` at every change of state. Returns a function that stops it. */
  onTransition(listener: TransitionListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Evaluates the alarms that are due at `nowMs`: all, except that those with a period of an hour or more run hourly. */
  evaluate(nowMs: number): AlarmTransition[] {
    return this.evaluateThose(nowMs, ({ state: { definition }, evaluatedAtMs }) => {
      const isHourly = definition.kind === 'metric' && definition.periodSec * 1000 >= HOURLY_MS;
      return !isHourly || evaluatedAtMs === undefined || nowMs - evaluatedAtMs >= HOURLY_MS;
    });
  }

  /** Evaluates all alarms, even if not due. */
  evaluateAll(nowMs: number): AlarmTransition[] {
    return this.evaluateThose(nowMs, () => true);
  }

  private evaluateThose(nowMs: number, isDue: (entry: Entry) => boolean): AlarmTransition[] {
    const transitions: AlarmTransition[] = [];
    const due = [...this.entries.values()].filter(isDue);
    for (const entry of due) {
      const { definition, state } = entry.state;
      if (definition.kind !== 'metric') continue;
      entry.evaluatedAtMs = nowMs;
      const isWarmingUp = nowMs < entry.warmUpEndsMs;
      const { state: next, reason } = evaluateMetricAlarm(
        definition,
        { store: this.store, readings: this.readings },
        { previous: state, nowMs, isWarmingUp },
      );
      if (next !== 'INSUFFICIENT_DATA') entry.warmUpEndsMs = nowMs;
      this.change(entry, next, reason, nowMs, transitions);
    }
    this.evaluateComposites(nowMs, transitions);
    return transitions;
  }

  /** Repeats until nothing changes, since composites may contain composites. The number of alarms bounds a cycle. */
  private evaluateComposites(nowMs: number, transitions: AlarmTransition[]): void {
    const stateOf = (alarm: string): AlarmStateValue | undefined =>
      this.entries.get(alarm.replace(ALARM_ARN, ''))?.state.state;
    for (let round = 0; round < this.entries.size; round++) {
      const before = transitions.length;
      for (const entry of this.entries.values()) {
        const { definition } = entry.state;
        if (definition.kind !== 'composite') continue;
        const next = ruleHolds(definition.rule, stateOf) ? 'ALARM' : 'OK';
        const inAlarm = alarmsOf(definition.rule).filter((alarm) => stateOf(alarm) === 'ALARM');
        const reason = `its alarms in ALARM: ${inAlarm.map((alarm) => alarm.replace(ALARM_ARN, '')).join(', ') || 'none'}`;
        this.change(entry, next, reason, nowMs, transitions);
      }
      if (transitions.length === before) return;
    }
  }

  private change(
    entry: Entry,
    state: AlarmStateValue,
    reason: string,
    atMs: number,
    transitions: AlarmTransition[],
  ): void {
    const { state: previousState, definition } = entry.state;
    if (state === previousState) return;
    entry.state = { ...entry.state, state, reason, stateUpdatedMs: atMs };
    const topicArns = definition.actionsEnabled ? definition.actions[state] : [];
    const transition = { alarm: entry.state, previousState, atMs, topicArns };
    this.history.stateUpdated(transition);
    transitions.push(transition);
    for (const listener of this.listeners) listener(transition);
  }
}

function declaredFields(
  definition: AlarmDefinition,
): Pick<AlarmState, 'name' | 'arn' | 'description' | 'notifies' | 'definition'> {
  const { name, arn, description = '', actionsEnabled, actions } = definition;
  return { name, arn, description, notifies: actionsEnabled && actions.ALARM.length > 0, definition };
}
