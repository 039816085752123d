import { countMessages, type TokenCounter } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import type { Arm } from '../arms/arm.ts'
import type { Progress } from '../progress.ts'
import { type ArmSummary, summarizePlays } from './arm-summary.ts'
import { type Dialogue, openContests, settledItems } from './dialogue.ts'
import { generateDialogue } from './generate-dialogue.ts'
import { playDialogue } from './play-dialogue.ts'
import type { Played } from './played.ts'

export interface DialoguesReport {
  readonly turns: number
  readonly dialogues: readonly DialogueSize[]
  readonly rows: readonly ArmSummary[]
}

export interface DialogueSize {
  readonly seed: number
  readonly tokens: number
  readonly items: number
  readonly corrected: number
  /** Things of which two values were said without a word on which one holds, when they were asked for. */
  readonly contested: number
  readonly probes: number
}

export interface DialoguesInput {
  readonly arms: readonly Arm[]
  /** How many dialogues: seeds 1 to this. */
  readonly seeds: number
  /** User turns of each; at least `LEAST_TURNS`. */
  readonly turns: number
  /** Tokens that the messages of a prompt may take. */
  readonly budgets: readonly number[]
  readonly progress: Progress
}

/** Fewer do not hold every item and every question. */
export const LEAST_TURNS = 30

/** Plays every dialogue with every arm at every budget. */
export async function runDialogues(input: DialoguesInput): Promise<DialoguesReport> {
  const { arms, seeds, turns, budgets, progress } = input
  const tokens = createTokenCounter()
  const dialogues = Array.from({ length: seeds }, (_, index) => generateDialogue({ seed: index + 1, turns }))
  const rows: ArmSummary[] = []
  for (const budget of budgets)
    for (const arm of arms) {
      progress.step(`${arm.name} within ${budget} tokens`)
      const plays: Played[] = []
      for (const dialogue of dialogues) {
        plays.push(await playDialogue({ arm, dialogue, budget, tokens }))
        progress.done(plays.length, dialogues.length)
      }
      rows.push(summarizePlays(arm, budget, plays))
    }
  progress.end()
  return { turns, dialogues: dialogues.map((dialogue) => sizeOf(dialogue, tokens)), rows }
}

function sizeOf({ seed, messages, probes }: Dialogue, tokens: TokenCounter): DialogueSize {
  const asked = new Set(probes.flatMap(settledItems))
  return {
    seed,
    tokens: countMessages(tokens, messages),
    items: asked.size,
    corrected: [...asked].filter(({ wrong }) => wrong !== undefined).length,
    contested: new Set(probes.flatMap(openContests)).size,
    probes: probes.length,
  }
}
