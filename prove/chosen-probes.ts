import { PROBES } from '../probes/catalogue';
import { type Probe } from '../probes/probe';
import { type ProveOptions } from './options';

/** The probes that the options choose, in the order in which they run. */
export function chosenProbes({ groups, slow }: Pick<ProveOptions, 'groups' | 'slow'>): Probe[] {
  return PROBES.filter((probe) => groups.includes(probe.group) && (slow || probe.slow !== true));
}
