import { type AlarmDefinition, type AlarmStateValue } from './alarm-definition';

/** An alarm with its current state. */
export interface AlarmState {
  readonly name: string;
  readonly arn: string;
  readonly description: string;
  readonly state: AlarmStateValue;
  /** Why it is in this state. */
  readonly reason: string;
  readonly stateUpdatedMs: number;
  /** When it was created, or its definition last changed. */
  readonly configuredMs: number;
  /** Whether it notifies when it goes into alarm. */
  readonly notifies: boolean;
  readonly definition: AlarmDefinition;
}

export interface AlarmTransition {
  /** The alarm after the change. */
  readonly alarm: AlarmState;
  readonly previousState: AlarmStateValue;
  readonly atMs: number;
  /** The ARNs of the topics to notify; empty if the alarm's actions are disabled. */
  readonly topicArns: readonly string[];
}
