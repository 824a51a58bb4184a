import { AT_THE_DESK } from './list/at-the-desk';
import { AT_THE_EDGE } from './list/at-the-edge';
import { AT_THE_PLATFORM } from './list/at-the-platform';
import { IN_THE_ACCOUNT } from './list/in-the-account';
import { type Threat } from './list/threat';

const numberOf = ({ id }: Threat) => Number(id.slice(1));

/** All threats, by number. `npm run test:threats` runs their tests, and docs/threat-model.md shows them. */
export const THREATS: readonly Threat[] = [
  ...AT_THE_EDGE,
  ...AT_THE_PLATFORM,
  ...IN_THE_ACCOUNT,
  ...AT_THE_DESK,
].sort((one, other) => numberOf(one) - numberOf(other));
