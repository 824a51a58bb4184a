/** Where `init` writes a configuration, and commands look for one; relative to the working directory. */
export const USUAL_CONFIGURATION = 'config/latchkey.json';

/** Where `npm start` says how to reach what it runs, unless it is told otherwise; relative to the project. */
export const USUAL_STATE_DIR = '.latchkey';
