import { type Probe } from '../probe';
import { alarmInAndOut } from './alarm-in-and-out';
import { apiKeyChange } from './api-key-change';
import { credentialRotation } from './credential-rotation';
import { doctorFixesSchedule } from './doctor-fixes-schedule';
import { ensureAsService } from './ensure-as-service';
import { nothingToDo } from './nothing-to-do';
import { refusedToken } from './refused-token';
import { restoreHistory } from './restore-history';
import { restoreWithApiKey } from './restore-with-api-key';
import { restoreWithToken } from './restore-with-token';
import { rollback } from './rollback';
import { tokensFresh } from './tokens-fresh';

export const JOURNEYS_PROBES: readonly Probe[] = [
  tokensFresh,
  nothingToDo,
  ensureAsService,
  refusedToken,
  restoreWithApiKey,
  restoreWithToken,
  restoreHistory,
  credentialRotation,
  rollback,
  apiKeyChange,
  doctorFixesSchedule,
  alarmInAndOut,
];
