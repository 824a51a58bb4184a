import { type Question } from '../question';
import { ALARM_QUESTIONS } from './alarms';
import { GATEWAY_QUESTIONS } from './gateway';
import { MAIN_JOB } from './main-job';
import { ROTATION_QUESTIONS } from './rotation';
import { LAST_QUESTIONS, SECRET_QUESTIONS } from './secrets';

/** All rows by what they are about, in the order in which they are asked. */
export const QUESTIONS_BY_SUBJECT: Readonly<Record<string, readonly Question[]>> = {
  'The main job': MAIN_JOB,
  'Secrets and their versions': SECRET_QUESTIONS,
  Rotation: ROTATION_QUESTIONS,
  'API Gateway': GATEWAY_QUESTIONS,
  Alarms: ALARM_QUESTIONS,
  'An update of the deployment': LAST_QUESTIONS,
};

export const QUESTIONS: readonly Question[] = Object.values(QUESTIONS_BY_SUBJECT).flat();
