/** The tag of everything that a run of `latchkey prove` creates. Its value is the run's prefix. */
export const RUN_TAG = 'latchkey:prove';
