import { countMessages, type TokenCounter } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import type { Arm } from '../arms/arm.ts'
import { type PlaySums, playAll, playArm, sumPlays } from '../arms/play-arm.ts'
import type { Progress } from '../progress.ts'
import { type ArmRow, type FiguresOf, measurePlays } from '../report/measure.ts'
import { type Dialogue, openContests, settledItems } from './dialogue.ts'
import { DIALOGUE_MEASURES, type PlayedDialogue } from './dialogue-measures.ts'
import { generateDialogue } from './generate-dialogue.ts'
import { measureProbe, type ProbeResult } from './measure-probe.ts'

export type DialoguesReport = Awaited<ReturnType<typeof runDialogues>>

export interface DialogueRow extends ArmRow, FiguresOf<typeof DIALOGUE_MEASURES>, PlaySums {}

export interface DialoguesInput {
  readonly arms: readonly Arm[]
  readonly seeds: number
  readonly turns: number
  readonly budgets: readonly number[]
  readonly progress: Progress
}

/** Fewer do not hold every item and every question. */
export const LEAST_TURNS = 30

export async function runDialogues({ seeds, turns, ...input }: DialoguesInput) {
  const tokens = createTokenCounter()
  const talks = Array.from({ length: seeds }, (_, index) => generateDialogue({ seed: index + 1, turns }))
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
