const Sequencer = require('@jest/test-sequencer').default;

/**
 * Spreads the journeys evenly among the other tests. A journey waits much of its time for a system that runs beside it:
 * two at once would contend for the processors and then wait together, and one at the end would leave a process idle.
 * Within both, the order is jest's: what took longest before, or else the largest file, comes first. No test depends on it.
 */
class JourneysAmongOthers extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isJourney = ({ context }) => context.config.displayName.name === 'journey';
    const journeys = sorted.filter(isJourney);
    const others = sorted.filter((test) => !isJourney(test));
    const gap = Math.floor(others.length / Math.max(journeys.length, 1));
    return [...journeys.flatMap((journey) => [journey, ...others.splice(0, gap)]), ...others];
  }
}

module.exports = JourneysAmongOthers;
