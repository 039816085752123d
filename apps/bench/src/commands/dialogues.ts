import { countMessages, type TokenCounter } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import about from '../../data/measures.json' with { type: 'json' }
import type { Arm } from '../arms/arm.ts'
import { type Play, type PlaySums, playAll, playArm, sumPlays } from '../arms/play-arm.ts'
import { type Dialogue, openContests, settledItems } from '../dialogues/dialogue.ts'
import { generateDialogues } from '../dialogues/generate-dialogue.ts'
import { type ItemResult, measureProbe, type ProbeResult } from '../dialogues/measure-probe.ts'
import type { Progress } from '../progress.ts'
import {
  type ArmRow,
  definitionsOf,
  type FiguresOf,
  meanOver,
  measurePlays,
  measureTable,
  middleBudget,
  named,
  plainValue,
  type Values,
} from '../report/measure.ts'
import { counted, decimal, left, madeBy, right, type Section, tableOf, whole } from '../report/section.ts'
import { defineMeasure } from './define-measure.ts'
import { BUDGETS, chooseArms, ENGINES, SEEDS } from './options.ts'

export const DIALOGUE_TURNS = 50

export const dialogues = defineMeasure<DialoguesReport>({
  description: 'what each engine shows a model when it is asked for what was said long ago',
  options: [SEEDS, BUDGETS, ENGINES],
  async run({ seeds, budgets, engines }, { progress }) {
    const { ARMS } = await import('../arms/arms.ts')
    return runDialogues({ seeds, turns: DIALOGUE_TURNS, budgets, arms: chooseArms(ARMS, engines), progress })
  },
  sections: dialogueSections,
  page: dialoguesPage,
})

function dialogueSections({ turns, dialogues, rows }: DialoguesReport): Section {
  const total = (key: 'items' | 'corrected' | 'contested' | 'probes'): string =>
    whole(dialogues.reduce((sum, each) => sum + each[key], 0))
  const sizes = dialogues.map(({ tokens }) => tokens)
  return {
    title: 'Values in generated dialogues',
    text: [
      `${counted(dialogues.length, 'generated dialogue')} of ${turns} user turns, ${whole(Math.min(...sizes))} to ${whole(Math.max(...sizes))} tokens: ` +
        `${total('items')} values scattered over the user’s turns between other requests, tool calls and pasted text, ${total('corrected')} of them wrong at first and corrected later; ` +
        `${total('contested')} more stated plainly in two ways; asked for at ${total('probes')} turns. ` +
        'Every arm gets the same messages within the same budget.',
      'The tasks are those of LoCoEval, the dialogues are not. No model answers: a ceiling is what a perfect reader of the prompt could reach in recall, and `bench judge` measures what a model reaches. Intervals are 95 %, from resampling dialogues.',
    ],
    points: definitionsOf(DIALOGUE_MEASURES),
    table: measureTable(rows, DIALOGUE_MEASURES),
  }
}

/** Those of the measures that set arms apart. */
const SHOWN = [
  'itemRecall',
  'reached',
  'updateAccuracy',
  'staleExposure',
  'flaggedWithTools',
  'trail',
] as const
function dialoguesPage({ dialogues, rows }: DialoguesReport, command: string): Section {
  const budget = middleBudget(rows)
  const values = dialogues.reduce((sum, { items }) => sum + items, 0)
  return {
    title: 'Values in dialogues',
    text:
      `${madeBy(command)} ${whole(values)} values of ${dialogues.length} generated dialogues, asked for long after users gave or corrected them, within ${whole(budget)} tokens. ` +
      'Less is better for `stale`: an old value without its correction beside it. ' +
      '`truncate` is the end of the conversation alone; those below our engines are packages of others.',
    table: tableOf(
      // The whole conversation has everything, by definition.
      rows.filter((row) => row.budget === budget && row.arm !== 'full'),
      [
        left('arm', ({ arm }) => arm),
        ...SHOWN.map((key) =>
          right(DIALOGUE_MEASURES[key].name, (row: DialogueRow) => decimal(plainValue(row[key]), 2)),
        ),
      ],
    ),
  }
}

export type DialoguesReport = Awaited<ReturnType<typeof runDialogues>>

export interface DialogueRow extends ArmRow, FiguresOf<typeof DIALOGUE_MEASURES>, PlaySums {}

interface DialoguesInput {
  readonly arms: readonly Arm[]
  readonly seeds: number
  readonly turns: number
  readonly budgets: readonly number[]
  readonly progress: Progress
}

export async function runDialogues({ seeds, turns, ...input }: DialoguesInput) {
  const tokens = createTokenCounter()
  const talks = generateDialogues(seeds, turns)
  const rows = await playAll(
    { ...input, talks },
    (arm, budget, dialogue) => playDialogue({ arm, budget, dialogue, tokens }),
    (arm, budget, plays): DialogueRow[] => [
      {
        arm: arm.name,
        kind: arm.kind,
        budget,
        ...measurePlays(DIALOGUE_MEASURES, plays),
        ...sumPlays(plays),
      },
    ],
  )
  return { turns, dialogues: talks.map((dialogue) => sizeOf(dialogue, tokens)), rows }
}

interface PlayInput {
  readonly arm: Arm
  readonly budget: number
  readonly dialogue: Dialogue
  readonly tokens: TokenCounter
}

async function playDialogue({ arm, budget, dialogue, tokens }: PlayInput): Promise<PlayedDialogue> {
  const { messages, seed } = dialogue
  const probes: ProbeResult[] = []
  const play = await playArm(
    { arm, messages, budget, tokens, sessionId: `dialogue-${seed}` },
    async (request) => {
      const probe = dialogue.probes.find(({ message }) => message === request.length - 1)
      if (probe === undefined) return
      probes.push(await measureProbe(probe, request, { dialogue, searches: arm.searches }))
    },
  )
  return { ...play, probes }
}

function sizeOf({ seed, messages, probes }: Dialogue, tokens: TokenCounter) {
  const asked = new Set(probes.flatMap(settledItems))
  return {
    seed,
    tokens: countMessages(tokens, messages),
    items: asked.size,
    corrected: [...asked].filter(({ wrong }) => wrong !== undefined).length,
    /** Things of which two values were said without a word on which one holds, when they were asked for. */
    contested: new Set(probes.flatMap(openContests)).size,
    probes: probes.length,
  }
}

interface PlayedDialogue extends Play {
  readonly probes: readonly ProbeResult[]
}

const overProbes = (values: (probe: ProbeResult) => Values) =>
  meanOver(({ probes }: PlayedDialogue) => probes.flatMap(values))

const corrected = ({ items }: ProbeResult): ItemResult[] => items.filter(({ isStale }) => isStale !== null)

/** The measures of every question; each is null where there was nothing to measure. */
export const DIALOGUE_MEASURES = named(about.dialogues, {
  itemRecall: overProbes(({ items }) => items.map(({ isShown }) => isShown)),
  reached: overProbes(({ items }) => items.map(({ isReached }) => isReached)),
  updateAccuracy: overProbes((probe) => corrected(probe).map(({ isCurrent }) => isCurrent === true)),
  staleExposure: overProbes((probe) => corrected(probe).map(({ isStale }) => isStale === true)),
  misled: overProbes((probe) => corrected(probe).map(({ isStale, isShown }) => isStale === true && !isShown)),
  flaggedWithTools: overProbes(({ contests }) => contests.map(({ isFlaggedWithTools: is }) => is)),
  // Before the first change of a file there is no trail.
  trail: overProbes(({ trail: { changed, presented, right } }) =>
    changed === 0 ? [] : [(2 * right) / (changed + presented)],
  ),
  topicRecall: overProbes(({ raised: { found, n } }) => (n === 0 ? [] : [found / n])),
  functionsComplete: overProbes(({ isFunctionComplete: is }) => (is === null ? [] : [is])),
})
