import { type AlarmDefinition, type AlarmStateValue } from './alarm-definition';

/** An alarm as it stands. */
export interface AlarmState {
  readonly name: string;
  readonly arn: string;
  /** What happened, what it means, what to do; for people. */
  readonly description: string;
  readonly state: AlarmStateValue;
  /** Why it is in this state. */
  readonly reason: string;
  readonly stateUpdatedMs: number;
  /** It notifies when its state becomes ALARM. */
  readonly isPaging: boolean;
  readonly definition: AlarmDefinition;
}

/** An alarm's state changed. */
export interface AlarmTransition {
  /** As it is now. */
  readonly alarm: AlarmState;
  readonly previousState: AlarmStateValue;
  readonly atMs: number;
  /** ARNs of the topics that are to be notified; none when the alarm's actions are not enabled. */
  readonly topicArns: readonly string[];
}
