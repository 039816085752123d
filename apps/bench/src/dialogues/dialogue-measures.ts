import type { Play } from '../arms/play-arm.ts'
import type { Values } from '../bootstrap.ts'
import { type Measures, meanOver } from '../report/measure.ts'
import type { ItemResult, ProbeResult } from './measure-probe.ts'

export interface PlayedDialogue extends Play {
  readonly probes: readonly ProbeResult[]
}

const overProbes = (values: (probe: ProbeResult) => Values) =>
  meanOver(({ probes }: PlayedDialogue) => probes.flatMap(values))

const corrected = ({ items }: ProbeResult): ItemResult[] => items.filter(({ isStale }) => isStale !== null)

/** The measures of every question; each is null where there was nothing to measure. */
export const DIALOGUE_MEASURES = {
  itemRecall: {
    name: 'values',
    definition:
      'of the values that a question is about, the share that stands in the prompt: as a whole word, with a word of its subject within 240 characters. The ceiling of IE (information extraction)',
    better: 'more',
    of: overProbes(({ items }) => items.map(({ isShown }) => isShown)),
  },
  reached: {
    name: 'values, with tools',
    definition: 'in the prompt, or in the answer of one call, which gets the words of the subject',
    better: 'more',
    of: overProbes(({ items }) => items.map(({ isReached }) => isReached)),
  },
  updateAccuracy: {
    name: 'corrections',
    definition: 'of the values that were corrected, the share of which the prompt says last what holds',
    better: 'more',
    of: overProbes((probe) => corrected(probe).map(({ isCurrent }) => isCurrent === true)),
  },
  staleExposure: {
    name: 'stale',
    definition:
      'of the corrected values, the share that stands somewhere in the prompt without its correction beside it. A history that is kept whole has it too, and a prompt that shows nothing has none',
    better: 'less',
    of: overProbes((probe) => corrected(probe).map(({ isStale }) => isStale === true)),
  },
  misled: {
    name: 'misled',
    definition: 'the same, and the correction stands nowhere: an answer from this prompt is wrong',
    better: 'less',
    of: overProbes((probe) => corrected(probe).map(({ isStale, isShown }) => isStale === true && !isShown)),
  },
  flaggedWithTools: {
    name: 'conflicts flagged',
    definition:
      'of what was said in two ways without a word on which one holds, the share of which the prompt, or the answer of one call, shows both with a mark of conflict. Only the decision engine writes such marks',
    better: 'more',
    of: overProbes(({ contests }) => contests.map(({ isFlaggedWithTools }) => isFlaggedWithTools)),
  },
  trail: {
    name: 'changed files',
    definition:
      'F1 of the files that the prompt presents as changed, against those that calls changed so far',
    better: 'more',
    // Before the first change of a file there is no trail.
    of: overProbes(({ trail: { changed, presented, right } }) =>
      changed === 0 ? [] : [(2 * right) / (changed + presented)],
    ),
  },
  topicRecall: {
    name: 'topics',
    definition:
      'of all that came up before, the share whose title stands in the prompt. The ceiling of TA (topic awareness)',
    better: 'more',
    of: overProbes(({ raised: { found, n } }) => (n === 0 ? [] : [found / n])),
  },
  functionsComplete: {
    name: 'functions',
    definition:
      'of the functions whose three numbers are settled, the share of which all three stand in the prompt. The ceiling of FC (function completion)',
    better: 'more',
    of: overProbes(({ isFunctionComplete }) => (isFunctionComplete === null ? [] : [isFunctionComplete])),
  },
} as const satisfies Measures<readonly PlayedDialogue[]>
