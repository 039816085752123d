import { countMessages, type TokenCounter } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import type { Arm } from '../arms/arm.ts'
import { empty, full, truncate } from '../arms/bounds.ts'
import type { Progress } from '../progress.ts'
import type { ArmSummary } from './arm-summary.ts'
import { type Dialogue, openContests, settledItems } from './dialogue.ts'
import { generateDialogue } from './generate-dialogue.ts'
import { type MissedItem, missesOf } from './missed-items.ts'
import { playDialogue } from './play-dialogue.ts'
import type { Played } from './played.ts'
import { summarizePlays } from './summarize-plays.ts'

export interface DialoguesReport {
  readonly node: string
  readonly turns: number
  readonly dialogues: readonly DialogueSize[]
  readonly rows: readonly ArmSummary[]
  /** What each arm did not show although it was asked for. */
  readonly missed: readonly MissedItem[]
}

export interface DialogueSize {
  readonly seed: number
  readonly messages: number
  readonly tokens: number
  readonly topics: number
  readonly items: number
  readonly corrected: number
  /** Things of which two values were said without a word on which one holds, when they were asked for. */
  readonly contested: number
  readonly probes: number
  readonly needles: number
  /** Files that calls named, and those of them that were changed. */
  readonly files: number
  readonly changedFiles: number
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

/** Plays every dialogue with every arm at every budget. The bounds are played even when nobody selected them. */
export async function runDialogues({
  arms,
  seeds,
  turns,
  budgets,
  progress,
}: DialoguesInput): Promise<DialoguesReport> {
  const tokens = createTokenCounter()
  const dialogues = Array.from({ length: seeds }, (_, index) => generateDialogue({ seed: index + 1, turns }))
  const rows: ArmSummary[] = []
  const missed: MissedItem[] = []
  for (const budget of budgets) {
    const play = async (arm: Arm): Promise<readonly Played[]> => {
      progress.step(`${arm.name} within ${budget} tokens`)
      const plays: Played[] = []
      for (const dialogue of dialogues) {
        plays.push(await playDialogue({ arm, dialogue, budget, tokens }))
        progress.done(plays.length, dialogues.length)
      }
      return plays
    }
    const bounds = { empty: await play(empty), full: await play(full), truncate: await play(truncate) }
    const played = new Map([
      [empty, bounds.empty],
      [full, bounds.full],
      [truncate, bounds.truncate],
    ])
    for (const arm of arms) {
      const plays = played.get(arm) ?? (await play(arm))
      rows.push(summarizePlays({ arm, budget, plays, bounds }))
      missed.push(...plays.flatMap((each) => missesOf(each, arm.name, budget)))
    }
  }
  progress.end()
  const sizes = dialogues.map((dialogue) => sizeOf(dialogue, tokens))
  return { node: process.version, turns, dialogues: sizes, rows, missed }
}

function sizeOf(
  { seed, messages, topics, probes, needles, files, changes }: Dialogue,
  tokens: TokenCounter,
): DialogueSize {
  const asked = new Set(probes.flatMap(settledItems))
  return {
    seed,
    messages: messages.length,
    tokens: countMessages(tokens, messages),
    topics: topics.length,
    items: asked.size,
    corrected: [...asked].filter(({ wrong }) => wrong !== undefined).length,
    contested: new Set(probes.flatMap(openContests)).size,
    probes: probes.length,
    needles: needles.length,
    files: files.length,
    changedFiles: new Set(changes.map(({ file }) => file)).size,
  }
}
